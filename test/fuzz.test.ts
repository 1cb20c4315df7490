/**
 * Random requests to every operation of the OpenAPI document: none may answer 5xx, a refused one may write nothing, and
 * every answer must be what the document says. `npm test` sends 1,500 with one seed; `npm run test:fuzz` sends 20,000
 * with a new seed and also refuses answers that take more than a second, three times: the first question waits for the
 * model, and a busy machine for itself. KITH_FUZZ_SEED repeats a run.
 */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Engine, SYSTEM } from '../src/db/engine.ts'
import { answerProblem } from './support/answer-check.ts'
import { allTables, type Row, type Table } from './support/any-row.ts'
import { examples } from './support/examples.ts'
import { type Random, randomCall, randomOf } from './support/fuzz.ts'
import { type Call, recordFor } from './support/id-places.ts'
import { type Operation, operations } from './support/openapi.ts'
import { serviceWith } from './support/person.ts'
import { type RawAnswer, rawClient } from './support/raw-client.ts'
import { type Account, accountOn, anyEngine } from './support/service.ts'

const FULL = process.env.KITH_TEST_FULL === 'true'
const COUNT = Number(process.env.KITH_FUZZ_COUNT ?? (FULL ? 20_000 : 1500))
const SEED = Number(process.env.KITH_FUZZ_SEED ?? (FULL ? Date.now() % 1_000_000 : 1))
const SLOW_MS = 1000

/** They end the credential that the others need, or hash a password. */
const SELDOM =
  /\/auth\/(logout|register|login|reset-password)|\/sessions?\b|\/rotate|api-keys|members|\/accounts/

it.each(anyEngine)(
  'random requests on %s: no 5xx, no write on 4xx, documented answers',
  { timeout: 3_600_000 },
  async kind => {
    console.log(`fuzz: ${COUNT} requests, KITH_FUZZ_SEED=${SEED}`)
    const { service, url } = await serviceWith(kind, config => ({
      // What a background job writes would look like a write of a refused request.
      jobs: { ...config.jobs, inServer: false },
      limits: { ...config.limits, loginsPerMinute: 100_000 },
    }))
    const client = rawClient(url)
    try {
      const mine = await accountOn(service, url)
      const { engine } = service.services
      const tables = await allTables(engine)
      const own = await exampleRecords(mine)
      const random = randomOf(SEED)
      const writes = await writeDetector(engine, tables)
      const problems = new Map<string, string>()
      const slow: { operation: Operation; call: Call }[] = []
      const report = (operation: Operation, call: Call, problem: string) => {
        const key = `${operation.method} ${operation.path}: ${problem.replace(/[\d"'].*/s, '')}`
        if (!problems.has(key)) problems.set(key, `${problem} after ${text(call)}`)
      }
      for (let i = 0; i < COUNT; i++) {
        const operation = pickOperation(random)
        const call = randomCall(random, operation, own)
        const headers = { 'x-api-key': mine.key, ...call.headers }
        const { answer, ms } = await timed(() =>
          client.send({ ...call, headers }).catch((error: Error) => {
            throw new Error(`${error.message} after ${text(call)}`)
          }),
        )
        if (answer.status >= 500)
          report(operation, call, `answers ${answer.status} ${answer.text.slice(0, 300)}`)
        const problem = answerProblem(operation, answer)
        if (problem) report(operation, call, problem)
        if (FULL && ms > SLOW_MS) slow.push({ operation, call })
        const written = await writes(answer)
        if (written) report(operation, call, `answers ${answer.status} and writes ${written}`)
        if (answer.status === 201) learn(own, operation, answer)
      }
      for (const { operation, call } of slow) {
        const again = () =>
          timed(() => client.send({ ...call, headers: { 'x-api-key': mine.key, ...call.headers } }))
        const ms = Math.min((await again()).ms, (await again()).ms)
        if (ms > SLOW_MS) report(operation, call, `takes ${Math.round(ms)} ms`)
      }
      expect(Object.fromEntries(problems)).toEqual({})
    } finally {
      client.close()
      await service.close()
    }
  },
)

async function timed<T>(send: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const begun = performance.now()
  const answer = await send()
  return { answer, ms: performance.now() - begun }
}

/** A record of each kind that the API can create; what a request names and is not here is not found. */
async function exampleRecords(mine: Account): Promise<Map<string, Row>> {
  const records = new Map<string, Row>([
    ['accounts', { id: mine.accountId, slug: mine.accountId }],
    ['users', { id: mine.userId }],
  ])
  for (const [path, { body }] of Object.entries(examples))
    records.set(
      path.slice('/api/'.length).replace(/[/-]/g, '_'),
      await mine.create(path, await body(mine, 1)),
    )
  records.set('stages', (await mine.get('/api/deals/stages')).body.items[0])
  return records
}

function pickOperation(random: Random): Operation {
  const operation = random.pick(operations)
  return SELDOM.test(operation.path) && random.chance(0.9) ? pickOperation(random) : operation
}

const text = ({ method, url, headers, payload }: Call) =>
  `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 300)} ${payload?.slice(0, 1000) ?? ''}`

/** Requests that follow name the new record: the first ones are soon deleted. */
function learn(
  own: ReadonlyMap<string, Record<string, unknown>>,
  { path }: Operation,
  { text: body }: RawAnswer,
): void {
  const { id } = JSON.parse(body) as { id?: unknown }
  const record = recordFor(own, path, 'ids')
  if (typeof id === 'string') record.id = id
}

/** When a key was last used is noted beside the request; a stream of events that is open numbers them meanwhile. */
const UNNOTICED = new Set(['api_keys', 'event_feeds', 'events'])

/** Maintenance merges its rows every ten minutes: their sums are what a request would change. */
const COUNTS = 'record_counts'

/**
 * Tells which tables changed during requests that were refused. A trigger on each table notes the rows that are written;
 * a note of a transaction that is rolled back goes with it. (Reading the state of all tables after each request took
 * two thirds of the time.)
 */
async function writeDetector(engine: Engine, tables: readonly Table[]) {
  const db = engine.as(SYSTEM)
  await sql`create table noted_writes (number bigint generated always as identity primary key, name text)`.execute(
    db,
  )
  await sql`create function note_write() returns trigger language plpgsql security definer set search_path = kith as $$
    begin
      insert into noted_writes (name) values (tg_table_name);
      return null;
    end $$`.execute(db)
  for (const { name } of tables.filter(({ name }) => !UNNOTICED.has(name) && name !== COUNTS))
    await sql`create trigger note_write after insert or update or delete on ${sql.table(name)}
      for each row execute function note_write()`.execute(db)
  let last = '0'
  let counts = ''
  const read = async (): Promise<string[]> => {
    const { rows } = await sql<{ names: string[]; last: string; counts: string }>`
      select coalesce(array_agg(distinct name), '{}') as names, coalesce(max(number), ${last})::text as last,
        (select sum(living) || ' ' || sum(trashed) from ${sql.table(COUNTS)}) as counts
      from noted_writes where number > ${last}`.execute(db)
    const [now] = rows
    if (!now) throw new Error('an aggregate without a row')
    const changed = now.counts === counts ? now.names : [...now.names, COUNTS]
    last = now.last
    counts = now.counts
    return changed
  }
  await read()
  return async ({ status }: RawAnswer): Promise<string> => {
    const changed = await read()
    return status >= 400 ? changed.join(', ') : ''
  }
}
