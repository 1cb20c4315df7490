/** What an operation changed, as the journal has it. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { rows, type TableName } from '../../../kernel/statements.ts'

/** A part of an operation's changes of one kind, for operations that are too large for one transaction. */
export interface Part {
  from: number
  to: number
  /** the records whose first change is in this part of the journal */
  ids: readonly string[]
}

/** The columns of a table that are not generated. */
export async function writableColumns(tx: Ctx, table: TableName): Promise<string[]> {
  const columns = await query(
    tx,
    sql<{ name: string }>`select attname as name from pg_catalog.pg_attribute
      where attrelid = ${`kith.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('account_id', 'id', 'created_at', 'updated_at') order by attnum`,
  )
  return columns.map(column => column.name)
}

/**
 * The operation's changes of a kind; for a part, all changes of the part's records. `offset 0` forces the index on
 * records: the planner's statistics may lack a hundred thousand new changes, and it would then scan the whole operation
 * for each part.
 */
export const changesOf = (tx: Ctx, table: TableName, operationId: string, part: Part | undefined) =>
  part
    ? sql`select c.* from (
        select * from ${rows(tx, 'changes')} a where a.entity_id = any(${part.ids}::uuid[]) offset 0
      ) c where c.operation_id = ${operationId} and c.kind = ${table}`
    : sql`select c.* from ${rows(tx, 'changes')} c where c.operation_id = ${operationId} and c.kind = ${table}`

/**
 * A record's values before and after the whole operation: of several changes of a field, the first `before` and the
 * last `after` count. A record that the operation created is moved to the trash.
 */
export const netChanges = (tx: Ctx, table: TableName, operationId: string, part: Part | undefined) => sql`(
  with mine as materialized (${changesOf(tx, table, operationId, part)}),
  changed as materialized (
    select entity_id, bool_or(action = 'created') as was_created from mine group by entity_id
  ),
  olds as materialized (
    select m.entity_id, jsonb_object_agg(f.key, f.value order by m.seq desc) as values
    from mine m cross join jsonb_each(m.before) f group by m.entity_id
  ),
  news as materialized (
    select m.entity_id, jsonb_object_agg(f.key, f.value order by m.seq) as values
    from mine m cross join jsonb_each(m.after) f group by m.entity_id
  )
  select c.entity_id, c.was_created, coalesce(b.values, '{}') as before, coalesce(a.values, '{}') as after
  from changed c
  left join olds b on b.entity_id = c.entity_id
  left join news a on a.entity_id = c.entity_id)`
