import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contextOf, onAnyEngine } from '../../test/support/service.ts'
import { query } from '../kernel/context.ts'

/** Country, national and international notation of the example numbers of libphonenumber-js 1.13.16. */
const examples: [string, string, string][] = JSON.parse(
  readFileSync(new URL('../../test/fixtures/phone-examples.json', import.meta.url), 'utf8'),
)

const withoutSeparators = (text: string) => text.replaceAll(/[^0-9+]/g, '')

/** A number as people in its country and abroad write it. */
function notations(national: string, international: string): string[] {
  const written = [national, international, international.replace('+', '00')]
  return [...written, ...written.map(withoutSeparators)]
}

onAnyEngine('phone numbers of every country', account => {
  it('are the same in every notation', async () => {
    expect(examples).toHaveLength(245)
    const pairs = examples.flatMap(([country, national, international]) =>
      notations(national, international).flatMap((a, i, all) =>
        all.slice(i + 1).map(b => ({ country, a, b })),
      ),
    )
    const different = sql`select p.* from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) p (country text, a text, b text)
      where not is_same_phone(p.a, p.b)`
    expect(await query(contextOf(await account()), different)).toEqual([])
  })

  it('differ from those of every other country', async () => {
    const numbers = examples.map(([, national, international]) => ({
      number: withoutSeparators(international),
      // without its zeros: a number in national notation is that of every country with the same digits after them
      key: withoutSeparators(international.slice(international.indexOf(' '))).replace(/^0+/, ''),
      national,
      international,
    }))
    // Pairs that end with the same four digits are enough: others have no reading in common.
    const same = sql`with n as (select * from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb)
        n (number text, key text, national text, international text))
      select a.international, b.international as other, b.national from n a join n b
        on a.number <> b.number and right(a.number, 4) = right(b.number, 4)
      where is_same_phone(a.international, b.international)
        or a.key <> b.key and is_same_phone(a.international, b.national)`
    expect(await query(contextOf(await account()), same)).toEqual([])
  })
})
