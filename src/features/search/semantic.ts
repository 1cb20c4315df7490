/** Finds passages by meaning: the account's vectors that are nearest to the question's. */
import { type RawBuilder, sql } from 'kysely'
import { type Embedder, embedderNamed, embeddersOf, ModelUnavailable } from '../../ai/embeddings.ts'
import { cosineOfBytes, signWeights, toSigns } from '../../ai/vectors.ts'
import { type Ctx, query, systemDb } from '../../kernel/context.ts'
import { rows, unscoped } from '../../kernel/statements.ts'
import { first } from '../../lib/values.ts'
import type { Within } from './keyword.ts'
import { forgetSigns, nearestInMemory } from './signs.ts'
import { type Neighbour, nearestByIndex } from './vector-index.ts'

/** Passages are preselected by the signs of their vectors. docs/performance.md has the recall. */
const CANDIDATES = 600
/** In the database by signs that count alike, then by weighted signs (ai/vectors.ts), which are too slow for every row. */
const BY_SIGNS = 2000
/** The share of the candidates that must exist still. */
const MIN_PRESENT = 0.9
/** The candidates that are returned: the nearest by cosine. */
const NEAREST = 300

export interface Meaning {
  model: string
  /** the model that computed the vector */
  embedder: Embedder
  vector: Float32Array
}

/** The question as a vector, by a model whose index is complete; undefined: search by words only. */
export async function meaningOf(ctx: Ctx, question: string): Promise<Meaning | undefined> {
  const embedder = await completeEmbedder(ctx)
  if (!embedder) return undefined
  try {
    const vector = first(await embedder.embed([question.slice(0, 2000)], true))
    return { model: embedder.model, embedder, vector }
  } catch (error) {
    if (error instanceof ModelUnavailable) return undefined
    throw error
  }
}

/** Until a new model has embedded all passages, the earlier one is used. */
async function completeEmbedder(ctx: Ctx): Promise<Embedder | undefined> {
  const [present] = embeddersOf(ctx.services)
  // during a transaction the embedded engine has no other connection
  if (!present || ctx.inTransaction) return present
  const complete = await query(
    { db: systemDb(ctx.services) },
    sql<{ model: string }>`select m.model from ${unscoped('search_models')} m where m.complete`,
  )
  const models = complete.map(row => row.model)
  if (models.length === 0 || models.includes(present.model)) return present
  return models.map(model => embedderNamed(ctx.services, model)).find(embedder => embedder) ?? present
}

/** Passage id → cosine, of the nearest passages and of those in `also`. */
export async function nearest(
  ctx: Ctx,
  { model, vector }: Pick<Meaning, 'model' | 'vector'>,
  within: Within,
  also: readonly number[] = [],
): Promise<Map<number, number>> {
  const neighbours =
    (await neighboursByIndex(ctx, model, vector, within, also)) ??
    (await neighboursInMemory(ctx, model, vector, within, also)) ??
    (await neighboursByScan(ctx, model, vector, within, also))
  const cosines = neighbours
    .map(row => [row.passage_id, cosineOfBytes(vector, row.bytes)] as const)
    .sort(([, a], [, b]) => b - a)
  const requested = new Set(also)
  return new Map(cosines.filter(([id], i) => i < NEAREST || requested.has(id)))
}

const vectorsOf = (ctx: Ctx, model: string, ids: RawBuilder<unknown>): Promise<Neighbour[]> =>
  query(
    ctx,
    sql<Neighbour>`select v.passage_id, v.bytes from ${rows(ctx, 'search_vectors')} v
      where v.model = ${model} and v.passage_id in (${ids})`,
  )

/** undefined: the account has no index, or the index cannot answer the question. */
async function neighboursByIndex(
  ctx: Ctx,
  model: string,
  vector: Float32Array,
  { types, passages }: Within,
  also: readonly number[],
): Promise<Neighbour[] | undefined> {
  // The passages that match a filter may be few and far away.
  return passages ? undefined : nearestByIndex(ctx, { model, vector, types, most: NEAREST, also })
}

/** undefined: the table must be scanned. */
async function neighboursInMemory(
  ctx: Ctx,
  model: string,
  vector: Float32Array,
  { types, passages }: Within,
  also: readonly number[],
): Promise<Neighbour[] | undefined> {
  if (passages) return undefined
  const ids = await nearestInMemory(ctx, { model, vector, types, most: CANDIDATES })
  if (!ids) return undefined
  const neighbours = await vectorsOf(ctx, model, sql`select unnest(${[...ids, ...also]}::bigint[])`)
  // Candidates without a vector were deleted. Where they are many, they are in the place of passages that are nearest.
  const existing = new Set(neighbours.map(row => row.passage_id))
  if (ids.filter(id => existing.has(id)).length >= MIN_PRESENT * ids.length) return neighbours
  forgetSigns(ctx, model)
  return undefined
}

function neighboursByScan(
  ctx: Ctx,
  model: string,
  vector: Float32Array,
  within: Within,
  also: readonly number[],
): Promise<Neighbour[]> {
  const signs = toSigns(vector)
  const { twos, ones } = signWeights(vector)
  return vectorsOf(
    ctx,
    model,
    sql`(select c.passage_id from (
          select n.passage_id, n.signs from ${rows(ctx, 'search_vectors')} n
          where n.model = ${model} and n.entity_type = any(${within.types}::text[])
            ${within.passages ? sql`and n.passage_id in (${within.passages})` : sql``}
          order by bit_count(n.signs # ${signs}::varbit) limit ${BY_SIGNS}
        ) c
        order by 2 * bit_count((c.signs # ${signs}::varbit) & ${twos}::varbit)
          + bit_count((c.signs # ${signs}::varbit) & ${ones}::varbit)
        limit ${CANDIDATES})
      union select unnest(${also}::bigint[])`,
  )
}
