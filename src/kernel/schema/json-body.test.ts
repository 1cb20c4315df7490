import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../../test/support/cpu-time.ts'
import { parseJsonBody } from './index.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

describe('parseJsonBody', () => {
  test.each(['{}', ' [1, "é😀", null, -0.5e3] ', '"x"', '0', '{"a": {"b": []}}'])('takes %s', text =>
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) }),
  )

  test('ignores a byte order mark', () =>
    expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } }))

  test.each([
    ['{bad', 1, 'Expecting property name enclosed in double quotes'],
    ['{"name":"x",}', 12, 'Expecting property name enclosed in double quotes'],
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ['{"a"', 4, "Expecting ':' delimiter"],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
    ['{"a":1', 6, "Expecting ',' delimiter"],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['[1,]', 3, 'Expecting value'],
    ['[', 1, 'Expecting value'],
    ['nul', 0, 'Expecting value'],
    [' ', 1, 'Expecting value'],
    ['-', 0, 'Expecting value'],
    ['{"a":NaN}', 5, 'Expecting value'],
    ['[-Infinity]', 1, 'Expecting value'],
    ['"abc', 0, 'Unterminated string starting at'],
    ['["a", "b\\', 6, 'Unterminated string starting at'],
    ['"a\tb"', 2, 'Invalid control character at'],
    ['"\\x"', 1, 'Invalid \\escape'],
    ['"a\\u12"', 3, 'Invalid \\uXXXX escape'],
    ['"\\u1234', 2, 'Invalid \\uXXXX escape'],
    ['01', 1, 'Extra data'],
    ['{} x', 3, 'Extra data'],
    ['{"😀":"é" x}', 9, "Expecting ',' delimiter"],
  ])('reports the position of the mistake in %s', (text, position, error) =>
    expect(parse(text)).toEqual({
      ok: false,
      issue: {
        type: 'json_invalid',
        loc: ['body', position],
        msg: 'JSON decode error',
        input: {},
        ctx: { error },
      },
    }),
  )

  test.each([
    [[0xff], 0],
    [[0x22, 0xc3, 0xa9, 0xef, 0xbf, 0xbd, 0xff, 0x22], 3],
    [[0x22, 0xe2, 0x82], 1],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 1],
  ])('invalid UTF-8 %j', (bytes, position) =>
    expect(parseJsonBody(Buffer.from(bytes))).toMatchObject({
      ok: false,
      issue: { type: 'json_invalid', loc: ['body', position], ctx: { error: 'Invalid UTF-8' } },
    }),
  )

  const deep = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`

  test('allows 64 levels of nesting', () => {
    expect(parse(deep(64)).ok).toBe(true)
    expect(parse(`[${'[],'.repeat(1000)}"${'['.repeat(1000)}\\""]`).ok).toBe(true)
    expect(parse(deep(66))).toEqual({
      ok: false,
      issue: {
        type: 'value_error',
        loc: ['body'],
        msg: 'Value error, JSON is nested deeper than 64 levels',
        input: {},
        ctx: { error: {} },
      },
    })
  })

  test('refuses a million brackets in linear time', async () => {
    for (const part of ['[', '{', '{"a":', '[],', '"', '\\'])
      await expectLinear(count => expect(parse(part.repeat(count)).ok).toBe(false), 1_000_000)
  })

  test('accepts exactly what JSON.parse accepts', () => {
    const accepts = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const tokens = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      'u00e9',
      'true',
      '-',
      '1',
      '.5',
      'e3',
      ' ',
      'a',
      '😀',
    ]
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...tokens), { maxLength: 12 }).map(parts => parts.join('')),
      fc.json({ maxDepth: 5 }),
      // One character of a good text replaced: the mistakes that people make.
      fc
        .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...tokens, ''))
        .map(
          ([good, at, token]) => good.slice(0, at % good.length) + token + good.slice((at % good.length) + 1),
        ),
    )
    fc.assert(
      fc.property(text, input => {
        // Encoding replaces an unpaired surrogate, so both sides must see what arrives.
        const arrived = input.toWellFormed()
        const result = parse(arrived)
        expect(result.ok).toBe(accepts(arrived))
        if (result.ok) expect(result.value).toEqual(JSON.parse(arrived))
        else expect(result.issue.loc[1]).toBeLessThanOrEqual([...arrived].length)
      }),
      { numRuns: 5000 },
    )
  })
})
