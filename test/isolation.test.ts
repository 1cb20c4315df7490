/** Nobody reaches into another account: not by a statement, not by a request. Walks every table and every endpoint. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Engine, type Scope, SYSTEM } from '../src/db/engine.ts'
import type { Endpoint } from '../src/kernel/resource.ts'
import { allEndpoints } from '../src/service.ts'
import { bodiesFor, queriesFor } from './support/any-body.ts'
import { allTables, fillTables, type Row, type Table } from './support/any-row.ts'
import { type Account, type Answer, onBothEngines } from './support/service.ts'

const REFUSED = '42501'

onBothEngines('every table', account => {
  it('with an account is locked twice, and keyed and tied by the account', async () => {
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

  it('without an account is closed to requests, but for what they need', async () => {
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
        and has_column_privilege('kith_app', attrelid, attnum, 'select') order by attnum`,
    )
    expect(secrets.map(({ attname }) => attname)).toEqual([
      'id',
      'created_at',
      'updated_at',
      'email',
      'name',
      'email_confirmed_at',
    ])
  })

  it('is not opened by a function with its owner’s rights that anybody could bend', async () => {
    const { service } = await account()
    const loose = await rows(
      service.services.engine,
      sql`
      select proname from pg_proc where pronamespace = 'kith'::regnamespace and prosecdef
        and not coalesce(array_to_string(proconfig, ',') like '%search_path=%', false)`,
    )
    expect(loose).toEqual([])
  })

  it('shows an account its own rows alone, whatever the statement', { timeout: 120_000 }, async () => {
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

onBothEngines('every endpoint', account => {
  it('answers another account’s ids like none at all, and leaves their records alone', {
    timeout: 240_000,
  }, async () => {
    const [mine, theirs] = [await account(), await account()]
    const { engine } = mine.service.services
    const tables = await allTables(engine)
    const mark = 'Strictly-theirs'
    const own = await fillTables(engine, tables, mine.accountId, mine.userId, 'Mine')
    const foreign = await fillTables(engine, tables, theirs.accountId, theirs.userId, mark)
    // One that can be rotated and revoked: the first is what this test calls with.
    own.set('api_keys', await mine.create('/api/api-keys', { name: 'Another' }))
    const before = await dump(engine, tables, theirs.accountId)

    const problems: string[] = []
    for (const endpoint of allEndpoints().filter(
      ({ permission, multipart }) => permission !== 'public' && !multipart,
    )) {
      const attempts = attemptsOn(endpoint, own, foreign)
      let refused = 0
      for (const attempt of attempts) {
        const answer = await mine.call(endpoint.method, attempt.path, attempt.body)
        if (answer.status === 404 || answer.status === 403) refused++
        const problem = problemWith(answer, attempt, mark)
        if (problem) problems.push(`${endpoint.method} ${endpoint.path} (${attempt.what}): ${problem}`)
      }
      // Otherwise something else stood in the way, and nothing has been tried.
      if (attempts.some(({ foreignPath }) => foreignPath) && refused === 0) {
        problems.push(`${endpoint.method} ${endpoint.path}: was never asked for a record of theirs`)
      }
    }
    expect(problems).toEqual([])
    expect(await dump(engine, tables, theirs.accountId)).toEqual(before)
    expect(await pointers(engine, tables, mine, foreign)).toEqual([])
  })
})

interface Attempt {
  what: string
  path: string
  body?: unknown
  /** the path itself names another's record, so nothing may be found */
  foreignPath: boolean
}

