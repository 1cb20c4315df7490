/**
 * The values that records were created with. The journal does not store them (an import would write every value twice):
 * they are computed from the current values by undoing every later change.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { checkBytes } from '../../kernel/page-budget.ts'
import { rows, type TableName } from '../../kernel/statements.ts'

export type Values = Record<string, unknown>

interface Created {
  kind: TableName
  entity_id: string
}

/** The values by record id. An erased record has none. */
export async function initialValues(ctx: Ctx, created: readonly Created[]): Promise<Map<string, Values>> {
  const values = new Map<string, Values>()
  for (const [table, entries] of Map.groupBy(created, ({ kind }) => kind)) {
    const ids = entries.map(({ entity_id }) => entity_id)
    // Of several changes of a field, the first one counts. The aggregate keeps the last value, so it gets them in
    // reverse.
    const records = sql`select r.id, (to_jsonb(r) || coalesce((
          select jsonb_object_agg(f.key, f.value order by c.seq desc)
          from ${rows(ctx, 'changes')} c cross join jsonb_each(c.before) f
          where c.entity_id = r.id and c.kind = ${table}
        ), '{}')) - derived_columns(${table}) - array['id', 'account_id'] as values
      from ${rows(ctx, table)} r where r.id = any(${ids}::uuid[])`
    await checkBytes(ctx, sql`select octet_length(s.values::text)::bigint as bytes from (${records}) s`)
    const initial = await query(ctx, sql<{ id: string; values: Values }>`${records}`)
    for (const row of initial)
      values.set(row.id, Object.fromEntries(Object.entries(row.values).filter(([, value]) => value !== null)))
  }
  return values
}
