/** Warns about a file that this account has imported before: records without an id or an email would be doubled. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { rows } from '../../../kernel/statements.ts'
import type { Warning } from './warnings.ts'

/** `hash`: of the uploaded bytes. An import that was undone, or that wrote nothing, does not count. */
export async function importedBefore(ctx: Ctx, entityType: string, hash: string): Promise<Warning[]> {
  const earlier = await queryOne(
    ctx,
    sql<{ file_name: string; day: string; created_count: number }>`
      select i.file_name, to_char(i.started_at at time zone 'UTC', 'YYYY-MM-DD') as day, i.created_count
      from ${rows(ctx, 'imports')} i
      left join ${rows(ctx, 'operations')} o on o.id = i.operation_id
      where i.file_hash = ${hash} and i.entity_type = ${entityType} and i.status <> 'reverted'
        and i.started_at is not null and o.undone_at is null
        and (i.created_count + i.updated_count > 0 or i.status = 'running')
      order by i.started_at desc limit 1`,
  )
  if (!earlier) return []
  const { file_name, day, created_count } = earlier
  const effect =
    'rows without an id, an email or another field of options.match_on create their records a second time'
  const message = `This file was imported on ${day} already (“${file_name}”, ${created_count} created): ${effect}`
  return [{ column: null, code: 'imported_before', message }]
}
