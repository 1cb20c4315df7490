import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keySet } from './key-set.ts'

it('knows what was added, like a set', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 200 }), fc.array(fc.string()), (added, asked) => {
      const keys = keySet()
      for (const key of added) keys.add(key)
      const known = new Set(added)
      return [...added, ...asked].every(key => keys.has(key) === known.has(key))
    }),
  )
})

it('grows', () => {
  const keys = keySet()
  for (let n = 0; n < 50_000; n += 2) keys.add(`person${n}@example.com`)
  const wrong = Array.from({ length: 50_000 }, (_, n) => n).filter(
    n => keys.has(`person${n}@example.com`) !== (n % 2 === 0),
  )
  expect(wrong).toEqual([])
})
