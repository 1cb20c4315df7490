/** Rows as JSON text are what JSON.stringify makes of the rows as objects. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../test/support/service.ts'
import { jsonRows } from '../kernel/compiled.ts'
import { SYSTEM } from './engine.ts'

const character = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...'abc ,:[]{}"\\/', '\n', '\t', '\u0001', '\u007f', 'é', '李', '🦄'),
  },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(text => text !== '\0'),
)
const text = fc.array(character, { maxLength: 20 }).map(parts => parts.join(''))
const json = fc.oneof(
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true }), fc.constant(null)), { maxKeys: 3 }),
  fc.array(fc.oneof(fc.boolean(), fc.integer(), fc.array(text, { maxLength: 2 })), { maxLength: 3 }),
  text,
)
const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.integer({ min: 0, max: 12 }))
  .map(([negative, digits, scale]) => {
    const padded = String(digits).padStart(scale + 1, '0')
    const number = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`
    return negative ? `-${number}` : number
  })
const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

const row = fc.record({
  text,
  number: fc.oneof(decimal, fc.constantFrom('NaN', 'Infinity', '0.10', '1e30', '0.0000001')),
  integer: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  double: fc.double(),
  flag: fc.boolean(),
  time: time.map(date => date.toISOString()),
  micros: fc.constantFrom('2026-01-31 09:30:00.123456+00', '12026-01-31 09:30:00+00', 'infinity'),
  day: time.map(date => date.toISOString().slice(0, 10)),
  id: fc.uuid(),
  texts: fc.array(text, { maxLength: 3 }),
  json,
})

onBothEngines('rows as JSON text', account => {
  it('are the text of the rows as objects', async () => {
    const db = (await account()).service.services.engine.as(SYSTEM)
    const nullable = fc.record({ of: row, nulls: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(nullable, { maxLength: 4 }), async generated => {
        const rows = generated.map(({ of, nulls }) => {
          const entries = Object.entries({ ...of, large: String(of.large), json: JSON.stringify(of.json) })
          return Object.fromEntries(entries.map(([name, value], i) => [name, nulls[i] ? null : value]))
        })
        const statement =
          sql`select r.text as "?sometimes", r.*, r.text as "?last", r.json::json as plain_json,
            jsonb_build_array(r.json) as list, r.id as "#beside"
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as r(text text, number numeric, integer int, large int8, double float8, flag boolean, time timestamptz(3),
              micros timestamptz, day date, id uuid, texts text[], json jsonb)`.compile(db)
        const objects = (await db.executeQuery(statement)).rows
        const asText = await jsonRows({ db }, statement)
        expect(`[${asText.text}]`).toBe(JSON.stringify(objects))
        expect(asText).toHaveLength(objects.length)
      }),
      { numRuns: 60 },
    )
  })
})
