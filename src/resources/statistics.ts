/**
 * Statement plans are cached, and a plan from when a table was nearly empty reads the whole table once it is full:
 * after an import of 100,000 people, reading a company took 240 ms instead of 1 ms, and after the demo had filled an
 * account, a page of its activities took 8 s instead of 0.1. The database analyses tables by itself within minutes; what
 * writes many records does so itself.
 */
import { sql } from 'kysely'
import { type Ctx, systemDb } from '../kernel/context.ts'
import type { RecordType } from '../kernel/resource.ts'
import { type TableName, unscoped } from '../kernel/statements.ts'

/** After so many rows, then after four times as many, and so on. */
const FIRST = 1000
/** Fewer rows change no plan. */
const MIN_ROWS = 500

const DERIVED = ['changes', 'custom_values', 'category_uses']
/** Further tables that are written with a kind of record: an import of people also creates their companies. */
const BESIDE: Record<string, string[]> = {
  contacts: ['contact_addresses', 'companies', 'company_domains'],
  companies: ['company_domains'],
}

export interface Statistics {
  /** Called after each batch with the number of rows so far. The next batch need not wait for the end of it. */
  keepUp(rows: number): Promise<void>
  /** At the end: analyses once more, unless the statistics already include most rows. */
  conclude(rows: number): Promise<void>
}

export function statisticsOf(ctx: Ctx, record: RecordType): Statistics {
  let due = FIRST
  let analysed = 0
  let running: Promise<void> = Promise.resolve()
  async function refresh(): Promise<void> {
    await running.catch(() => {})
    await analyseTablesOf(ctx, [record])
  }
  return {
    async conclude(rows) {
      if (rows >= MIN_ROWS && rows >= 2 * analysed) await refresh()
      else await running.catch(() => {})
    },
    async keepUp(rows) {
      if (rows < due) return
      while (due <= rows) due *= 4
      analysed = rows
      running = refresh()
      running.catch(() => {})
      // where there is one connection, the next batch would wait for it anyway
      if (ctx.services.engine.kind === 'embedded') await running
    },
  }
}

/** Analyses the tables that are written with records of these kinds. */
export async function analyseTablesOf(ctx: Ctx, records: readonly RecordType[]): Promise<void> {
  const tables = records.flatMap(({ table, links }) => [
    table,
    ...Object.values(links ?? {}).map(link => link.table),
    ...(BESIDE[table] ?? []),
  ])
  for (const { name, columns } of await columnsOf(ctx, [...new Set([...tables, ...DERIVED])])) {
    const list = sql.join(columns.map(column => sql.ref(column)))
    await systemDb(ctx.services)
      .transaction()
      .execute(async db => {
        // Only the number of rows matters, and a tenth of the usual sample is enough for it.
        await sql`set local default_statistics_target = 10`.execute(db)
        await sql`analyze ${unscoped(name)} (${list})`.execute(db)
      })
  }
}

/** Ids, and whether a record is in the trash: lookups use these; analysing the other columns would take far longer. */
async function columnsOf(ctx: Ctx, tables: string[]): Promise<{ name: TableName; columns: string[] }[]> {
  const { rows } = await sql<{ name: TableName; columns: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'kith'::regnamespace and c.relkind = 'r' and c.relname = any(${tables}) and not a.attisdropped
      and (a.atttypid = 'uuid'::regtype or a.attname = 'deleted_at')
    group by c.relname`.execute(systemDb(ctx.services))
  return rows
}
