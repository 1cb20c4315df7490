import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLine, quoted } from '../exports/csv-text.ts'
import { CsvError, csvParser } from './csv-parser.ts'

const parse = (text: string, delimiter = ',', chunk = text.length || 1) => {
  const parser = csvParser(delimiter)
  const records = []
  for (let at = 0; at < text.length; at += chunk) records.push(...parser.push(text.slice(at, at + chunk)))
  return [...records, ...parser.end()]
}
const cells = (text: string, delimiter?: string) => parse(text, delimiter).map(record => record.cells)

it.each([
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a,,\n', [['a', '', '']]],
  ['"a,b",c', [['a,b', 'c']]],
  ['"a""b"', [['a"b']]],
  ['"a\r\nb",c', [['a\r\nb', 'c']]],
  ['a"b,c', [['a"b', 'c']]],
  ['"a"b,c', [['ab', 'c']]],
  ['"a" ,c', [['a ', 'c']]],
  [' a , b ', [['a', 'b']]],
  ['" a "', [[' a ']]],
  ['a\n\n\nb', [['a'], ['b']]],
  ['""\n', [['']]],
  ['', []],
  ['\n', []],
])('reads %j', (text, expected) => {
  expect(cells(text)).toEqual(expected)
})

it('counts rows as a spreadsheet does', () => {
  expect(parse('h\n\n"a\nb"\nc').map(record => record.row)).toEqual([1, 3, 4])
})

it('gives the same whatever the pieces it comes in', () => {
  const text = 'a,"b ""x"" \r\n y",c\r\n"",,"z"\r\rlast,"1"'
  const whole = parse(text)
  for (let chunk = 1; chunk < text.length; chunk++) expect(parse(text, ',', chunk)).toEqual(whole)
})

it('reads back what an export writes', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('"', ',', '\n', '\r', ' ', 'a', '\ufeff'), { maxLength: 5 })
      .map(all => all.join('')),
  )
  const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (table, chunk) => {
      const text = table.map(row => csvLine(row.map(quoted))).join('')
      expect(parse(text, ',', chunk).map(record => record.cells)).toEqual(table)
    }),
    { numRuns: 500 },
  )
})

it.each([
  ['an endless quote', `a,b\n"${'x'.repeat(1_100_000)}`, 'the quote that opens in row 2 is not closed'],
  ['a quote that is left open', 'a,b\n"x', 'the quote that opens in row 2 is never closed'],
  ['a record that is too long', 'x'.repeat(1_100_000), 'row 1 is longer than'],
  ['too many columns', ','.repeat(1001), 'row 1 has more than 1000 columns'],
])('refuses %s', (_, text, sentence) => {
  expect(() => parse(text, ',', 4096)).toThrow(CsvError)
  expect(() => parse(text, ',', 4096)).toThrow(sentence)
})
