import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../../test/support/cpu-time.ts'
import { compilePattern, UnsafePattern } from './pattern.ts'

const rows: [pattern: string, fits: string[], not: string[]][] = [
  ['^[A-Z]{2}-\\d{4}$', ['AB-1234'], ['ab-1234', 'AB-123', 'AB-12345', ' AB-1234']],
  ['cat|dog', ['a cat', 'dogs'], ['bird', '']],
  ['^(?:a|b)*$', ['', 'abba'], ['abc']],
  ['^(?<year>\\d{4})$', ['2026'], ['26']],
  ['\\bno\\b', ['say no', 'no!'], ['nobody', 'piano']],
  ['^\\p{Lu}\\p{Ll}+$', ['Änne', 'Łucja'], ['änne', 'A']],
  ['^.$', ['x', '😀'], ['', 'xy', '\n']],
  ['^\\u{1F600}|\\ud83d\\ude01$', ['😀', '😁'], ['😂']],
  ['^[^\\]\\d-]+?$', ['abc'], ['a]', 'a1', 'a-']],
  ['^\\/a\\.b$', ['/a.b'], ['/axb']],
  ['^a{2,}$', ['aa', 'aaaaa'], ['a']],
  ['^a{0}$', [''], ['a']],
  ['^\\(?=$', ['(=', '='], ['(']],
  ['', ['', 'anything'], []],
]

describe('a client’s pattern', () => {
  it.each(rows)('%s', (pattern, fits, not) => {
    const matches = compilePattern(pattern)
    for (const text of fits) expect([text, matches(text)]).toEqual([text, true])
    for (const text of not) expect([text, matches(text)]).toEqual([text, false])
  })

  it.each([
    '(a',
    'a**',
    '[z-a]',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{2000}',
    '\\p{L}{1000}',
    '(?:[a-z]{0,30}){30}',
  ])('refuses %s', pattern => {
    expect(() => compilePattern(pattern)).toThrow(UnsafePattern)
  })

  it('takes linear time where backtracking takes forever', async () => {
    for (const pattern of [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      '^\\w*\\w*\\w*\\w*\\w*\\w*$',
      '(.*)*x',
      '^(([a-z])+.)+[A-Z]$',
    ]) {
      await expectLinear(length => {
        expect(compilePattern(pattern)(`${'a'.repeat(length)}!`)).toBe(false)
      }, 2000)
    }
  })

  it('matches like a JavaScript regular expression', () => {
    const pattern = fc.letrec(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', ''),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
        fc
          .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,1}?', '{1,}'))
          .map(([a, q]) => `(?:${a})${q}`),
      ),
    })).node as fc.Arbitrary<string>
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 }),
        (source, text) => {
          expect(compilePattern(source)(text)).toBe(new RegExp(source, 'u').test(text))
        },
      ),
      { numRuns: 1000 },
    )
  })
})
