import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BriefMap } from './brief-map.ts'

const operation = fc.record({
  name: fc.constantFrom('add', 'delete'),
  key: fc.integer({ min: 0, max: 5 }),
  value: fc.integer(),
})

it('has the entries of a Map, in the same order', () => {
  fc.assert(
    fc.property(fc.array(operation), operations => {
      const brief = new BriefMap<number, number>()
      const map = new Map<number, number>()
      for (const { name, key, value } of operations) {
        brief.delete(key)
        map.delete(key)
        if (name === 'add') {
          brief.add(key, value)
          map.set(key, value)
        }
        expect([brief.keys(), brief.values(), brief.size]).toEqual([
          [...map.keys()],
          [...map.values()],
          map.size,
        ])
        expect([brief.has(key), brief.get(key)]).toEqual([map.has(key), map.get(key)])
      }
    }),
  )
})

it('can be changed while its entries are read', () => {
  const brief = new BriefMap<string, number>()
  for (const [i, key] of ['a', 'b', 'c'].entries()) brief.add(key, i)
  for (const key of brief.keys()) brief.delete(key)
  expect(brief.size).toBe(0)
})
