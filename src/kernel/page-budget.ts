/**
 * A page has a budget in bytes besides its number of records: a thousand records with 256 KB of metadata each would be
 * half a gigabyte. The database computes the size of a page before the page is read.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from './context.ts'
import { errors } from './errors.ts'
import { processState } from './process-state.ts'
import type { RecordType } from './resource.ts'

type Sql = RawBuilder<unknown>

export const PAGE_BYTES = 20 * 1024 * 1024

/** Records of at least this size are in the index `<table>_large`; a thousand smaller records fit the budget. */
const LARGE = sql.raw('16384')
const CACHED_MS = 10_000
const MAX_CACHED = 5000
const checkedIn = processState(() => new Map<string, { at: number; hasLarge: boolean }>())

/**
 * Hardly any account has large records, so the check uses an index and is cached briefly. While the cache is stale, the
 * limit on the result of one statement applies (db/bounded-query.ts).
 */
async function hasLargeRecords(ctx: Ctx, table: string): Promise<boolean> {
  const checked = checkedIn(ctx.services)
  const key = `${ctx.account} ${table}`
  const cached = checked.get(key)
  if (cached && Date.now() - cached.at < CACHED_MS) return cached.hasLarge
  const [large] = await query(
    ctx,
    sql`select from ${sql.table(table)} r where r.account_id = ${ctx.account} and r.bytes > ${LARGE} limit 1`,
  )
  if (checked.size >= MAX_CACHED) checked.clear()
  checked.set(key, { at: Date.now(), hasLarge: large !== undefined })
  return large !== undefined
}

/** Refuses a page of records that is too large. `keys` selects their ids as `key`. */
export async function checkPage(ctx: Ctx, record: RecordType, keys: () => Sql): Promise<void> {
  if (!record.hasBytes || !(await hasLargeRecords(ctx, record.table))) return
  // custom_fields returns metadata a second time
  const copies = sql.raw('custom_fields' in record.output.fields ? '2' : '1')
  await checkBytes(
    ctx,
    sql`select ${copies} * r.bytes::bigint as bytes from (${keys()}) k
      join ${sql.table(record.table)} r on r.account_id = ${ctx.account} and r.id = k.key`,
  )
}

/**
 * Rows with their `bytes`, in any order; refused if they exceed the budget in sum. One statement computes the size and
 * returns the rows, so that expensive ones are not computed twice.
 */
export async function queryWithinBudget<T>(ctx: Ctx, rows: RawBuilder<T & { bytes: number }>): Promise<T[]> {
  const limit = sql.raw(String(PAGE_BYTES))
  // Above the budget the first row alone is returned, with the sum.
  const selected = await query(
    ctx,
    sql<T & { total_bytes: number }>`select * from (
        select s.*, sum(s.bytes) over () as total_bytes, row_number() over () as position from (${rows}) s
      ) t where t.total_bytes <= ${limit} or t.position = 1`,
  )
  if ((selected[0]?.total_bytes ?? 0) > PAGE_BYTES) throw errors.pageTooLarge(PAGE_BYTES / 1024 / 1024)
  return selected
}

/** Refuses rows whose `bytes` exceed the budget in sum. */
export async function checkBytes(ctx: Ctx, rows: Sql): Promise<void> {
  const [sum] = await query(ctx, sql<{ bytes: number | null }>`select sum(s.bytes) as bytes from (${rows}) s`)
  if ((sum?.bytes ?? 0) > PAGE_BYTES) throw errors.pageTooLarge(PAGE_BYTES / 1024 / 1024)
}
