import { describe, expect, expectTypeOf, test } from 'vitest'
import { dict, type Infer, json, oneOf, text, uuid } from './index.ts'
import { fault, run } from './testing.ts'

const nul = {
  type: 'value_error',
  msg: 'Value error, text must not contain a NUL character',
  ctx: { error: {} },
}
const surrogate = {
  type: 'value_error',
  msg: 'Value error, text must not contain an unpaired surrogate',
  ctx: { error: {} },
}

describe('text', () => {
  test.each([
    [{}, ''],
    [{}, ' not stripped '],
    [{ min: 1, max: 3 }, 'abc'],
    [{ min: 3, max: 3 }, '😀😀😀'],
    [{ singleLine: true }, 'one line'],
    [{ pattern: /^[a-z]+$/g }, 'abc'],
  ])('%j takes %j', (options, input) => {
    const schema = text(options)
    expect(run(schema, input)).toBe(input)
    expect(run(schema, input)).toBe(input)
  })

  test.each([
    [{}, 5, 'string_type', 'Input should be a valid string', undefined],
    [{}, null, 'string_type', 'Input should be a valid string', undefined],
    [{ min: 1 }, '', 'string_too_short', 'String should have at least 1 character', { min_length: 1 }],
    [{ min: 2 }, '😀', 'string_too_short', 'String should have at least 2 characters', { min_length: 2 }],
    [{ max: 1 }, 'ab', 'string_too_long', 'String should have at most 1 character', { max_length: 1 }],
    [{ max: 3 }, '😀😀😀😀', 'string_too_long', 'String should have at most 3 characters', { max_length: 3 }],
    [
      { max: 3, pattern: /^[a-z]+$/ },
      'ABCD',
      'string_too_long',
      'String should have at most 3 characters',
      { max_length: 3 },
    ],
    [
      { pattern: /^[a-z]+$/ },
      'AB',
      'string_pattern_mismatch',
      "String should match pattern '^[a-z]+$'",
      { pattern: '^[a-z]+$' },
    ],
    [{}, 'a\0b', nul.type, nul.msg, nul.ctx],
    [{}, 'a\ud800', surrogate.type, surrogate.msg, surrogate.ctx],
    [{}, '\udc00\ud800', surrogate.type, surrogate.msg, surrogate.ctx],
    [{ singleLine: true }, 'a\nb', 'value_error', 'Value error, text must be a single line', { error: {} }],
  ])('%j refuses %j', (options, input, type, msg, ctx) =>
    expect(fault(text(options), input)).toEqual(ctx ? { type, msg, ctx } : { type, msg }),
  )

  test.each([
    [{ trim: true, max: 3 }, ' \t\u00a0VIP\u2003\n', 'VIP'],
    [{ trim: true, singleLine: true }, 'a  b\n', 'a  b'],
    [{ trim: true }, '  ', ''],
  ])('%j reads %j as %j', (options, input, value) => expect(run(text(options), input)).toBe(value))

  test('is measured without white space around it where that is removed', () => {
    const expected = { type: 'string_too_short', msg: 'String should have at least 1 character' }
    expect(fault(text({ trim: true, min: 1 }), '  ')).toMatchObject(expected)
  })

  test('is published', () =>
    expect(text({ min: 1, max: 9, pattern: /^a/, title: 'Name', examples: ['ab'] }).json).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 9,
      pattern: '^a',
      title: 'Name',
      examples: ['ab'],
    }))
})

