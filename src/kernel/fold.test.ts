import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type Account, contextOf, onBothEngines } from '../../test/support/service.ts'
import { query } from './context.ts'
import { fold } from './fold.ts'
import { dict, hasLongMarkRun, type Schema, text } from './schema/index.ts'
import { fault } from './schema/testing.ts'

const inSql = async (account: Account, texts: readonly string[]): Promise<string[]> => {
  const rows = await query(
    contextOf(account),
    sql<{
      folded: string
    }>`select fold(t) as folded from unnest(${texts}::text[]) with ordinality u (t, n) order by n`,
  )
  return rows.map(row => row.folded)
}

/** Where Unicode has letters and marks. */
const RANGES = [
  [1, 0xd7ff],
  [0xe000, 0x1ffff],
  [0x2f800, 0x2fa1f],
  [0xe0100, 0xe01ef],
] as const
const codePoints = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
)
const marks = codePoints.filter(character => /[\p{M}\uff9e\uff9f]/u.test(character))

describe('runs of combining marks', () => {
  test.each([
    ['', false],
    ['\u0301'.repeat(30), false],
    ['\u0301'.repeat(31), true],
    ['\u{1d165}'.repeat(30), false],
    ['\u{1d165}'.repeat(31), true],
    [`${'\u0301\uff9e'.repeat(15)}e`, false],
    ['\u0301\uff9e'.repeat(16), true],
    [`e${'\u0301'.repeat(30)}`.repeat(1000), false],
    ['नमस्ते '.repeat(1000), false],
  ])('%#', (input, isLong) => expect(hasLongMarkRun(input)).toBe(isLong))

  const long = `Zalgo${'\u0316\u0301'.repeat(16)}`
  const msg = 'Value error, text must not contain more than 30 combining marks in a row'
  test.each([
    [text(), long],
    [dict(), { a: [{ b: long }] }],
    [dict(), { [long]: 1 }],
  ])('are refused in a text and in a free object %#', (schema, input) =>
    expect(fault(schema as Schema<unknown>, input)).toMatchObject({ type: 'value_error', msg }),
  )
})

onBothEngines('fold', newAccount => {
  let account: Account
  beforeAll(async () => {
    account = await newAccount()
  })

  it('returns the same for each code point in JavaScript and in SQL', async () => {
    const some = codePoints.filter(character => character < '\u0600' || fold(character) !== character)
    const folded = await inSql(account, some)
    const differing = some.filter((character, i) => folded[i] !== fold(character))
    // These are newer than the database's Unicode, which leaves them unchanged. Unicode 17 added one over 16.
    expect(differing.filter(character => folded[some.indexOf(character)] !== character)).toEqual([])
    expect(differing.length).toBeLessThan(100)
  })

  it('returns the same for texts', async () => {
    const character = fc.oneof(
      fc.constantFrom(...'aAzZ09 \n_%ÄäßẞŒœÆæØøŁłĐđİıΣσςΆЖжЙйҐґ한ﬁ㍿ﷺ李🦄'),
      // old marks only: the newest ones are sorted only by the side whose Unicode has them
      fc.constantFrom(...marks.filter(mark => mark < '\u0860' || mark === '\uff9e' || mark === '\u{1d165}')),
      fc.constantFrom(...codePoints.slice(0, 0x600)),
    )
    const texts = fc.array(character, { maxLength: 60 }).map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 200 }), async some => {
        expect(await inSql(account, some)).toEqual(some.map(fold))
      }),
      { numRuns: 20 },
    )
  })

  it('cuts runs of marks and results longer than three times the text', async () => {
    const run = '\u05b0'.repeat(5000) + '\u0591'.repeat(5000)
    const texts = [
      ...marks.map(mark => `x${mark.repeat(100)}`),
      `e${run}`,
      '\uff9e\u0591'.repeat(5000),
      '\ufdfa'.repeat(10_000),
      '\ufdfa'.repeat(200),
      '각'.repeat(10_000),
    ]
    const folded = await inSql(account, texts)
    expect(folded).toEqual(texts.map(fold))
    const lengths = folded.map(value => [...value].length)
    expect(Math.max(...lengths.slice(0, marks.length))).toBeLessThanOrEqual(1 + 30 * 4)
    expect(lengths.slice(marks.length)).toEqual([31, 30, 30_000, 3600, 30_000])
  })
})
