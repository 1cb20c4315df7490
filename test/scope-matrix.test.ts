/**
 * Every operation of the OpenAPI document with a key that has the scopes of this operation and no others: its response
 * shows no record of another group, and no record of another group is changed.
 */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { SYSTEM } from '../src/db/engine.ts'
import { scopesOf } from '../src/kernel/permission.ts'
import { hasScope } from '../src/kernel/scopes.ts'
import { allEndpoints } from '../src/service.ts'
import { allTables, fillTables, type Row } from './support/any-row.ts'
import { callOf, placesOf, type Records } from './support/id-places.ts'
import { type Operation, operations } from './support/openapi.ts'
import { rawClient } from './support/raw-client.ts'
import { type Account, anotherMember, onAnyEngine } from './support/service.ts'

const MARK = 'Canary'

const scopes = new Map(
  allEndpoints().map(endpoint => [`${endpoint.method} ${endpoint.path}`, scopesOf(endpoint)]),
)

onAnyEngine('scope matrix', newAccount => {
  it('keeps every operation within its scopes', { timeout: 1_200_000 }, async () => {
    const problems: string[] = []
    let cases = 0
    const scoped = operations.filter(({ permission }) => permission.includes(':'))
    // Reads first. What a write deletes is missing for the operations after it, so each group of writes gets new records.
    const groups = Map.groupBy(scoped, ({ permission }) =>
      permission.endsWith(':read') ? 'reads' : permission,
    )
    for (const group of groups.values()) {
      const world = await newWorld(await newAccount())
      for (const operation of inOrder(group)) {
        const outcome = await tryOperation(world, operation)
        cases += outcome.cases
        problems.push(...outcome.problems.map(problem => `${operation.method} ${operation.path}: ${problem}`))
      }
      world.client.close()
    }
    console.log(`scope matrix: ${cases} cases on ${scoped.length} operations`)
    expect([...new Set(problems)]).toEqual([])
  })
})

async function newWorld(owner: Account) {
  const { engine, tableGroups } = owner.service.services
  const tables = await allTables(engine)
  const own: Records = await fillTables(engine, tables, owner.accountId, owner.userId, MARK)
  await sql`update imports set entity_type = 'contact' where account_id = ${owner.accountId}`.execute(
    engine.as(SYSTEM),
  )
  const groupOf = new Map(
    [...tableGroups].flatMap(([table, groups]) =>
      groups[0] && groups.length === 1 ? [[table, groups[0]]] : [],
    ),
  )
  const keys = new Map<string, Promise<Account>>()
  const keyWith = (wanted: readonly string[]) => {
    const name = wanted.join(' ')
    const key = keys.get(name) ?? anotherMember(owner, { role: 'admin', scopes: [...wanted] })
    keys.set(name, key)
    return key
  }
  return { owner, engine, own, groupOf, keyWith, client: rawClient(owner.url) }
}

type World = Awaited<ReturnType<typeof newWorld>>

/** What deletes records comes last, and what copies one record into another. */
const inOrder = (all: readonly Operation[]): Operation[] => {
  const isLast = ({ method, path }: Operation) => method === 'DELETE' || /delete|erase|merge|apply/.test(path)
  return all.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
}

/** These change records of other groups, as their descriptions say. */
const CHANGES_OTHERS = new Set([
  // removes the person from the records of every kind, for which it needs the role of an admin
  'POST /api/contacts/{contact_id}/erase',
  // a link may be changed from either end; the contact has it as `company_id`
  'DELETE /api/companies/{company_id}/team/{person_id}',
])

async function tryOperation(world: World, operation: Operation) {
  const { own, groupOf, keyWith, client } = world
  const operationName = `${operation.method} ${operation.path}`
  const granted = scopes.get(operationName) ?? [operation.permission]
  const { key } = await keyWith(granted)
  const isRead = operation.permission.endsWith(':read')
  const calls = callsOf(operation, own)
  const problems: string[] = []
  let before = isRead ? {} : await fingerprints(world)
  for (const { name, call } of calls) {
    const { status, text } = await client.send({ ...call, headers: { ...call.headers, 'x-api-key': key } })
    if (status >= 500) problems.push(`(${name}) answers ${status} ${text.slice(0, 200)}`)
    const shown = withoutReferences(text)
    for (const [table, group] of groupOf)
      if (!hasScope(granted, `${group}:read`) && shown.includes(`${MARK} of ${table} `))
        problems.push(`(${name}) ${status} shows ${table}: ${around(shown, `${MARK} of ${table} `)}`)
    if (isRead || CHANGES_OTHERS.has(operationName)) continue
    const after = await fingerprints(world)
    for (const [table, group] of groupOf)
      if (!hasScope(granted, `${group}:write`) && before[table] !== after[table])
        problems.push(`(${name}) ${status} changes ${table}`)
    before = after
  }
  return { cases: calls.length, problems }
}

/** A request for each place that takes an id, with ids of the account's own records; without such places, one request. */
function callsOf(operation: Operation, own: Records) {
  const places = placesOf(operation, own).filter(
    ({ in: where }) =>
      // the bodies of PATCH are those of PUT
      where === 'path' || where === 'query' || (where === 'body' && operation.method !== 'PATCH'),
  )
  if (places.length === 0) return [{ name: 'no id', call: callOf(operation, own) }]
  return places.map(({ name, call }) => ({ name, call: call(own) }))
}

/** The contract lists linked records with their id and name (`team_ids`, `associated_deal_ids`, …), a vCard as its `ORG`. */
const withoutReferences = (text: string): string =>
  text.replace(/\r\nORG:.*/g, '').replace(/"\w+_ids":\[\{"id":[^\]]*\]/g, '')

const around = (text: string, what: string): string => {
  const at = text.indexOf(what)
  return text.slice(Math.max(0, at - 80), at + what.length)
}

/** A fingerprint of the records of each table, without the columns that are derived from other records. */
async function fingerprints({ engine, owner, groupOf }: World): Promise<Record<string, unknown>> {
  const parts = [...groupOf.keys()].map(
    table => sql`select ${table} as name, md5(string_agg(t.row::text, '|' order by t.row::text)) as print
      from (select to_jsonb(r) - coalesce(derived_columns(${table}), '{}') as row from ${sql.table(table)} r
        where account_id = ${owner.accountId}) t`,
  )
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(engine.as(SYSTEM))
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
}
