import { expect, it } from 'vitest'
import { dict, int, json, list, nullable, object, optional, text, union } from './schema/index.ts'
import { prefersStrict, unknownKeys } from './strict.ts'

it.each([
  ['handling=strict', true],
  ['Handling=Strict', true],
  [' respond-async, handling = "strict"; a=b', true],
  ['handling=lenient', false],
  ['handling=lenient, handling=strict', false],
  ['respond-async', false],
  ['handling', false],
  ['', false],
  [undefined, false],
])('Prefer: %s', (header, expected) => {
  expect(prefersStrict(header)).toBe(expected)
})

const schema = object({
  name: text(),
  address: optional(nullable(object({ city: text() }))),
  people: optional(list(object({ email: text(), age: optional(int()) }))),
  metadata: optional(dict()),
  anything: optional(json()),
  domains: optional(nullable(union({ str: text(), list: list(text()) }))),
  either: optional(union({ a: object({ x: int() }), b: object({ y: int(), z: int() }) })),
})
const found = (input: unknown) =>
  unknownKeys(schema.json, input, ['body']).map(({ loc, ctx }) => [loc.slice(1).join('.'), ctx?.suggestion])

it.each([
  [{ name: 'x', metadata: { free: { deep: 1 } }, anything: { free: 1 }, domains: ['a'] }, []],
  [{ nmae: 'x' }, [['nmae', 'name']]],
  [
    { address: { town: 'x', citty: 'y' } },
    [
      ['address.town', undefined],
      ['address.citty', 'city'],
    ],
  ],
  [{ address: null, people: [{ email: 'x' }, { e_mail: 'x' }] }, [['people.1.e_mail', 'email']]],
  [{ either: { y: 1, z: 2 } }, []],
  [{ either: { y: 1, zz: 2 } }, [['either.zz', undefined]]],
  [{ constructor: 1 }, [['constructor', undefined]]],
  [JSON.parse('{"__proto__": 1}'), [['__proto__', undefined]]],
  ['text', []],
])('knows the keys of %j', (input, expected) => {
  expect(found(input)).toEqual(expected)
})

it('reports only the first few of many unknown keys', () => {
  const input = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i]))
  expect(found(input)).toHaveLength(20)
  expect(found({ people: Array.from({ length: 1000 }, () => input) })).toHaveLength(20)
})