/** Paths, queries and bodies with another account's ids in every place that takes one. */
function attemptsOn(endpoint: Endpoint, own: Map<string, Row>, foreign: Map<string, Row>): Attempt[] {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  const idOf = (from: Map<string, Row>) => (name: string) => String(recordFor(from, endpoint.path, name).id)
  // Ours as far as `theirsFrom`, theirs from there on.
  const filled = (theirsFrom: number) =>
    names.reduce((path, name, i) => {
      const choices = endpoint.params?.fields[name]?.json.enum as string[] | undefined
      return path.replace(`{${name}}`, choices?.[0] ?? idOf(i >= theirsFrom ? foreign : own)(name))
    }, endpoint.path)
  const bodies = (from: Map<string, Row>) =>
    endpoint.body ? bodiesFor(endpoint.body.json, idOf(own), idOf(from)) : [undefined]
  const queries = queriesFor(endpoint.query?.fields ?? {}, idOf(foreign))
  const [plainQuery, ...theirQueries] = queries

  const attempts: Attempt[] = []
  for (const [i, name] of names.entries()) {
    if (endpoint.params?.fields[name]?.json.enum) continue
    for (const body of bodies(own)) {
      attempts.push({ what: `their ${name}`, path: filled(i) + plainQuery!.text, body, foreignPath: true })
    }
  }
  const path = filled(names.length)
  if (endpoint.body) {
    for (const body of bodies(foreign)) {
      attempts.push({
        what: 'their ids in the body',
        path: path + plainQuery!.text,
        body,
        foreignPath: false,
      })
    }
  }
  for (const { field, text } of theirQueries) {
    attempts.push({ what: `their ${field}`, path: path + text, body: bodies(own)[0], foreignPath: false })
  }
  return attempts
}

/** Words that say what a record is to another, not what it is. */
const ALIASES: Record<string, string> = {
  person: 'contact',
  team: 'contact',
  owner: 'user',
  assignee: 'user',
  entity: 'company',
  key: 'api_key',
}

/** The record for a parameter or field: `company_id` and `associated_company_ids` mean a company. */
function recordFor(from: Map<string, Row>, path: string, name: string): Row {
  const group = path.split('/').filter(part => part !== '' && part !== 'api' && !part.startsWith('{'))
  const words = name.replace(/_?ids?$/, '').split('_')
  const wanted = words
    .flatMap((_, i) => words.slice(i).join('_'))
    .flatMap(word => [word, ALIASES[word] ?? word])
  // What has no word of its own (`primary_id`, `ids`) is of the group's kind.
  const kinds = [...wanted.map(plural), ...group.map(part => part.replaceAll('-', '_')).reverse()]
  const tables = [...from].filter(([, row]) => typeof row.id === 'string').map(([table]) => table)
  for (const kind of kinds) {
    if (from.get(kind)?.id) return from.get(kind)!
    const longer = tables.filter(table => table.endsWith(`_${kind}`))
    const found = longer.find(table => group.some(part => plural(table.split('_')[0]!) === part)) ?? longer[0]
    if (found) return from.get(found)!
  }
  return from.get('companies')!
}

const plural = (word: string) => (word.endsWith('y') ? word.replace(/y$/, 'ies') : `${word}s`)

function problemWith(answer: Answer, attempt: Attempt, mark: string): string | undefined {
  if (answer.text.includes(mark)) return `tells of it: ${answer.text.slice(0, 300)}`
  if (answer.status >= 500 || answer.status === 401 || answer.status === 429)
    return `answers ${answer.status}`
  if (attempt.foreignPath && answer.status < 400)
    return `answers ${answer.status} ${answer.text.slice(0, 200)}`
  return undefined
}

/** Rows of ours that hold an id of theirs, where there is no foreign key to forbid it. */
async function pointers(
  engine: Engine,
  tables: readonly Table[],
  mine: Account,
  foreign: Map<string, Row>,
): Promise<string[]> {
  const ids = [...foreign.values()].flatMap(row => (typeof row.id === 'string' ? [row.id] : []))
  const found: string[] = []
  // These keep the question as it was asked; what it finds is the account's own.
  const questions = ['exports', 'jobs']
  for (const { name } of tables.filter(({ name, owned }) => owned && !questions.includes(name))) {
    const holding = await rows<{ text: string }>(
      engine,
      sql`select t::text as text from ${sql.table(name)} t
      where account_id = ${mine.accountId} and exists (select from unnest(${ids}::text[]) id where strpos(t::text, id) > 0)`,
    )
    found.push(...holding.map(({ text }) => `${name}: ${text.slice(0, 300)}`))
  }
  return found
}
