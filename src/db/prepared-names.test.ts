import { expect, it } from 'vitest'
import { preparedNames } from './prepared-names.ts'

const texts = (count: number) => Array.from({ length: count }, (_, i) => `select ${i}`)

it('prepares a statement that comes again, however many came once before it', () => {
  const nameOf = preparedNames()
  expect(texts(10_000).map(nameOf).some(Boolean)).toBe(false)
  expect([nameOf('select now()'), nameOf('select now()'), nameOf('select now()')]).toEqual([
    undefined,
    'k0',
    'k0',
  ])
})

it('prepares a limited number of statements, each under its own name', () => {
  const nameOf = preparedNames()
  for (const text of texts(600)) nameOf(text)
  const names = texts(600).map(nameOf)
  expect(new Set(names).size).toBe(501)
  expect(names.indexOf(undefined)).toBe(500)
  expect(texts(600).map(nameOf)).toEqual(names)
})
