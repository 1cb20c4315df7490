/**
 * `npm run bench:meaning -- [passages]`: the nearest passages of a question among so many vectors, in the memory of the
 * service, by a scan of the table and, if the server has pgvector, by its index (KITH_TEST_DATABASE_URL names one).
 * Processor time of each, milliseconds, and the recall of the ten nearest against the exact order. Vectors are mixtures of two texts of the question sets with noise, because embedding 100,000 texts takes ten minutes.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { localEmbedder } from '../src/ai/local-embedder.ts'
import { cosine, fromBytes, toBytes, toSigns } from '../src/ai/vectors.ts'
import { loadConfig } from '../src/config.ts'
import { vectorIndexing } from '../src/db/vector-index.ts'
import { nearest } from '../src/features/search/semantic.ts'
import { contextFor, systemDb, transaction } from '../src/kernel/context.ts'
import { at } from '../src/lib/values.ts'
import { createService } from '../src/service.ts'
import { newDatabase, startPostgresServer } from '../test/support/postgres-server.ts'
import { NOTES } from './quality/texts.ts'

const PASSAGES = Number(process.argv[2] ?? 100_000)
const BATCH = 1000
const MODEL = 'bench'
const WITHIN = { types: ['note'], limit: 300 }

const embedder = localEmbedder(undefined)
const texts = await embedder.embed([...NOTES.map(([, text]) => text), ...writtenTexts()], false)
const questions = await embedder.embed(
  NOTES.flatMap(([, , question]) => question ?? []),
  false,
)

const server = await startPostgresServer()
const databaseUrl = await newDatabase(server.url)
const dataDir = mkdtempSync(join(tmpdir(), 'kith-bench-'))
const settings = {
  KITH_DATA_DIR: dataDir,
  KITH_LOG_LEVEL: 'error',
  KITH_INDEXER: 'false',
  KITH_WORKER: 'false',
  KITH_POOL_SIZE: '1',
}
const service = await createService({ ...loadConfig(settings), databaseUrl })
const db = systemDb(service.services)
// one backend, whose time is read
const pids = await backends()
try {
  const { rows: members } = await sql<{
    account_id: string
    user_id: string
  }>`select account_id, user_id from members limit 1`.execute(db)
  const { account_id: accountId, user_id: userId } = at(members, 0)
  const ctx = contextFor(service.services, {
    ...{ kind: 'user', id: userId, userId, accountId, role: 'owner', scopes: ['*'] },
  })
  const stored = new Map<number, Float32Array>()
  while (stored.size < PASSAGES) await store(accountId, stored)
  await sql`vacuum analyze search_vectors`.execute(db)

  const exact = questions.map(question => tenNearest(question, stored))
  type Find = (vector: Float32Array) => Promise<Cost['found']>
  const inMemory: Find = vector => nearest(ctx, { model: MODEL, vector }, WITHIN)
  const measureAll = async (name: string, find: Find) => {
    const costs: Cost[] = []
    for (const question of questions) costs.push(await measured(() => find(question)))
    const hits = costs.map(({ found }, i) => at(exact, i).filter(id => topTen(found).has(id)).length)
    const recall = hits.reduce((sum, count) => sum + count, 0) / hits.length / 10
    console.log(`${name}: ${line(costs)}; recall@10 ${recall.toFixed(3)}`)
  }
  console.log(
    `${PASSAGES} passages; the first search: ${line([await measured(() => inMemory(at(questions, 0)))])}`,
  )
  await measureAll('in memory', inMemory)
  await measureAll('by a scan', vector =>
    transaction(ctx, tx => nearest(tx, { model: MODEL, vector }, WITHIN)),
  )
  await sql`insert into search_models (model, complete) values (${MODEL}, true)`.execute(db)
  const began = performance.now()
  const { created } = await vectorIndexing(service.services.engine, new AbortController().signal, 1)()
  if (created > 0) {
    console.log(`the index was created in ${Math.round((performance.now() - began) / 1000)} s`)
    const later = { ...ctx, services: { ...service.services, state: new Map() } }
    await measureAll('by the index', vector => nearest(later, { model: MODEL, vector }, WITHIN))
  }
} finally {
  await service.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** The longer texts of the sets in quality/blind, two sentences at a time. */
