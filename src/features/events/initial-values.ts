/**
 * The values that records were created with. The journal does not store them (an import would write every value twice):
 * they are computed from the current values by undoing every later change.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { queryWithinBudget } from '../../kernel/page-budget.ts'
import { rows, type TableName } from '../../kernel/statements.ts'

export type Values = Record<string, unknown>

interface Created {
  kind: TableName
  entity_id: string
}

/**
 * The values by record id, for all kinds with one statement: on the embedded engine, where statements of all requests
 * wait for each other, two for each kind made a list of events the slowest read. An erased record has none.
 */
export async function initialValues(ctx: Ctx, created: readonly Created[]): Promise<Map<string, Values>> {
  const kinds = [...Map.groupBy(created, ({ kind }) => kind)].toSorted(([a], [b]) => a.localeCompare(b))
  if (kinds.length === 0) return new Map()
  // Of several changes of a field, the first one counts. The aggregate keeps the last value, so it gets them in reverse.
  const records = kinds.map(
    ([table, entries]) => sql`select r.id, (to_jsonb(r) || coalesce((
          select jsonb_object_agg(f.key, f.value order by c.seq desc)
          from ${rows(ctx, 'changes')} c cross join jsonb_each(c.before) f
          where c.entity_id = r.id and c.kind = ${table}
        ), '{}')) - derived_columns(${table}) - array['id', 'account_id'] as values
      from ${rows(ctx, table)} r where r.id = any(${entries.map(({ entity_id }) => entity_id)}::uuid[])`,
  )
  const initial = await queryWithinBudget(
    ctx,
    sql<{
      id: string
      values: Values
      bytes: number
    }>`with records as materialized (${sql.join(records, sql` union all `)})
      select i.id, i.values, octet_length(i.values::text)::bigint as bytes from records i`,
  )
  return new Map(
    initial.map(({ id, values }) => [
      id,
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    ]),
  )
}
