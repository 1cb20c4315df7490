/**
 * HNSW indexes over the vectors of large accounts, on servers with pgvector (decision 48). An index belongs to one
 * account and one model. `search_nearest` (functions/search.sql) reads them.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { first } from '../lib/values.ts'
import { type Db, type Engine, SYSTEM } from './engine.ts'

/** Any number will do, as long as no other program on the database uses it. */
const LOCK = 7_243_001_912

const PREFIX = 'search_vectors_hnsw_'
/** Versions without the type halfvec. */
const TOO_OLD = String.raw`^0\.[0-6](\.|$)`
/** What pgvector can index as halfvec. */
const MAX_DIMENSIONS = 4000
/** More than pgvector's 16 and 64, with which 1,000,000 vectors had a recall of 0.65 to 0.73 (docs/performance.md). */
const GRAPH = sql.raw('m = 24, ef_construction = 128')
/** An index is created before the signs of an account exceed 16 MB (features/search/signs.ts). */
const LEAST_BYTES = 13_000_000
/** The id and the signs of a vector. */
const MAX_BYTES_EACH = 8 + MAX_DIMENSIONS / 8

export interface VectorIndexes {
  created: number
  dropped: number
}

const UNCHANGED: VectorIndexes = { created: 0, dropped: 0 }

interface Target {
  account: string
  model: string
  dimensions: number
  /** false: an existing index stays, but none is created */
  is_large: boolean
}

export function vectorIndexName(account: string, model: string, dimensions: number): string {
  const hash = createHash('sha256').update(`${account} ${model} ${dimensions}`).digest('hex')
  return `${PREFIX}${hash.slice(0, 32)}`
}

/** The names of the indexes that can be used. */
export async function usableVectorIndexes(db: Db): Promise<Set<string>> {
  const indexes = await existing(db)
  return new Set(indexes.filter(({ valid }) => valid).map(({ name }) => name))
}

interface Changes {
  /** names of indexes */
  superfluous: string[]
  missing: [name: string, target: Target][]
}

const isEmpty = ({ superfluous, missing }: Changes) => superfluous.length + missing.length === 0

/**
 * Returns a function that creates the indexes that are missing and drops those that are not used any more. This can take
 * minutes, on a connection of its own; one process at a time does it.
 */
export function vectorIndexing(
  engine: Engine,
  stop: AbortSignal,
  leastBytes = LEAST_BYTES,
): () => Promise<VectorIndexes> {
  let mayCreate = true
  return async () => {
    if (engine.kind === 'embedded') return UNCHANGED
    const db = engine.as(SYSTEM)
    if (!(await isAvailable(db)) || isEmpty(await changesOf(db, leastBytes))) return UNCHANGED
    return engine.apart(async own => {
      const { rows } = await sql<{ is_mine: boolean; pid: number }>`
        select pg_try_advisory_lock(${sql.lit(LOCK)}) as is_mine, pg_backend_pid() as pid`.execute(own)
      const { is_mine, pid } = first(rows)
      if (!is_mine) return UNCHANGED
      const isInstalled = await hasExtension(own, mayCreate)
      mayCreate = false
      if (!isInstalled) return UNCHANGED
      const cancel = () => {
        sql`select pg_cancel_backend(${pid}::int)`.execute(db).catch(() => {})
      }
      stop.addEventListener('abort', cancel, { once: true })
      try {
        // Another process may have changed them meanwhile.
        return await change(own, await changesOf(own, leastBytes), stop)
      } catch (error) {
        if (stop.aborted) return UNCHANGED
        throw error
      } finally {
        stop.removeEventListener('abort', cancel)
      }
    })
  }
}

async function changesOf(db: Db, leastBytes: number): Promise<Changes> {
  const targets = new Map(
    (await targetsOf(db, leastBytes)).map(target => [
      vectorIndexName(target.account, target.model, target.dimensions),
      target,
    ]),
  )
  const indexes = await existing(db)
  const valid = new Set(indexes.filter(index => index.valid).map(({ name }) => name))
  return {
    // One that is not valid was left by a process that stopped while it created it.
    superfluous: indexes.map(({ name }) => name).filter(name => !valid.has(name) || !targets.has(name)),
    missing: [...targets].filter(([name, target]) => target.is_large && !valid.has(name)),
  }
}

async function change(db: Db, { superfluous, missing }: Changes, stop: AbortSignal): Promise<VectorIndexes> {
  const done = { ...UNCHANGED }
  for (const name of superfluous) {
    if (stop.aborted) return done
    await sql`drop index concurrently if exists ${sql.id('kith', name)}`.execute(db)
    done.dropped++
  }
  if (missing.length === 0) return done
  const schema = await extensionSchema(db)
  for (const [name, target] of missing) {
    if (stop.aborted) return done
    await create(db, name, target, schema)
    done.created++
  }
  return done
}