function writtenTexts(): string[] {
  const folder = new URL('./quality/blind/', import.meta.url)
  const strings = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => stringsIn(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
  const parts = strings.flatMap(text => text.match(/[^.!?]+[.!?]*(?:\s+[^.!?]+[.!?]*)?/g) ?? [])
  return [...new Set(parts.map(part => part.trim().slice(0, 400)))].filter(part => part.length > 40)
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function random<T>(list: readonly T[]): T {
  return at(list, Math.floor(Math.random() * list.length))
}

function mixture(): Float32Array {
  const [one, other, share] = [random(texts), random(texts), 0.2 + 0.6 * Math.random()]
  const noise = () => 0.03 * (Math.random() + Math.random() + Math.random() - 1.5)
  return one.map((value, i) => share * value + (1 - share) * (other[i] ?? 0) + noise())
}

async function store(accountId: string, stored: Map<number, Float32Array>): Promise<void> {
  const vectors = Array.from({ length: BATCH }, (_, i) => texts[stored.size + i] ?? mixture())
  const bytes = vectors.map(toBytes)
  const { rows } = await sql<{ id: number }>`insert into search_passages
      (account_id, entity_type, entity_id, part, name, body, context, written, words, hash)
    select ${accountId}::uuid, 'note', gen_random_uuid(), 0, 'Note', 'Text', '', true, '{}', ''::bytea
    from generate_series(1, ${BATCH}::int) returning id`.execute(db)
  const ids = rows.map(row => row.id)
  await sql`insert into search_vectors (account_id, model, passage_id, entity_type, signs, bytes)
    select ${accountId}::uuid, ${MODEL}, v.id, 'note', v.signs, v.bytes
    from unnest(${ids}::bigint[], ${vectors.map(toSigns)}::varbit[], ${bytes}::bytea[]) v (id, signs, bytes)`.execute(
    db,
  )
  for (const [i, id] of ids.entries()) stored.set(id, fromBytes(at(bytes, i)))
}

function tenNearest(question: Float32Array, stored: ReadonlyMap<number, Float32Array>): number[] {
  let best: { id: number; likeness: number }[] = []
  for (const [id, vector] of stored) {
    const likeness = cosine(question, vector)
    if (best.length === 10 && likeness <= at(best, -1).likeness) continue
    best = [...best, { id, likeness }].sort((a, b) => b.likeness - a.likeness).slice(0, 10)
  }
  return best.map(({ id }) => id)
}

function topTen(found: Cost['found']): Set<number> {
  return new Set([...found.keys()].slice(0, 10))
}

async function backends(): Promise<number[]> {
  await sql`set max_parallel_workers_per_gather = 0`.execute(db)
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`.execute(db)
  return rows.map(row => row.pid)
}

interface Cost {
  found: ReadonlyMap<number, number>
  elapsed: number
  postgresql: number
  service: number
}

/** Milliseconds of processor time. */
async function measured(work: () => Promise<Cost['found']>): Promise<Cost> {
  const database = () =>
    pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]), 0) /
    1e6
  const before = database()
  const began = process.cpuUsage()
  const startedAt = performance.now()
  const found = await work()
  const elapsed = performance.now() - startedAt
  const { user, system } = process.cpuUsage(began)
  return { found, elapsed, postgresql: database() - before, service: (user + system) / 1000 }
}

function line(costs: readonly Cost[]): string {
  const part = (values: number[], share: number) =>
    at(
      values.sort((a, b) => a - b),
      Math.floor((values.length - 1) * share),
    ).toFixed(1)
  const median = (values: number[]) => part(values, 0.5)
  const elapsed = costs.map(cost => cost.elapsed)
  const [postgresql, service] = [costs.map(cost => cost.postgresql), costs.map(cost => cost.service)]
  return `PostgreSQL ${median(postgresql)} ms, service ${median(service)} ms, elapsed ${median(elapsed)} ms (p95 ${part(elapsed, 0.95)})`
}
