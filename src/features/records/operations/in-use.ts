/** Records that an undo would remove, but that others are in or have got meanwhile: they stay. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { living, rows, type TableName } from '../../../kernel/statements.ts'
import { CATEGORIZED_TABLES } from '../../../resources/categories/record.ts'

export async function idsInUse(tx: Ctx, table: TableName, ids: readonly string[]): Promise<Set<string>> {
  const isInUse = IS_IN_USE[table]?.(tx, ids)
  if (!isInUse || ids.length === 0) return new Set()
  const inUse = await query(
    tx,
    sql<{
      id: string
    }>`select r.id from ${rows(tx, table)} r where r.id = any(${ids}::uuid[]) and ${isInUse}`,
  )
  return new Set(inUse.map(({ id }) => id))
}

const tagIsInUse = (tx: Ctx) =>
  sql`(select sum(n.living) from ${rows(tx, 'record_counts')} n where n.kind = 'tag ' || r.id) > 0`

const categoryIsInUse = (tx: Ctx) => sql`exists (
  select from ${rows(tx, 'category_uses')} u where u.name_key = r.name_key and (${sql.join(
    CATEGORIZED_TABLES.map(
      table => sql`exists (select from ${living(tx, table)} t where t.id = u.entity_id)`,
    ),
    sql` or `,
  )}))`

const pipelineIsInUse = (tx: Ctx) =>
  sql`exists (select from ${living(tx, 'deals')} d where d.pipeline_id = r.id)`

/** Also the open stages of a pipeline with deals that would have no other one. */
const stageIsInUse = (tx: Ctx, ids: readonly string[]) => sql`(
  exists (select from ${living(tx, 'deals')} d where d.stage_id = r.id)
  or r.type = 'open' and exists (select from ${living(tx, 'deals')} d where d.pipeline_id = r.pipeline_id)
    and not exists (select from ${living(tx, 'stages')} o
      where o.pipeline_id = r.pipeline_id and o.type = 'open' and o.id <> all(${ids}::uuid[])))`

const IS_IN_USE: { [T in TableName]?: (tx: Ctx, ids: readonly string[]) => RawBuilder<unknown> } = {
  categories: categoryIsInUse,
  pipelines: pipelineIsInUse,
  stages: stageIsInUse,
  tags: tagIsInUse,
}
