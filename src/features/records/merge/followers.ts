/**
 * The rows that refer to a record and must refer to the merged record after a merge: links, references, notes and
 * favorites; its tags are written anew. A test compares this with the foreign keys of the database.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { deleteRows, rows, type TableName, TO_TRASH, updateRows } from '../../../kernel/statements.ts'
import { type KindWith, kindsWith, links } from '../../../resources/kinds.ts'
import { moveTags } from '../../../resources/tags/merge.ts'
import { referrers } from '../referrers.ts'

export interface Follower {
  table: TableName
  /** the column that points to the record */
  column: string
  /** at most one row per record and these columns: the others are deleted */
  onePer?: string[]
  /** the column references several kinds of record; entity_type says which */
  byEntityType?: boolean
}

/** The column `entity_id` of these tables points to records of several kinds. */
const BY_ENTITY_TYPE: Follower[] = [
  { table: 'notes', column: 'entity_id', byEntityType: true },
  { table: 'files', column: 'entity_id', byEntityType: true },
  { table: 'favorites', column: 'entity_id', byEntityType: true, onePer: ['user_id'] },
]

export type Mergeable = KindWith<'merged'>
export const MERGEABLE: readonly string[] = kindsWith('merged')

export const followersOf = (kind: Mergeable): Follower[] => [
  ...links.flatMap(({ table, ends: [left, right] }): Follower[] => [
    ...(left.kind === kind ? [{ table, column: left.column, onePer: [right.column] }] : []),
    ...(right.kind === kind ? [{ table, column: right.column, onePer: [left.column] }] : []),
  ]),
  ...referrers.filter(({ to }) => to === kind).map(({ table, column }) => ({ table, column })),
  ...BY_ENTITY_TYPE,
]

/** Changes every reference to a record in `from` into a reference to `to`. */
export async function moveFollowers(
  tx: Ctx,
  entityType: Mergeable,
  to: string,
  from: readonly string[],
): Promise<void> {
  await keepOnePrimary(tx, entityType, to, from)
  for (const follower of followersOf(entityType)) {
    const column = sql.ref(follower.column)
    const kind = follower.byEntityType ? sql`and r.entity_type = ${entityType}` : sql``
    if (follower.onePer) await dropDoubles(tx, follower, entityType, to, from)
    await updateRows(
      tx,
      follower.table,
      sql`${column} = ${to}`,
      sql`r.${column} = any(${from}::uuid[]) ${kind}`,
    )
  }
  await moveTags(tx, entityType, to, from)
}

/** Deletes rows that would become duplicates. The primary's own row remains, else the oldest. */
async function dropDoubles(
  tx: Ctx,
  { table, column, onePer, byEntityType }: Follower,
  entityType: string,
  to: string,
  from: readonly string[],
): Promise<void> {
  const groups = sql.join((onePer ?? []).map(name => sql`d.${sql.ref(name)}`))
  const isTrashable = table === 'favorites'
  const doubles = sql`r.id in (
    select x.id from (
      select d.id, row_number() over (partition by ${groups} order by d.${sql.ref(column)} = ${to} desc, d.created_at, d.id) as place
      from ${rows(tx, table)} d
      where d.${sql.ref(column)} = any(${[to, ...from]}::uuid[])
        ${byEntityType ? sql`and d.entity_type = ${entityType}` : sql``}
        ${isTrashable ? sql`and d.deleted_at is null` : sql``}
    ) x where x.place > 1)`
  if (isTrashable) await updateRows(tx, table, TO_TRASH, doubles)
  else await deleteRows(tx, table, doubles)
}

/** A company has at most one primary contact. The merged company keeps its own, else gets the first of the others'. */
async function keepOnePrimary(
  tx: Ctx,
  entityType: string,
  to: string,
  from: readonly string[],
): Promise<void> {
  if (entityType !== 'company') return
  const [primary] = await query(
    tx,
    sql<{ id: string }>`select l.id from ${rows(tx, 'company_people')} l
      where l.is_primary and l.company_id = any(${[to, ...from]}::uuid[])
      order by l.company_id = ${to} desc, array_position(${from}::uuid[], l.company_id) limit 1`,
  )
  if (!primary) return
  await updateRows(
    tx,
    'company_people',
    { is_primary: false },
    sql`r.is_primary and r.company_id = any(${from}::uuid[]) and r.id <> ${primary.id}`,
  )
}
