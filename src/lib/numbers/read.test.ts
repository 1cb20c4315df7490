import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NumberFormat, readNumber } from './read.ts'

const money: NumberFormat = { style: 'money', assumed: '.' }
const resultOf = (text: string, format: NumberFormat = money) => {
  const read = readNumber(text, format)
  return 'value' in read ? read.value : read.problem
}

describe('numbers in files', () => {
  it.each([
    ['1.2M', 1_200_000],
    ['10k', 10_000],
    ['$1.5 billion', 1_500_000_000],
    ['3 Mio', 3_000_000],
    ['2 Mrd', 2_000_000_000],
    ['2,5 Mrd. EUR', 2_500_000_000],
    ['5 T€', 5000],
    ['12 TEUR', 12_000],
    ['1,000 billion', 1_000_000_000_000],
    ['1.234,50 €', 1234.5],
    ['$1,234.50', 1234.5],
    ['(12)', -12],
    ['($1,200)', -1200],
    ['1.200,00-', -1200],
    ['\u22125', -5],
    ['1 234,5', 1234.5],
    ["1'234.50", 1234.5],
    ['12,34,567', 1_234_567],
    ['5,-', 5],
    ['1_000.5', 1000.5],
    ['1e3', 1000],
    ['1.1k', 1100],
    ['0.001M', 1000],
  ])('%s is %s', (text, value) => {
    expect(resultOf(text)).toBe(value)
  })

  it.each([
    ['ca. 500', 'approximate'],
    ['~500', 'approximate'],
    ['500+', 'approximate'],
    ['10-50', 'range'],
    ['5%', 'percentage'],
    ['5 Stück', 'Stück'],
    ['5 m', 'unit of measurement'],
    ['1,5 billion', 'different'],
    ['A1', 'not a number'],
    ['zz1.example', 'not a number'],
    ['2026-01-31', 'not a number'],
    ['1.2.3', 'not a number'],
    ['1,23,4', 'not a number'],
    ['12 34', 'not a number'],
    ['€5€', 'not a number'],
    ['5 constructor', 'constructor'],
    ['', 'not a number'],
    ['nan', 'not a number'],
    ['1e999', 'too large'],
  ])('%j is refused: %s', (text, reason) => {
    expect(resultOf(text)).toContain(reason)
  })

  it.each([
    ['25%', 'percent', 25],
    ['25', 'percent', 25],
    ['5 m', 'digits', 'not a unit'],
    ['90 min', 'digits', 'not a unit'],
    ['10m', 'count', 'unit of measurement'],
    ['10k', 'count', 10_000],
  ] as const)('%s in a field of the style %s', (text, style, expected) => {
    const read = resultOf(text, { style, assumed: '.' })
    if (typeof expected === 'number') expect(read).toBe(expected)
    else expect(read).toContain(expected)
  })

  it('leaves the choice between 1234 and 1.234 to the column, and refuses to guess without one', () => {
    expect(resultOf('1.234', { style: 'money', assumed: '.' })).toBe(1.234)
    expect(resultOf('1.234', { style: 'money', assumed: ',' })).toBe(1234)
    expect(resultOf('1,234', { style: 'money', assumed: ',' })).toBe(1.234)
    expect(resultOf('1.234', { style: 'money' })).toContain('options.decimal_separator')
    expect(resultOf('1.234,5', { style: 'money', decimal: '.' })).toContain('does not fit')
    expect(resultOf('1.234', { style: 'money', decimal: ',' })).toBe(1234)
  })

  it('reads what it accepts as the same value once it is written plainly', () => {
    const piece = fc.oneof(
      fc.nat(999_999).map(String),
      fc.constantFrom(...'. , - + ( ) % € $ k M m Mio Mrd. billion EUR e _ T ca ~'.split(' '), ' ', "'", 'A'),
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join('')),
      fc.string({ maxLength: 12 }),
    )
    const format = fc.record({
      style: fc.constantFrom('money', 'count', 'percent', 'digits'),
      decimal: fc.constantFrom('.', ',', undefined),
      assumed: fc.constantFrom('.', ',', undefined),
    }) as fc.Arbitrary<NumberFormat>
    fc.assert(
      fc.property(text, format, (text, format) => {
        const read = readNumber(text, format)
        if (!('value' in read)) return
        expect(text).toMatch(/\d/)
        const again = readNumber(String(read.value), { style: 'digits', decimal: '.' })
        expect(again).toEqual({ value: read.value })
      }),
      { numRuns: 5000 },
    )
  })

  it('reads a number as written in any of the styles', () => {
    const styles: [write: (n: number) => string, format: NumberFormat][] = [
      [n => String(n), money],
      [n => n.toLocaleString('en-US', { maximumFractionDigits: 20 }), { ...money, decimal: '.' }],
      [n => n.toLocaleString('de-DE', { maximumFractionDigits: 20 }), { ...money, decimal: ',' }],
      [n => `${n.toLocaleString('de-DE', { maximumFractionDigits: 20 })} €`, { ...money, decimal: ',' }],
      [n => n.toLocaleString('de-CH', { maximumFractionDigits: 20 }), { ...money, decimal: '.' }],
      [n => n.toLocaleString('fr-FR', { maximumFractionDigits: 20 }), { ...money, decimal: ',' }],
      [n => n.toLocaleString('en-IN', { maximumFractionDigits: 20 }), { ...money, decimal: '.' }],
      [n => (n < 0 ? `(${-n})` : `$${n}`), money],
    ]
    const cents = fc.integer({ min: -1e12, max: 1e12 }).map(n => n / 100)
    fc.assert(
      fc.property(cents, fc.constantFrom(...styles), (n, [write, format]) => {
        expect(resultOf(write(n), format)).toBe(n)
      }),
      { numRuns: 2000 },
    )
  })
})
