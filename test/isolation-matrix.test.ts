/**
 * Every operation of the OpenAPI document × every place that takes an id × an id of another account, of a deleted
 * record and of nothing × every kind of credential. A request with another account's id must be answered exactly like
 * one with an id of nothing. `npm test` runs each combination with one credential and each operation with every
 * credential; `npm run test:matrix` runs all combinations.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Engine, SYSTEM } from '../src/db/engine.ts'
import { newId } from '../src/kernel/ids.ts'
import { allTables, fillTables, type Row, type Table } from './support/any-row.ts'
import { type Credential, everyCredential, permits } from './support/credentials.ts'
import { type Call, type Place, placesOf, type Records } from './support/id-places.ts'
import { type Operation, operations } from './support/openapi.ts'
import { type RawAnswer, type RawClient, rawClient } from './support/raw-client.ts'
import { type Account, onAnyEngine } from './support/service.ts'

const FULL = process.env.KITH_TEST_FULL === 'true'
const MARK = 'Strictly-theirs'
const VARIANTS = ['foreign', 'random', 'deleted'] as const
type Variant = (typeof VARIANTS)[number]

onAnyEngine('isolation matrix', account => {
  it('treats ids of another account like unknown ids, for every kind of credential', {
    timeout: 1_200_000,
  }, async () => {
    const world = await newWorld(await account(), await account())
    const before = await fingerprints(world, world.theirs)
    const begun = performance.now()
    const problems: string[] = []
    let cases = 0
    for (const operation of inOrder(operations)) {
      const outcome = await tryOperation(world, operation)
      cases += outcome.cases
      problems.push(...outcome.problems.map(problem => `${operation.method} ${operation.path} ${problem}`))
      if (outcome.cases === 0) problems.push(`${operation.method} ${operation.path} has no case`)
    }
    world.client.close()
    console.log(
      `isolation matrix: ${cases} cases in ${Math.round(performance.now() - begun)} ms on ${operations.length} operations`,
    )
    expect(problems).toEqual([])
    expect(await fingerprints(world, world.theirs)).toEqual(before)
    expect(await pointers(world)).toEqual([])
    expect(cases).toBeGreaterThan(5000)
  })
})

interface World {
  mine: Account
  theirs: Account
  engine: Engine
  tables: Table[]
  own: Records
  variants: Record<Variant, Records>
  credentials: Credential[]
  client: RawClient
}

async function newWorld(mine: Account, theirs: Account): Promise<World> {
  const { engine } = mine.service.services
  const tables = await allTables(engine)
  const own = await fillTables(engine, tables, mine.accountId, mine.userId, 'Mine')
  const foreign = await fillTables(engine, tables, theirs.accountId, theirs.userId, MARK)
  // One that can be rotated and revoked: the first is what this test calls with.
  own.set('api_keys', await mine.create('/api/api-keys', { name: 'Another' }))
  const deleted = await deletedRows(engine, tables, own)
  for (const [owner, rows] of [
    [theirs, foreign],
    [mine, own],
    [mine, deleted],
  ] as const) {
    const chat = await owner.create('/api/chats', { title: owner === theirs ? MARK : 'Mine' })
    rows.set('chat_shares', await owner.create(`/api/chats/${chat.id}/share`, {}))
    rows.set('accounts', { id: owner.accountId, slug: owner.accountId })
  }
  await mine.delete(`/api/chats/shares/${deleted.get('chat_shares')?.token}`)
  deleted.set('accounts', nothing())
  const random = new Map([...own.keys()].map(table => [table, nothing()]))
  const credentials = await everyCredential(mine, theirs)
  return {
    mine,
    theirs,
    engine,
    tables,
    own,
    variants: { foreign, random, deleted },
    credentials,
    client: rawClient(mine.url),
  }
}

const nothing = (): Row => ({ id: newId(), slug: newId(), token: newId() })

/** They have the column for the shared list code only. */
const NEVER_IN_TRASH = new Set(['api_keys', 'jobs', 'webhooks', 'webhook_deliveries'])

