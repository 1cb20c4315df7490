/**
 * Statement plans are cached, and a plan from when a table was nearly empty reads the whole table once it is full:
 * after an import of 100,000 people, reading a company took 240 ms instead of 1 ms. The database analyses tables by
 * itself within minutes; an import does so as it runs.
 */
import { sql } from 'kysely'
import { type Ctx, systemDb } from '../../../kernel/context.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import { type TableName, unscoped } from '../../../kernel/statements.ts'

/** After so many rows, then after four times as many, and so on. */
const FIRST = 1000
/** Fewer rows change no plan. */
const MIN_ROWS = 500

const DERIVED = ['changes', 'custom_values', 'category_uses']
/** People bring their companies. */
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

export function statisticsOf(ctx: Ctx, { table, links }: RecordType): Statistics {
  const written = [table, ...Object.values(links ?? {}).map(link => link.table)]
  const tables = [...new Set([...written, ...(BESIDE[table] ?? []), ...DERIVED])]
  let due = FIRST
  let analysed = 0
  let running: Promise<void> = Promise.resolve()
  async function refresh(): Promise<void> {
    await running.catch(() => {})
    for (const { name, columns } of await columnsOf(ctx, tables)) {
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
