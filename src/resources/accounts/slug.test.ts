import { expect, it } from 'vitest'
import { slugOf } from './slug.ts'

it.each([
  ['Acme', 'acme'],
  ['  Acme, Inc. ', 'acme-inc'],
  ['Ærø & Søn GmbH', 'aero-son-gmbh'],
  ['Crème Brûlée', 'creme-brulee'],
  ['Łódź', 'lodz'],
  ['O’Reilly', 'oreilly'],
  ['株式会社', 'account'],
  ['---', 'account'],
  ['x'.repeat(80), 'x'.repeat(50)],
])('turns %s into the slug %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