/** For each table a row of ours in its trash; where rows are not kept, an id of nothing. */
async function deletedRows(engine: Engine, tables: Table[], own: Records): Promise<Map<string, Row>> {
  const deleted = new Map<string, Row>()
  for (const { name, columns } of tables) {
    const row = own.get(name)
    const isKept =
      row?.id && columns.some(column => column.name === 'deleted_at') && !NEVER_IN_TRASH.has(name)
    if (!isKept) {
      deleted.set(name, nothing())
      continue
    }
    const id = newId()
    const names = sql.join(columns.map(column => sql.ref(column.name)))
    const changed = JSON.stringify({ id, deleted_at: '2026-01-31T00:00:00Z', ...unique(columns) })
    await sql`insert into ${sql.table(name)} (${names}) select ${names} from jsonb_populate_record(null::${sql.table(name)},
      (select to_jsonb(t) from ${sql.table(name)} t where account_id = ${row.account_id} and id = ${row.id})
        || ${changed}::jsonb)`.execute(engine.as(SYSTEM))
    deleted.set(name, { id, slug: newId(), token: newId() })
  }
  return deleted
}

/** Values of columns that are unique among deleted rows too. */
const unique = (columns: Table['columns']): Row =>
  Object.fromEntries(
    columns.flatMap(({ name, type }) =>
      type === 'bytea' && name.endsWith('_hash') ? [[name, `\\x${newId().replaceAll('-', '')}`]] : [],
    ),
  )

/** What ends a credential or takes records out of the trash comes last. */
function inOrder(all: readonly Operation[]): Operation[] {
  const rank = ({ path }: Operation) =>
    ['/restore', '/undo', '/auth/', '/logout'].findLastIndex(part => path.includes(part))
  return [...all].sort((a, b) => rank(a) - rank(b))
}

async function tryOperation(
  world: World,
  operation: Operation,
): Promise<{ cases: number; problems: string[] }> {
  const problems: string[] = []
  let cases = 0
  let reached = operation.permission === 'public'
  for (const [i, place] of placesOf(operation, world.own).entries()) {
    for (const credential of chosen(world.credentials, operation, place, i)) {
      const answers = new Map<Variant, RawAnswer>()
      for (const variant of variantsFor(operation, place, credential === world.credentials[0])) {
        const ids = world.variants[variant]
        const answer = await world.client.send(as(credential, place.call(ids)))
        cases++
        if (answer.status === 404 || answer.status === 403) reached = true
        const problem = problemWith(answer, operation, place, variant, credential)
        if (problem) problems.push(`(${variant} ${place.name}, ${credential.name}): ${problem}`)
        answers.set(variant, { ...answer, text: neutral(answer.text, ids) })
      }
      const [theirs, none] = [answers.get('foreign'), answers.get('random')]
      if (theirs && none && (theirs.status !== none.status || theirs.text !== none.text))
        problems.push(
          `(${place.name}, ${credential.name}): tells ${theirs.status} ${theirs.text} from ${none.status} ${none.text}`,
        )
    }
  }
  // Otherwise something else was refused, and nothing has been tried.
  if (operation.path.includes('{') && !reached) problems.push('never looked for a record')
  return { cases, problems }
}

/** The request with the credential; what the place puts into a header wins. */
const as = (credential: Credential, call: Call): Call => ({
  ...call,
  headers: { ...credential.headers, ...call.headers },
})

/** What is tried with a credential: another account's id and an id of nothing are compared with each other. */
function variantsFor(operation: Operation, place: Place, isOwner: boolean): readonly Variant[] {
  if (place.in === 'nowhere') return ['random']
  // The token of a share is what lets strangers read it, so that of another account may be used.
  if (operation.permission === 'public') return ['random', 'deleted']
  return FULL || isOwner ? VARIANTS : ['foreign']
}

