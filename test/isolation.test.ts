/** No statement reaches into another account. Walks every table; isolation-matrix.test.ts walks every operation. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Engine, type Scope, SYSTEM } from '../src/db/engine.ts'
import { allTables, fillTables, type Row, type Table } from './support/any-row.ts'
import { onBothEngines } from './support/service.ts'

const REFUSED = '42501'

onBothEngines('every table', account => {
  it('with an account has row-level security, and keys that begin with the account', async () => {
    const { service } = await account()
    const { engine } = service.services
    const problems = await rows<{ name: string; problem: string }>(
      engine,
      sql`
      with owned as (
        select c.oid, c.relname, c.relrowsecurity and c.relforcerowsecurity as locked, a.attnum
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
        where c.relnamespace = 'kith'::regnamespace and c.relkind in ('r', 'p')
      )
      select relname as name, 'row-level security is not forced' as problem from owned where not locked
      union all
      select o.relname, 'lacks the policy ' || wanted from owned o cross join unnest(array['account', 'service']) wanted
        where not exists (select from pg_policy p where p.polrelid = o.oid and p.polname = wanted
          and p.polqual is not null and p.polwithcheck is not null and p.polcmd = '*')
      union all
      select o.relname, 'has the policy ' || p.polname from owned o join pg_policy p on p.polrelid = o.oid
        where p.polname not in ('account', 'service')
      union all
      select o.relname, 'account_id is not in its key' from owned o where not exists (
        select from pg_constraint k where k.conrelid = o.oid and k.contype in ('p', 'u') and o.attnum = any(k.conkey))
      union all
      select o.relname, 'account_id may be null' from owned o join pg_attribute a on a.attrelid = o.oid
        and a.attnum = o.attnum where not a.attnotnull
      union all
      select o.relname, 'a foreign key leaves the account out: ' || pg_get_constraintdef(k.oid)
        from owned o join pg_constraint k on k.conrelid = o.oid and k.contype = 'f'
        join owned t on t.oid = k.confrelid
        where not exists (select from generate_subscripts(k.conkey, 1) i
          where k.conkey[i] = o.attnum and k.confkey[i] = t.attnum)`,
    )
    expect(problems).toEqual([])
  })

  it('without an account is accessible to requests only where needed', async () => {
    const { service } = await account()
    const open = await rows<{ name: string }>(
      service.services.engine,
      sql`
      select c.relname as name from pg_class c
      where c.relnamespace = 'kith'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')
        and (has_table_privilege('kith_app', c.oid, 'select, insert, update, delete')
          or has_any_column_privilege('kith_app', c.oid, 'select, insert, update'))
      order by 1`,
    )
    expect(open.map(({ name }) => name)).toEqual(['accounts', 'users'])
    const secrets = await rows<{ attname: string }>(
      service.services.engine,
      sql`
      select attname from pg_attribute where attrelid = 'users'::regclass and attnum > 0
        and has_column_privilege('kith_app', attrelid, attnum, 'select') order by attname`,
    )
    expect(secrets.map(({ attname }) => attname)).toEqual([
      'created_at',
      'email',
      'email_confirmed_at',
      'id',
      'name',
      'updated_at',
    ])
  })

  it('is not exposed by a security definer function without a fixed search_path', async () => {
    const { service } = await account()
    const loose = await rows(
      service.services.engine,
      sql`
      select proname from pg_proc where pronamespace = 'kith'::regnamespace and prosecdef
        and not coalesce(array_to_string(proconfig, ',') like '%search_path=%', false)`,
    )
    expect(loose).toEqual([])
  })

  it('shows an account only its own rows, whatever the statement', async () => {
    const [mine, theirs] = [await account(), await account()]
    const { engine } = mine.service.services
    const tables = await allTables(engine)
    const own = await fillTables(engine, tables, mine.accountId, mine.userId, 'Mine')
    const foreign = await fillTables(engine, tables, theirs.accountId, theirs.userId, 'Theirs')
    const before = await dump(engine, tables, theirs.accountId)
    const problems: string[] = []
    for (const table of tables.filter(({ owned }) => owned)) {
      const tried = await statements(
        engine,
        table,
        mine.accountId,
        own.get(table.name)!,
        foreign.get(table.name)!,
      )
      problems.push(...tried.map(problem => `${table.name}: ${problem}`))
    }
    expect(problems).toEqual([])
    expect(await dump(engine, tables, theirs.accountId)).toEqual(before)
    expect(tables.filter(({ owned }) => owned).length).toBeGreaterThan(20)
  })
})

const scopeOf = (accountId: string): Scope => ({ ...SYSTEM, accountId })

async function rows<R = Row>(
  engine: Engine,
  statement: ReturnType<typeof sql<R>>,
  scope = SYSTEM,
): Promise<R[]> {
  return (await statement.execute(engine.as(scope))).rows
}

/** What goes wrong when an account reads and writes another's rows of a table by plain SQL. */
async function statements(
  engine: Engine,
  table: Table,
  mine: string,
  own: Row,
  foreign: Row,
): Promise<string[]> {
  const name = sql.table(table.name)
  const theirs = foreign.account_id
  const problems: string[] = []
  const seen = await rows<{ account_id: string }>(
    engine,
    sql`select distinct account_id from ${name}`,
    scopeOf(mine),
  )
  if (seen.length !== 1 || seen[0]!.account_id !== mine) problems.push(`shows ${JSON.stringify(seen)}`)
  const unscoped = await rows(engine, sql`select from ${name}`, scopeOf(''))
  if (unscoped.length > 0) problems.push('shows rows to nobody')

  const columns = table.columns.map(column => column.name)
  const [copy] = await rows<{ text: string }>(
    engine,
    sql`select to_jsonb(t)::text as text from ${name} t where account_id = ${theirs} limit 1`,
  )
  const attempts: Record<string, ReturnType<typeof sql>> = {
    'insert into another account': sql`insert into ${name} (${sql.join(columns.map(c => sql.ref(c)))})
      select ${sql.join(columns.map(c => sql.ref(`r.${c}`)))}
      from jsonb_populate_record(null::${name}, ${copy?.text ?? '{}'}::jsonb) r returning 1`,
    'moving a row to another account': sql`update ${name} set account_id = ${theirs} where account_id = ${mine} returning 1`,
    'updating another’s row': sql`update ${name} set account_id = ${mine} where account_id = ${theirs} returning 1`,
    'deleting another’s row': sql`delete from ${name} where account_id = ${theirs} returning 1`,
  }
  for (const [attempt, statement] of Object.entries(attempts)) {
    const outcome = await rows(engine, statement, scopeOf(mine)).catch(
      (error: { code: string }) => error.code,
    )
    const refused = outcome === REFUSED || (Array.isArray(outcome) && outcome.length === 0)
    if (!refused) problems.push(`${attempt} gave ${JSON.stringify(outcome)}`)
  }
  if (own.account_id !== mine) problems.push('has no row of ours to try with')
  return problems
}

/** A fingerprint of all that an account has, table by table. */
async function dump(engine: Engine, tables: readonly Table[], accountId: string): Promise<Row> {
  const prints: Row = {}
  for (const { name } of tables.filter(({ owned }) => owned)) {
    const [print] = await rows(
      engine,
      sql`select count(*) as rows, md5(string_agg(t::text, '|' order by t::text)) as content
      from ${sql.table(name)} t where account_id = ${accountId}`,
    )
    prints[name] = print
  }
  return prints
}
