import { expect, it } from 'vitest'
import { mergePatch } from './merge-patch.ts'

it.each([
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, { a: null }, {}],
  [{ a: 1, b: 2 }, { a: null, c: null }, { b: 2 }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1, c: { d: 2 } } }, { a: { c: { d: null, e: 3 } } }, { a: { b: 1, c: { e: 3 } } }],
  // a value that is not an object is replaced by one, and the nulls of the patch are not stored
  [{ a: 'text' }, { a: { b: 1, c: null } }, { a: { b: 1 } }],
  [{ a: { b: 1 } }, { a: 'text' }, { a: 'text' }],
  // a null inside a list is a value, and an existing null remains
  [{ a: null, b: 1 }, { b: [null] }, { a: null, b: [null] }],
  [null, { a: { b: null } }, { a: {} }],
  [{ a: 1 }, {}, { a: 1 }],
])('merges %j with %j', (target, patch, merged) => {
  const before = structuredClone([target, patch])
  expect(mergePatch(target, patch)).toEqual(merged)
  expect([target, patch]).toEqual(before)
})

it('treats __proto__ like any other key', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}')) as object
  expect(Object.keys(merged)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
})