/** In full all of them; else the owner's key, and by turns some of the others, most at the first place. */
function chosen(all: Credential[], operation: Operation, place: Place, index: number): Credential[] {
  const [owner, ...others] = all.filter(({ isTheirs }) => place.in !== 'header' || !isTheirs)
  if (!owner) return []
  if (FULL) return [owner, ...others]
  const turn = createHash('sha1')
    .update(`${operation.method} ${operation.path} ${place.name}`)
    .digest()
    .readUInt16BE()
  const some = (standing: Credential['standing'], count: number) => {
    const candidates = others.filter(other => other.standing === standing)
    return candidates.filter((_, i) => (i + turn) % candidates.length < count)
  }
  if (index > 0 || place.in === 'nowhere') return [owner, ...some('valid', 1)]
  return [owner, ...some('valid', 9), ...some('stranger', 2), ...some('invalid', 3)]
}

function problemWith(
  answer: RawAnswer,
  operation: Operation,
  place: Place,
  variant: Variant,
  credential: Credential,
): string | undefined {
  const { status, text } = answer
  const said = `answers ${status} ${text.slice(0, 300)}`
  if (text.includes(MARK)) return `tells of it: ${text.slice(0, 300)}`
  if (status >= 500) return said
  if (operation.permission === 'public') return undefined
  if (status === 429) return said
  if (credential.standing === 'invalid')
    return status === 401 && answer.headers['x-request-id'] ? undefined : said
  if (status === 401) return said
  const isPersonal = operation.permission === 'signed-in'
  const isRefused = status === 403 || status === 404
  if (credential.standing === 'stranger' || place.in === 'header') {
    // What is about the person who calls works in any account.
    if (!isRefused && !isPersonal) return said
    return undefined
  }
  if (!permits(credential, operation)) return isRefused ? undefined : said
  if (place.in !== 'path' || (variant === 'deleted' && mayBeDeleted(operation))) return undefined
  return isRefused ? undefined : said
}

/** Operations that are about what is in the trash, too. */
const mayBeDeleted = ({ path }: Operation): boolean => /\/(restore|erase)$/.test(path)

/** The text without the ids that were sent, and without what differs from one request to the next. */
function neutral(text: string, ids: Records): string {
  let result = text
  for (const { id, slug, token } of ids.values())
    for (const value of [id, slug, token])
      if (typeof value === 'string' && value !== '') result = result.replaceAll(value, 'ID')
  return result
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'NEW')
    .replace(/some-text(-[0-9a-f]{12})?/g, 'SLUG')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'TIME')
}

/** A fingerprint of all that an account has, table by table. */
async function fingerprints({ engine, tables }: World, { accountId }: Account): Promise<Row> {
  const prints: Row = {}
  for (const { name } of tables.filter(({ owned }) => owned)) {
    const { rows } =
      await sql<Row>`select count(*) as rows, md5(string_agg(t::text, '|' order by t::text)) as content
      from ${sql.table(name)} t where account_id = ${accountId}`.execute(engine.as(SYSTEM))
    prints[name] = rows[0]
  }
  return prints
}

/** Rows of ours that hold an id of theirs, where there is no foreign key to forbid it. */
async function pointers({ engine, tables, mine, variants }: World): Promise<string[]> {
  const ids = [...variants.foreign.values()].flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const found: string[] = []
  // These keep the question as it was asked; what it finds is the account's own.
  const questions = ['exports', 'jobs']
  for (const { name } of tables.filter(table => table.owned && !questions.includes(table.name))) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t
      where account_id = ${mine.accountId}
        and exists (select from unnest(${ids}::text[]) id where strpos(t::text, id) > 0)`.execute(
      engine.as(SYSTEM),
    )
    found.push(...rows.map(({ text }) => `${name}: ${text.slice(0, 300)}`))
  }
  return found
}
