/** Records by the ids that they have in the system a file comes from. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import type { Item } from '../../../kernel/resource.ts'
import { rows, type TableName } from '../../../kernel/statements.ts'
import { isRecord } from '../../../lib/values.ts'
import { kindNames, targets } from '../../../resources/kinds.ts'
import type { Matches } from './lookups.ts'

const entityOf = (table: TableName) => kindNames.find(name => targets[name].table === table)

export async function findByExternalId(
  ctx: Ctx,
  table: TableName,
  source: string,
  ids: readonly string[],
): Promise<Map<string, Matches>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const matches = await query(
    ctx,
    sql<{ external_id: string; entity_id: string }>`select x.external_id, x.entity_id
      from ${rows(ctx, 'external_ids')} x
      where x.entity_type = ${entityOf(table)} and x.source = ${source} and x.external_id = any(${distinct}::text[])`,
  )
  const byId = new Map(matches.map(({ external_id, entity_id }) => [external_id, entity_id]))
  return new Map(distinct.map(id => [id, { key: id, ids: [byId.get(id) ?? []].flat() }]))
}

/** Which of these records have an id of the source. */
export async function haveIdOf(ctx: Ctx, source: string, records: readonly string[]): Promise<Set<string>> {
  if (records.length === 0) return new Set()
  const matches = await query(
    ctx,
    sql<{ entity_id: string }>`select x.entity_id from ${rows(ctx, 'external_ids')} x
      where x.source = ${source} and x.entity_id = any(${[...new Set(records)]}::uuid[])`,
  )
  return new Set(matches.map(({ entity_id }) => entity_id))
}

/** The id of the row in the source system. */
export function externalIdOf({ external_ids }: Item, source: string): string | undefined {
  const id = isRecord(external_ids) && Object.hasOwn(external_ids, source) ? external_ids[source] : undefined
  return typeof id === 'string' ? id : undefined
}
