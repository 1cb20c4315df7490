/** Removes and restores links between records, as they were before an operation. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { rows, type TableName, unscoped } from '../../../kernel/statements.ts'
import { type Part, writableColumns } from './net-changes.ts'

const within = (part: Part | undefined) =>
  part ? sql`and c.seq > ${part.from} and c.seq <= ${part.to}` : sql``

/** Removes the links that the operation created. */
export async function removeLinks(
  tx: Ctx,
  table: TableName,
  operationId: string,
  part?: Part,
): Promise<number> {
  const gone = await query(
    tx,
    sql`delete from ${unscoped(table)} r where r.account_id = ${tx.account} and r.id = any(array(
        select (c.after ->> 'id')::uuid from ${rows(tx, 'changes')} c
        where c.operation_id = ${operationId} and c.kind = ${table} and c.action = 'created' ${within(part)}))
      returning r.id`,
  )
  return gone.length
}

/** Restores links that the operation removed or changed, if the records at both ends exist. */
export async function restoreLinks(
  tx: Ctx,
  table: TableName,
  operationId: string,
  part?: Part,
): Promise<number> {
  const columns = await writableColumns(tx, table)
  const list = ['account_id', 'id', 'created_at', ...columns]
  const names = sql.join(list.map(column => sql.ref(column)))
  const restored = await query(
    tx,
    sql`insert into ${unscoped(table)} as r (${names})
      select ${sql.join(list.map(column => sql`(p.b).${sql.ref(column)}`))} from (
        select distinct on (c.before ->> 'id') c.entity_id, jsonb_populate_record(null::${unscoped(table)}, c.before) as b
        from ${rows(tx, 'changes')} c
        where c.operation_id = ${operationId} and c.kind = ${table} and c.before is not null ${within(part)}
          ${
            part
              ? sql`and not exists (
                  select from (
                    select * from ${rows(tx, 'changes')} e where e.entity_id = c.entity_id and e.seq < c.seq offset 0
                  ) f where f.operation_id = ${operationId} and f.kind = ${table} and f.before ->> 'id' = c.before ->> 'id')`
              : sql``
          }
        order by c.before ->> 'id', c.seq
      ) p
      where not exists (
        select from ${rows(tx, 'changes')} m where m.entity_id = p.entity_id
          and m.operation_id = ${operationId} and m.kind = ${table}
          and m.action = 'created' and m.after ->> 'id' = (p.b).id::text)
      on conflict (account_id, id) do update set ${sql.join(
        columns.map(column => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
      )}
      returning r.id`,
  )
  return restored.length
}
