/**
 * The signs of an account's vectors in the memory of the process. Scanning the table took PostgreSQL 85 ms for 100,000
 * vectors. Each request first reads the vectors that were added since the last one: they are numbered in the order of
 * their commits (the trigger `search_vector_order`). Deleted vectors remain until the account is read again.
 */
import { sql } from 'kysely'
import { nearestBySigns, type SignedVectors, signBytes } from '../../ai/sign-scan.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import { processState } from '../../kernel/process-state.ts'
import { rows } from '../../kernel/statements.ts'

/** Of one account and model: 280,000 vectors of 384 dimensions. While they are compared, the process does nothing else. */
const MAX_BYTES = 16 * 1024 * 1024
/** Of all accounts. */
const MAX_TOTAL = 2 * MAX_BYTES
const MAX_ACCOUNTS = 1000
/** Deleted vectors are forgotten at the latest after this time. */
const MAX_AGE_MS = 60 * 60_000
/** Vectors read by one statement: a few where few are expected, so that PostgreSQL uses the index whatever it estimates. */
const FEW = sql.lit(500)
const MANY = sql.lit(5000)

interface Signs {
  /** by kind of record */
  vectors: Map<string, SignedVectors>
  bytes: number
  /** the number of the newest vector */
  last: number
  readAt: number
  /** false: there are too many, or some have other dimensions */
  usable: boolean
  /** settled when nothing is being read: two readers would add the same vectors twice */
  reading: Promise<void>
}

/** The least recently used first. */
const stored = processState<Map<string, Signs>>(() => new Map())

interface NearestQuery {
  model: string
  vector: Float32Array
  types: readonly string[]
  most: number
}

/** The passages nearest to the vector by signs, among them deleted ones; undefined if the signs are not in memory. */
export async function nearestInMemory(
  ctx: Ctx,
  { model, vector, types, most }: NearestQuery,
): Promise<number[] | undefined> {
  // A transaction may hold the only connection, for which another reader waits.
  if (ctx.inTransaction) return undefined
  const all = stored(ctx.services)
  const key = keyOf(ctx, model)
  const signs = current(all.get(key)) ?? emptySigns()
  all.delete(key)
  all.set(key, signs)
  const reading = signs.reading.then(() => readNewer(ctx, model, vector.length, signs))
  // The next reader tries again what failed.
  signs.reading = reading.catch(() => {})
  await reading
  evict(all)
  if (!signs.usable) return undefined
  const groups = types.flatMap(type => signs.vectors.get(type) ?? [])
  return nearestBySigns(vector, groups, most)
}

/** The account is read again by the next request. */
export function forgetSigns(ctx: Ctx, model: string): void {
  stored(ctx.services).delete(keyOf(ctx, model))
}

const keyOf = (ctx: Ctx, model: string) => `${ctx.account} ${model}`

const emptySigns = (): Signs => ({
  vectors: new Map(),
  bytes: 0,
  last: 0,
  readAt: Date.now(),
  usable: true,
  reading: Promise.resolve(),
})

const current = (signs: Signs | undefined) =>
  signs && Date.now() - signs.readAt < MAX_AGE_MS ? signs : undefined

const bytesOf = (vectors: ReadonlyMap<string, SignedVectors>): number =>
  [...vectors.values()].reduce((total, { ids, signs }) => total + ids.byteLength + signs.byteLength, 0)

function evict(all: Map<string, Signs>): void {
  let total = [...all.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  for (const [key, { bytes }] of all) {
    if (total <= MAX_TOTAL && all.size <= MAX_ACCOUNTS) return
    total -= bytes
    all.delete(key)
  }
}

async function readNewer(ctx: Ctx, model: string, dimensions: number, signs: Signs): Promise<void> {
  let limit = signs.last === 0 ? MANY : FEW
  while (signs.usable) {
    const added = await query(
      ctx,
      sql<{ entity_type: string; bytes: Buffer; last: number }>`
        select n.entity_type, max(n.seq) as last, string_agg(int8send(n.passage_id) || varbit_send(n.signs), '') as bytes
        from (
          select v.entity_type, v.seq, v.passage_id, v.signs from ${rows(ctx, 'search_vectors')} v
          where v.model = ${model} and v.seq > ${signs.last} order by v.seq limit ${limit}
        ) n group by n.entity_type`,
    )
    if (added.length === 0) return
    for (const { entity_type, bytes, last } of added) {
      const group = withAdded(signs.vectors.get(entity_type), bytes, dimensions)
      if (group) signs.vectors.set(entity_type, group)
      else signs.usable = false
      signs.last = Math.max(signs.last, last)
    }
    if (bytesOf(signs.vectors) > MAX_BYTES) signs.usable = false
    if (!signs.usable) signs.vectors.clear()
    signs.bytes = bytesOf(signs.vectors)
    limit = MANY
  }
}

/** The bytes of one vector as PostgreSQL sends them: its id, the number of its bits, and the bits. */
const ID = 8
const BITS = 4

/** undefined: the vectors have other dimensions. */
function withAdded(
  group: SignedVectors = { ids: new Float64Array(), signs: new Uint8Array(), count: 0 },
  added: Buffer,
  dimensions: number,
): SignedVectors | undefined {
  const width = signBytes(dimensions)
  const size = ID + BITS + width
  const count = group.count + added.length / size
  const { ids, signs } = withRoom(group, count, width)
  for (let at = 0, i = group.count; at < added.length; at += size, i++) {
    if (added.readUInt32BE(at + ID) !== dimensions) return undefined
    ids[i] = added.readUInt32BE(at) * 2 ** 32 + added.readUInt32BE(at + 4)
    added.copy(signs, i * width, at + ID + BITS, at + size)
  }
  return { ids, signs, count }
}

/** An eighth more than is needed now, so that few additions copy what is there. */
function withRoom(group: SignedVectors, count: number, width: number): SignedVectors {
  if (count <= group.ids.length) return group
  const room = Math.ceil(count * (group.count === 0 ? 1 : 1.125))
  const ids = new Float64Array(room)
  const signs = new Uint8Array(room * width)
  ids.set(group.ids)
  signs.set(group.signs)
  return { ids, signs, count: group.count }
}
