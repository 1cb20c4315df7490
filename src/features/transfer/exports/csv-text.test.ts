import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defused, listCell, quoted, restored } from './csv-text.ts'

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '=',
        '+',
        '-',
        '@',
        ' ',
        '\t',
        '\r',
        '\n',
        '\ufeff',
        '\u200b',
        '＝',
        'a',
        '1',
        '"',
        ',',
      ),
      {
        maxLength: 6,
      },
    )
    .map(parts => parts.join('')),
)

it.each([
  ['=1+1', "'=1+1"],
  ['\u0085=1', "'\u0085=1"],
  ['\u061c=1', "'\u061c=1"],
  ['\u034f=1', "'\u034f=1"],
  ['\u202e=1', "'\u202e=1"],
  ['\ufff9=1', "'\ufff9=1"],
  ['+43 1 234', '+43 1 234'],
  ['+49 30 23125 100', '+49 30 23125 100'],
  ['+4930123', "'+4930123"],
  ['+1-555-0199', "'+1-555-0199"],
  ['+1 555+1', "'+1 555+1"],
  ['+1 555 ', "'+1 555 "],
  ['+1 555\n=1', "'+1 555\n=1"],
  ["'+43 1 234", "''+43 1 234"],
  ['-5', "'-5"],
  ['@sum(a1)', "'@sum(a1)"],
  ['\t=x', "'\t=x"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['  =x', "'  =x"],
  ['\ufeff=x', "'\ufeff=x"],
  ['\n\n=x', "'\n\n=x"],
  ['\u200b=x', "'\u200b=x"],
  ['\u00a0+1', "'\u00a0+1"],
  ['＝1+1', "'＝1+1"],
  ["'=x", "''=x"],
  ["'tis", "'tis"],
  ['plain', 'plain'],
  ['a=b', 'a=b'],
  ['', ''],
])('defuses %j as %j', (value, cell) => {
  expect(defused(value)).toBe(cell)
  expect(restored(cell)).toBe(value)
})

it('gives back every value exactly', () => {
  fc.assert(
    fc.property(nasty, value => restored(defused(value)) === value),
    { numRuns: 3000 },
  )
})

it('leaves nothing that begins like a formula', () => {
  fc.assert(
    fc.property(nasty, value => !/^[\s\ufeff\u200b]*[=+\-@＝](?!\d+ [\d ]+$)/.test(defused(value))),
    { numRuns: 3000 },
  )
})

it.each([
  ['a', 'a'],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  [' a', '" a"'],
  ['a\nb', '"a\nb"'],
])('quotes %j as %j', (cell, text) => {
  expect(quoted(cell)).toBe(text)
})

it.each([
  [['a', 'b c'], 'a; b c'],
  [['a;b'], '["a;b"]'],
  [['[x'], '["[x"]'],
  [[' a'], '[" a"]'],
  [[''], '[""]'],
])('writes the list %j as %j', (items, cell) => {
  expect(listCell(items)).toBe(cell)
})