describe('oneOf', () => {
  const kinds = oneOf(['company', 'contact', 'deal'])

  test('keeps the literal type', () =>
    expectTypeOf<Infer<typeof kinds>>().toEqualTypeOf<'company' | 'contact' | 'deal'>())

  test.each([
    [oneOf(['a']), "'a'"],
    [oneOf(['private', 'public']), "'private' or 'public'"],
    [kinds, "'company', 'contact' or 'deal'"],
    [oneOf(["it's"]), `"it's"`],
  ])('words its alternatives %#', (schema, expected) => {
    for (const input of ['x', 1, null, []]) {
      expect(fault(schema, input)).toEqual({
        type: 'enum',
        msg: `Input should be ${expected}`,
        ctx: { expected },
      })
    }
  })

  test('as a literal', () =>
    expect(fault(oneOf(['a', 'b'], { kind: 'literal' }), 'c').type).toBe('literal_error'))
  test('takes its values', () => expect(run(kinds, 'deal')).toBe('deal'))
})

describe('uuid', () => {
  const id = '12345678-1234-1234-1234-123456789abc'
  test.each([
    id,
    id.toUpperCase(),
    id.replaceAll('-', ''),
    `{${id}}`,
    `urn:uuid:${id}`,
    `urn:uuid:${id.toUpperCase()}`,
  ])('takes %s', input => expect(run(uuid(), input)).toBe(id))

  test.each([
    ['', 'invalid length: expected length 32 for simple format, found 0'],
    ['abc', 'invalid length: expected length 32 for simple format, found 3'],
    ['zz', 'invalid character: found `z` at 1'],
    ['12345678-1234-1234-1234-12345678901é', 'invalid character: found `é` at 36'],
    ['12345678-1234-1234-1234', 'invalid group count: expected 5, found 4'],
    ['{12345678123412341234123456789012}', 'invalid group count: expected 5, found 1'],
    ['1234567-12345-1234-1234-123456789012', 'invalid group length in group 0: expected 8, found 7'],
    ['12345678-1234-1234-1234-1234567890123', 'invalid group length in group 4: expected 12, found 13'],
    ['{12345678-1234-1234-1234-12345678901x}', 'invalid character: found `x` at 36'],
    ['urn:uuid:x', 'invalid character: found `x` at 10'],
  ])('refuses %j', (input, error) =>
    expect(fault(uuid(), input)).toEqual({
      type: 'uuid_parsing',
      msg: `Input should be a valid UUID, ${error}`,
      ctx: { error },
    }),
  )

  test.each([1, null, {}])('refuses %j', input =>
    expect(fault(uuid(), input)).toEqual({
      type: 'uuid_type',
      msg: 'UUID input should be a string, bytes or UUID object',
    }),
  )
})

describe('free JSON', () => {
  const nested = (depth: number): unknown => JSON.parse(`[${'['.repeat(depth - 1)}${']'.repeat(depth)}`)

  test.each([[], null, 'x', 1])('dict refuses %j', input =>
    expect(fault(dict(), input)).toEqual({ type: 'dict_type', msg: 'Input should be a valid dictionary' }),
  )

  test.each([null, 1, 'x', [1, { a: [null] }], nested(64)])('json takes %j', input =>
    expect(run(json(), input)).toBe(input),
  )

  test('reports every unstorable part with its path', () => {
    const input = { a: [1, 'x\0'], 'b\0': 1, c: { d: '\ud800', e: Number.POSITIVE_INFINITY } }
    expect(run(dict(), input, ['body', 'metadata'])).toEqual([
      { ...nul, loc: ['body', 'metadata', 'a', 1], input: 'x\0' },
      { ...nul, loc: ['body', 'metadata', 'b\0', '[key]'], input: 'b\0' },
      { ...surrogate, loc: ['body', 'metadata', 'c', 'd'], input: '\ud800' },
      {
        type: 'finite_number',
        loc: ['body', 'metadata', 'c', 'e'],
        msg: 'Input should be a finite number',
        input: Number.POSITIVE_INFINITY,
      },
    ])
  })

  test('limits the nesting', () =>
    expect(fault(json(), nested(65)).msg).toBe('Value error, JSON is nested deeper than 64 levels'))

  test('a __proto__ key is data', () => {
    const input = JSON.parse('{"__proto__": {"admin": true}}')
    const value = run(dict(), input) as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(value.admin).toBeUndefined()
  })
})
