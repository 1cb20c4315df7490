import { expect, it } from 'vitest'
import { byKind } from './names.ts'

it('a record that is found by several of its passages is one record', () => {
  const nimbus = { kind: 'company', id: 'a', name: 'Nimbus' }
  const ann = { kind: 'contact', id: 'b', name: 'Ann Nimbus' }
  expect(byKind([nimbus, ann, nimbus])).toEqual([
    { kind: 'company', ids: ['a'], names: ['Nimbus'] },
    { kind: 'contact', ids: ['b'], names: ['Ann Nimbus'] },
  ])
})
