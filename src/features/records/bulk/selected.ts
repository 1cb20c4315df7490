/** The records that a bulk change selects: by ids, by conditions, or all of them. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { TRASH_PARAMETERS } from '../../../kernel/list-parameters.ts'
import { checkMayRead } from '../../../kernel/reach.ts'
import type { Item, RecordType } from '../../../kernel/resource.ts'
import { boolean, list, optional, uuid } from '../../../kernel/schema/index.ts'
import { unscoped } from '../../../kernel/statements.ts'
import {
  checkedFilter,
  filterConditions,
  filterSchema,
  isAlways,
  whereConditions,
} from '../query/selection.ts'
import { whereSchema } from '../query/where.ts'

/** A larger change would hold its locks too long. A selection of more records is refused. */
export const MAX_RECORDS = 10_000

export const selectionFields = {
  ids: optional(list(uuid(), { max: MAX_RECORDS, description: 'Unknown ids are skipped' })),
  where: optional(whereSchema),
  filter: optional(filterSchema),
  all: optional(
    boolean({ description: 'true selects every record; a filter or condition that does so is refused' }),
  ),
}

export interface Selection {
  ids?: string[]
  where?: Item
  filter?: Item
  all?: boolean
}

/** Refuses a selection in no way or several ways, and one that would tell the caller what it may not read. */
export function checkSelection(ctx: Ctx, record: RecordType, { ids, where, filter, all }: Selection): void {
  const isByCondition = where !== undefined || filter !== undefined
  if ([ids !== undefined, isByCondition, all === true].filter(Boolean).length !== 1) {
    const rule = 'select the records by ids, by where and filter, or all of them by "all": true'
    throw errors.invalidValue(['body'], rule, null)
  }
  // The number of records that match a condition tells their values.
  if (ids === undefined) checkMayRead(ctx, record.table)
}

/** The selected records outside the trash, locked in one order so that two bulk changes cannot deadlock. */
export async function selected(
  tx: Ctx,
  record: RecordType,
  selection: Selection,
  isLocked = false,
): Promise<string[]> {
  const visible = record.visible ? [record.visible(tx)] : []
  const conditions = [...visible, ...(await conditionsOf(tx, record, selection))]
  const matching = await query(
    tx,
    sql<{ id: string }>`select r.id from ${unscoped(record.table)} r
      where ${sql.join([sql`r.account_id = ${tx.account}`, sql`r.deleted_at is null`, ...conditions], sql` and `)}
      order by r.id limit ${MAX_RECORDS + 1} ${isLocked ? sql`for update` : sql``}`,
  )
  if (matching.length > MAX_RECORDS) {
    const { name, value } = conditionOf(selection)
    const rule = `this matches more than ${MAX_RECORDS} records: narrow it down`
    throw errors.invalidValue(['body', name], rule, value)
  }
  return matching.map(row => row.id)
}

async function conditionsOf(tx: Ctx, record: RecordType, selection: Selection) {
  const { ids, where, filter, all } = selection
  if (ids !== undefined) return [sql`r.id = any(${ids}::uuid[])`]
  if (all) return []
  const byFilter = await filterConditions(tx, record, checkedFilter(record, filter ?? {}, TRASH_PARAMETERS))
  const byWhere = await whereConditions(tx, record, where)
  // A client that builds its conditions and has built none would change the whole account.
  if (byFilter.length === 0 && (where === undefined || isAlways(where))) {
    const { name, value } = conditionOf(selection)
    const rule = 'this matches every record: add a condition, or send "all": true instead to change them all'
    throw errors.invalidValue(['body', name], rule, value)
  }
  return [...byFilter, ...byWhere]
}

/** The part of the request that an error about the selection is about. */
function conditionOf({ where, filter, all }: Selection): { name: string; value: unknown } {
  if (where !== undefined) return { name: 'where', value: where }
  return filter === undefined ? { name: 'all', value: all } : { name: 'filter', value: filter }
}