/** Accounts that are or were large, each with its models. */
async function targetsOf(db: Db, leastBytes: number): Promise<Target[]> {
  const halfBytes = Math.floor(leastBytes / 2)
  const { rows } = await sql<Target>`
    select v.account_id as account, v.model, d.dimensions, v.count * (8 + d.dimensions / 8) >= ${leastBytes} as is_large
    from (
      select v.account_id, v.model, count(*) as count from search_vectors v
      where v.model in (select m.model from search_models m where m.complete)
      group by v.account_id, v.model having count(*) * ${MAX_BYTES_EACH} >= ${halfBytes}
    ) v
    cross join lateral (
      select length(n.bytes) as dimensions from search_vectors n
      where n.account_id = v.account_id and n.model = v.model order by n.seq desc limit 1
    ) d
    where v.count * (8 + d.dimensions / 8) >= ${halfBytes} and d.dimensions <= ${MAX_DIMENSIONS}`.execute(db)
  return rows
}

async function existing(db: Db): Promise<{ name: string; valid: boolean }[]> {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select c.relname as name, i.indisvalid as valid from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'kith.search_vectors'::regclass and starts_with(c.relname, ${PREFIX})`.execute(db)
  return rows
}

/** It is installed in the database, or its files are on the server. */
async function isAvailable(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_catalog.pg_available_extensions a where a.name = 'vector'
    and coalesce(a.installed_version, a.default_version) !~ ${TOO_OLD}`.execute(db)
  return rows.length > 0
}

/**
 * Whether the extension is installed. Creates it if the database user may, which is tried once, except where a standby
 * follows: without the files of pgvector there, every statement about vectors would fail on it. An administrator who
 * creates the extension has installed them on all servers.
 */
async function hasExtension(db: Db, mayCreate: boolean): Promise<boolean> {
  const { rows } = await sql<{ is_installed: boolean; has_standby: boolean }>`
    select exists (select from pg_catalog.pg_extension where extname = 'vector') as is_installed,
      exists (select from pg_catalog.pg_stat_replication) as has_standby`.execute(db)
  const { is_installed, has_standby } = first(rows)
  if (is_installed || has_standby || !mayCreate) return is_installed
  return sql`create extension vector schema public`.execute(db).then(
    () => true,
    () => false,
  )
}

async function extensionSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ schema: string; is_usable: boolean }>`
    select n.nspname as schema, has_schema_privilege('kith_app', n.oid, 'usage') as is_usable
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'vector'`.execute(db)
  const { schema, is_usable } = first(rows)
  if (!is_usable)
    throw new Error(`The role kith_app needs pgvector: run "grant usage on schema ${schema} to kith_app".`)
  return schema
}

async function create(db: Db, name: string, target: Target, schema: string): Promise<void> {
  const { account, model, dimensions } = target
  const halfvec = sql`${sql.id(schema, 'halfvec')}(${sql.lit(dimensions)})`
  const converted = sql.id('kith', `search_halfvec_${dimensions}`)
  await sql`create or replace function ${converted}(bytes bytea) returns ${sql.id(schema, 'halfvec')}
    language plpgsql immutable strict parallel safe as ${sql.lit(conversion(dimensions, schema))}`.execute(db)
  await sql`grant execute on function ${converted}(bytea) to kith_app`.execute(db)
  await sql`create index concurrently ${sql.id(name)} on kith.search_vectors
    using hnsw ((${converted}(bytes)::${halfvec}) ${sql.id(schema, 'halfvec_cosine_ops')}) with (${GRAPH})
    where account_id = ${sql.lit(account)} and model = ${sql.lit(model)}`.execute(db)
}

/**
 * The bytes as signed numbers, each dimension in an expression of its own: 16 µs for 384 dimensions instead of 110 with a
 * query over `generate_series`. Vectors of other dimensions are not in the index.
 *
 * PostgreSQL also evaluates the order of each row that an index scan returns, though nothing reads it: a third of the
 * time. `search_nearest` therefore turns the conversion off, by a setting that ends with it.
 */
function conversion(dimensions: number, schema: string): string {
  const values = Array.from({ length: dimensions }, (_, i) => `(get_byte(bytes,${i})#128)-128`)
  const type = `"${schema.replaceAll('"', '""')}".halfvec`
  return `begin
    if length(bytes) <> ${dimensions} or current_setting('kith.is_ordered', true) = 'on' then return null; end if;
    return array[${values.join()}]::${type};
  end`
}
