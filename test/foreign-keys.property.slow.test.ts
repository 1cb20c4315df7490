/** Random statements on tables with real foreign keys and on the same tables with those of triggers end alike. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Db, type Engine, openEngine, SYSTEM } from '../src/db/engine.ts'
import { imagePath } from '../src/db/image-path.ts'
import { migrate } from '../src/db/migrate.ts'
import { SLOW, tempFolder } from './support/process.ts'
import { type EngineKind, engines, freshDatabase } from './support/service.ts'

async function newEngine(kind: EngineKind): Promise<Engine> {
  const engine = await openEngine({
    databaseUrl: kind === 'server' ? await freshDatabase() : undefined,
    dataDir: tempFolder(),
    imagePath,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    fsync: false,
    log: () => {},
  })
  onTestFinished(() => engine.close())
  await migrate(engine)
  return engine
}

/** A parent, a child for each action on delete, and a grandchild. */
const tables = (prefix: string) => `
  create table ${prefix}_parent (a int, id int, primary key (a, id));
  create table ${prefix}_cascade (a int, id int, ref int, primary key (a, id));
  create table ${prefix}_null (a int, id int, ref int, primary key (a, id));
  create table ${prefix}_refuse (a int, id int, ref int, primary key (a, id));
  create table ${prefix}_grandchild (a int, id int, ref int, primary key (a, id));`

const REAL = `${tables('real')}
  alter table real_cascade add foreign key (a, ref) references real_parent on delete cascade;
  alter table real_null add foreign key (a, ref) references real_parent on delete set null (ref);
  alter table real_refuse add foreign key (a, ref) references real_parent;
  alter table real_grandchild add foreign key (a, ref) references real_cascade on delete cascade;`

const OURS = `${tables('ours')}
  call enforce_foreign_key('ours_cascade', '{a,ref}', 'ours_parent', '{a,id}', 'cascade');
  call enforce_foreign_key('ours_null', '{a,ref}', 'ours_parent', '{a,id}', 'set null', '{ref}');
  call enforce_foreign_key('ours_refuse', '{a,ref}', 'ours_parent', '{a,id}', 'no action');
  call enforce_foreign_key('ours_grandchild', '{a,ref}', 'ours_cascade', '{a,id}', 'cascade');`

const CHILDREN = ['cascade', 'null', 'refuse', 'grandchild']
const NAMES = ['parent', ...CHILDREN]

/** A small space of keys, so that statements meet; `%` stands for the prefix of the tables. */
const key = fc.integer({ min: 1, max: 4 })
const account = fc.integer({ min: 1, max: 2 })
const reference = fc.option(key, { nil: null, freq: 4 })
const child = fc.constantFrom(...CHILDREN)
const row = fc.tuple(account, key, reference)
const values = (rows: readonly (readonly (number | null)[])[]) =>
  rows.map(r => `(${r.map(v => v ?? 'null')})`).join(', ')

const statement = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(account, key), { minLength: 1, maxLength: 3 })
      .map(rows => `insert into %_parent values ${values(rows)} on conflict do nothing`),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(child, fc.array(row, { minLength: 1, maxLength: 3 }))
      .map(([table, rows]) => `insert into %_${table} values ${values(rows)} on conflict do nothing`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(child, row)
      .map(
        ([table, r]) =>
          `insert into %_${table} values ${values([r])} on conflict (a, id) do update set ref = excluded.ref`,
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(child, reference, account)
      .map(([table, to, a]) => `update %_${table} set ref = ${to} where a = ${a}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(child, account, key)
      .map(([table, a, id]) => `update %_${table} set a = a + 2 where a = ${a} and id = ${id}`),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('parent', 'cascade'), account, key, key)
      .map(([table, a, id, to]) => `update %_${table} set id = ${to} where a = ${a} and id = ${id}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('parent', 'cascade'), account, key)
      .map(([table, a, id]) => `update %_${table} set a = a + 2 where a = ${a} and id = ${id}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), account, fc.array(key, { minLength: 1, maxLength: 2 }))
      .map(([table, a, ids]) => `delete from %_${table} where a = ${a} and id in (${ids})`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(account, key, child)
      .map(
        ([a, id, table]) =>
          `with gone as (delete from %_parent where a = ${a} and id = ${id}) insert into %_${table} values (${a}, 9, ${id}) on conflict do nothing`,
      ),
  },
  { weight: 1, arbitrary: fc.constantFrom('truncate %_parent', 'truncate %_cascade') },
)

/** The SQLSTATE with which a statement was refused, if it was. */
const outcome = (db: Db, text: string): Promise<string> =>
  sql
    .raw(text)
    .execute(db)
    .then(
      () => 'done',
      (error: { code: string }) => error.code,
    )

/** The rows of all tables of both kinds. */
async function contents(db: Db): Promise<Record<'real' | 'ours', string[]>> {
  const all = (prefix: string) => {
    const parts = NAMES.map(
      name => `(select string_agg(t::text, ' ' order by t.a, t.id) from ${prefix}_${name} t)`,
    )
    return `array[${parts}] as ${prefix}`
  }
  const { rows } = await sql
    .raw<Record<'real' | 'ours', string[]>>(`select ${all('real')}, ${all('ours')}`)
    .execute(db)
  return rows[0]!
}

const EMPTY = ['real', 'ours']
  .flatMap(prefix => NAMES.toReversed().map(name => `delete from ${prefix}_${name};`))
  .join('\n')

/** Rows to begin with: parents with half of the keys, and children of some. Tables that begin empty hardly ever get a child. */
const EVERY = [1, 2].flatMap(a => [1, 2].map(id => [a, id] as const))
const some = fc.subarray(EVERY.map(([a, id]) => [a, id, id] as const))
const beginning = fc.tuple(some, some, some, some).map(([cascade, toNull, refuse, grandchild]) => {
  const existing = new Set(cascade.map(String))
  const rows = {
    parent: EVERY,
    cascade,
    null: toNull,
    refuse,
    grandchild: grandchild.filter(r => existing.has(String(r))),
  }
  return Object.entries(rows)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `insert into %_${name} values ${values(list)};`)
    .join('\n')
})

describe.each(engines)('foreign keys of triggers (%s)', SLOW, kind => {
  it('accept, refuse, cascade and clear as real ones do', async () => {
    const engine = await newEngine(kind)
    const db = engine.as(SYSTEM)
    await sql.raw(REAL + OURS).execute(db)
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        beginning,
        fc.array(statement, { minLength: 5, maxLength: 25 }),
        async (first, statements) => {
          await sql.raw(EMPTY + first.replaceAll('%', 'real') + first.replaceAll('%', 'ours')).execute(db)
          for (const text of statements) {
            const real = await outcome(db, text.replaceAll('%', 'real'))
            const ours = await outcome(db, text.replaceAll('%', 'ours'))
            expect(ours, text).toBe(real)
            const rows = await contents(db)
            expect(rows.ours, text).toEqual(rows.real)
            seen.add(real)
          }
        },
      ),
      // Both engines run the same SQL, and the embedded one is slower.
      { numRuns: kind === 'server' ? 150 : 15 },
    )
    // Both ends were reached: otherwise the statements prove nothing.
    expect([...seen].sort()).toEqual(expect.arrayContaining(['0A000', '23503', 'done']))
  })
})
