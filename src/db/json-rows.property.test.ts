/** Rows as JSON text are what JSON.stringify makes of the rows as objects. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../test/support/service.ts'
import { jsonRows } from '../kernel/compiled.ts'
import { property } from '../lib/values.ts'
import { SYSTEM } from './engine.ts'
import { besideKey } from './row-shapes.ts'

const BESIDE = besideKey('beside')

const character = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...'ab01 ,:[]{}"\\/', '\n', '\t', '\u0001', '\u007f', 'é', '李', '🦄'),
  },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(text => text !== '\0'),
)
const text = fc.array(character, { maxLength: 20 }).map(parts => parts.join(''))
const json = fc.oneof(
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true }), fc.constant(null)), { maxKeys: 3 }),
  fc.array(fc.oneof(fc.boolean(), fc.integer(), fc.array(text, { maxLength: 2 })), { maxLength: 3 }),
  // numbers whose texts differ between PostgreSQL and JavaScript
  fc.array(fc.constantFrom(-0, 0.5, -0.05, 1e-7, 1e21, 123456789012345680, 1.25, -10), { maxLength: 5 }),
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
  number: fc.oneof(
    decimal,
    fc.constantFrom('NaN', 'Infinity', '0.10', '0.00', '-10.00', '100', '0.0000010', '1e30', '0.0000001'),
  ),
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
  written: fc.constantFrom(
    ...['0', '-0', '0.0', '0.50', '1.10', '10', '-1.5', '0.05', '1E2', '1.0e-1', '1234567890.1234567'],
    ...[
      '[true, false,null]',
      '{"1": 2, "a": {"0": [ ]}}',
      '{"b": -7,"a": 0.25 }',
      '"\\u0041\\/"',
      '{"": ""}',
    ],
  ),
})

onBothEngines('rows as JSON text', account => {
  it('are the text of the rows as objects', async () => {
    const db = (await account()).service.services.engine.as(SYSTEM)
    const nullable = fc.record({ of: row, nulls: fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(nullable, { maxLength: 4 }), async generated => {
        const rows = generated.map(({ of, nulls }) => {
          const entries = Object.entries({ ...of, large: String(of.large), json: JSON.stringify(of.json) })
          return Object.fromEntries(entries.map(([name, value], i) => [name, nulls[i] ? null : value]))
        })
        const statement =
          sql`select r.text as "?sometimes", r.*, r.text as "?last", r.json::json as plain_json,
            jsonb_build_array(r.json) as list, json_build_array(json_build_object('id', r.id, 'name', r.text)) as items,
            r.written::jsonb as numbers, r.written::json as plain_numbers, array[r.texts, r.texts] as nested,
            array[r.text, null, 'NULL'] as nulls, '[2:3]={a,b}'::text[] as bounds, r.id as "#beside"
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as r(text text, number numeric, integer int, large int8, double float8, flag boolean, time timestamptz(3),
              micros timestamptz, day date, id uuid, texts text[], json jsonb,
              written text)`.compile(db)
        const objects = (await db.executeQuery(statement)).rows
        const asText = await jsonRows({ db }, statement)
        expect(`[${asText.text}]`).toBe(JSON.stringify(objects))
        expect(asText).toHaveLength(objects.length)
        expect(objects.map((_, i) => property(asText.at(i), BESIDE))).toEqual(
          objects.map(one => property(one, BESIDE)),
        )
        for (const text of ['', 'é', 'a longer text than is free before the records: '])
          expect(`${asText.enclosed(`${text}[`, `]${text}`)}`).toBe(
            `${text}${JSON.stringify(objects)}${text}`,
          )
        expect(`${asText.slice(1, 3).enclosed('[', '] and more')}`).toBe(
          `${JSON.stringify(objects.slice(1, 3))} and more`,
        )
      }),
      { numRuns: 60 },
    )
  })
})
