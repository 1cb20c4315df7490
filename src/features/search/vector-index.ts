/** The nearest passages by the account's HNSW index, which large accounts have where pgvector is installed (decision 48). */
import { sql } from 'kysely'
import { usableVectorIndexes, vectorIndexName } from '../../db/vector-index.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import { processState } from '../../kernel/process-state.ts'
import { rows } from '../../kernel/statements.ts'

/** A passage with its vector. */
export interface Neighbour {
  passage_id: number
  bytes: Buffer
}

/** How long the names of the indexes are cached. */
const MAX_AGE_MS = 60_000
/** How long the table is scanned without trying an index that returned too few passages, which cost 70 ms. */
const SPARSE_MS = 60 * 60_000

interface Indexes {
  names: ReadonlySet<string>
  readAt: number
  /** Indexes with kinds of record of which they returned too few passages, and when. */
  sparse: Map<string, number>
}

const cached = processState<Indexes>(() => ({ names: new Set(), readAt: 0, sparse: new Map() }))

async function indexesOf(ctx: Ctx): Promise<Indexes> {
  const indexes = cached(ctx.services)
  const now = Date.now()
  if (now - indexes.readAt <= MAX_AGE_MS) return indexes
  indexes.names = await usableVectorIndexes(ctx.db)
  indexes.readAt = now
  for (const [key, at] of indexes.sparse) if (now - at > SPARSE_MS) indexes.sparse.delete(key)
  return indexes
}

interface IndexQuery {
  model: string
  vector: Float32Array
  types: readonly string[]
  most: number
  also: readonly number[]
}

/** The nearest passages and those in `also`; undefined if the index does not exist or returned fewer than `most`. */
export async function nearestByIndex(
  ctx: Ctx,
  { model, vector, types, most, also }: IndexQuery,
): Promise<Neighbour[] | undefined> {
  if (ctx.services.engine.kind === 'embedded') return undefined
  const { names, sparse } = await indexesOf(ctx)
  const name = vectorIndexName(ctx.account, model, vector.length)
  const key = `${name} ${types.toSorted()}`
  if (!names.has(name) || sparse.has(key)) return undefined
  const neighbours = await query(
    ctx,
    sql<Neighbour & { is_near: boolean }>`select n.passage_id, n.bytes, true as is_near
      from search_nearest(${ctx.account}, ${model}, ${types}::text[], ${[...vector]}::real[], ${name}, ${most}) n
      union all select v.passage_id, v.bytes, false from ${rows(ctx, 'search_vectors')} v
      where v.model = ${model} and v.passage_id = any(${also}::bigint[])`,
  )
  if (neighbours.filter(row => row.is_near).length >= most) return neighbours
  // A kind of record that few passages are of, or many deleted ones.
  sparse.set(key, Date.now())
  return undefined
}
