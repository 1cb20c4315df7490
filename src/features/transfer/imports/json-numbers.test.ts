/**
 * The JSON API and imports read numbers alike: a text that both accept is the same number, and JSON refuses the other
 * notations of files with the plain number to send.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Issue, int, number, type Schema } from '../../../kernel/schema/index.ts'
import { readNumber } from '../../../lib/numbers/read.ts'
import type { NumberStyle } from '../../../lib/numbers/units.ts'

const FIELDS: [schema: Schema<number>, style: NumberStyle][] = [
  [number(), 'money'],
  [int({ min: -1e30, max: 1e30 }), 'count'],
]

const inJson = (schema: Schema<number>, text: string) => {
  const issues: Issue[] = []
  const value = schema.check(text, ['body', 'amount'], issues)
  return issues[0] ? { message: issues[0].msg } : { value }
}

const locales = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN']
const amount = fc.integer({ min: -1e9, max: 1e9 }).map(n => n / 100)
const notation = fc.oneof(
  fc
    .tuple(amount, fc.constantFrom(...locales))
    .map(([n, locale]) => n.toLocaleString(locale, { maximumFractionDigits: 20 })),
  fc
    .tuple(
      fc.constantFrom('', '$', '€ ', 'CHF ', '(', '-', ' '),
      amount.map(Math.abs),
      fc.constantFrom(
        '',
        ')',
        'k',
        'M',
        ' Mio',
        ' Mrd. EUR',
        ' billion',
        '%',
        ' €',
        'e3',
        '.0',
        ',-',
        ' m',
        ' ',
      ),
    )
    .map(([before, n, after]) => `${before}${n}${after}`),
  fc.array(fc.constantFrom(...'0123456789.,-+e_ kM€$'), { maxLength: 10 }).map(signs => signs.join('')),
)

it('accepts a text with the same value, or refuses it in JSON with the number that the import reads', () => {
  let [same, named] = [0, 0]
  fc.assert(
    fc.property(notation, fc.constantFrom(...FIELDS), (text, [schema, style]) => {
      const fromFile = readNumber(text, { style, decimal: '.' })
      const fromJson = inJson(schema, text)
      if (!('value' in fromFile)) return
      if ('value' in fromJson) {
        same++
        // `-0` is 0 in a file and in the database
        expect((fromJson.value ?? Number.NaN) + 0).toBe(fromFile.value)
        return
      }
      const unambiguous = readNumber(text, { style })
      const isPlain = Number.isFinite(Number(text))
      if (
        isPlain ||
        !('value' in unambiguous) ||
        (style === 'count' && !Number.isSafeInteger(unambiguous.value))
      )
        return
      named++
      expect(fromJson.message).toMatch(
        /^Input should be a valid (number|integer), unable to parse string as a/,
      )
      expect(fromJson.message.endsWith(`; write it as ${unambiguous.value}`)).toBe(true)
      expect(inJson(schema, String(unambiguous.value))).toEqual({ value: unambiguous.value })
    }),
    { numRuns: 5000 },
  )
  expect(Math.min(same, named)).toBeGreaterThan(100)
})

it.each([
  ['1.2M', 1_200_000],
  ['1.234,50 €', 1234.5],
  ['$1,234.50', 1234.5],
  ['3 Mio', 3_000_000],
  ['(12)', -12],
])('%s is refused in JSON, which names %d', (text, value) => {
  expect(inJson(number(), text)).toEqual({
    message: `Input should be a valid number, unable to parse string as a number; write it as ${value}`,
  })
})

it('names no number that an integer cannot have', () => {
  expect(inJson(int({ min: -1e30, max: 1e30 }), '0_2e70')).toEqual({
    message: 'Input should be a valid integer, unable to parse string as an integer',
  })
})

it.each(['x', 'abc', '', '1,234', 'ca. 500', '5%', '1e3 x', 'A1'])('%j is refused without a guess', text => {
  expect(inJson(number(), text)).toEqual({
    message: 'Input should be a valid number, unable to parse string as a number',
  })
})
