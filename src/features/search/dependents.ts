/** Finds records whose texts show the name of a changed record, so that they are indexed again. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows, type TableName, unscoped } from '../../kernel/statements.ts'
import { type KindName, kindNames, kindsWith, type LinkEnd, links, targets } from '../../resources/kinds.ts'
import { referrers } from '../records/referrers.ts'
import { SOURCES } from './sources/index.ts'

/** The most records that are indexed again because a record whose name they show was renamed. */
const MAX_DEPENDENTS = 2000

interface Dependent {
  entityType: string
  table: TableName
  by: string
  id: string
}

const typeOfTable = new Map<string, string>(SOURCES.map(source => [source.table, source.entityType]))

/** Records that refer to a record of this kind, or are linked to one, show its name. */
function dependentsOf(kind: KindName): Dependent[] {
  const referring = referrers.flatMap(({ table, column, to }) => {
    const entityType = typeOfTable.get(table)
    return to === kind && entityType ? [{ entityType, table, by: column, id: 'id' }] : []
  })
  const linked = links.flatMap(({ table, ends: [left, right] }) => {
    const shownBy = (own: LinkEnd, other: LinkEnd) =>
      other.kind === kind && own.shows
        ? [{ entityType: own.kind, table, by: other.column, id: own.column }]
        : []
    return [...shownBy(left, right), ...shownBy(right, left)]
  })
  return [...referring, ...linked]
}

/** By table: where its names are shown, so that a rename there makes these records out of date. */
const DEPENDENTS: Record<string, Dependent[]> = {
  ...Object.fromEntries(kindNames.map(name => [targets[name].table, dependentsOf(name)])),
  stages: [{ entityType: 'deal', table: 'deals', by: 'stage_id', id: 'id' }],
  chats: [{ entityType: 'chat_message', table: 'chat_messages', by: 'chat_id', id: 'id' }],
}

export const KINDS_SHOWN = Object.keys(DEPENDENTS)

/** By link table: the kinds of record at its ends whose texts show the link; null for an end that does not. */
export const SHOWING_ENDS: Record<string, (KindName | null)[]> = Object.fromEntries(
  links.map(({ table, ends }) => [table, ends.map(({ kind, shows }) => (shows ? kind : null))]),
)

/** Tags and names of custom fields belong to records of several kinds. */
export async function markTagged(
  ctx: Ctx,
  changes: readonly { kind: string; entity_id: string; renamed: boolean }[],
): Promise<void> {
  const tagged = changes.filter(change => change.kind === 'taggings').map(change => change.entity_id)
  const tags = changes
    .filter(change => change.kind === 'tags' && change.renamed)
    .map(change => change.entity_id)
  if (tagged.length + tags.length > 0) {
    await addDirty(
      ctx,
      sql`select distinct on (t.entity_id) t.entity_type, t.entity_id, 0 from ${rows(ctx, 'taggings')} t
        where t.tag_id = any(${tags}::uuid[]) or t.entity_id = any(${tagged}::uuid[]) limit ${MAX_DEPENDENTS}`,
    )
    // A record whose last tag was removed has no tagging left that states its kind.
    for (const entityType of tagged.length > 0 ? kindsWith('taggable') : []) {
      const { table } = targets[entityType]
      await addDirty(
        ctx,
        sql`select ${entityType}::text, t.id, 0 from ${rows(ctx, table)} t where t.id = any(${tagged}::uuid[])`,
      )
    }
  }
  const fields = changes.filter(change => change.kind === 'custom_fields').map(change => change.entity_id)
  if (fields.length === 0) return
  await addDirty(
    ctx,
    sql`select distinct on (v.entity_id) f.entity_type, v.entity_id, 1 from ${rows(ctx, 'custom_values')} v
      join ${rows(ctx, 'custom_fields')} f on f.id = v.field_id
      where v.field_id = any(${fields}::uuid[]) limit ${MAX_DEPENDENTS}`,
  )
}

/** Contacts and deals of companies: their notes and activities are also indexed under the company's name. */
const OF_COMPANIES: { kind: string; table: TableName; id: string }[] = [
  { kind: 'contacts', table: 'contacts', id: 'id' },
  { kind: 'deals', table: 'deal_companies', id: 'deal_id' },
]

export async function markDependents(ctx: Ctx, kind: string, ids: readonly string[]): Promise<void> {
  for (const { entityType, table, by, id } of ids.length > 0 ? (DEPENDENTS[kind] ?? []) : []) {
    await addDirty(
      ctx,
      sql`select ${entityType}::text, t.${sql.ref(id)}, 1 from ${rows(ctx, table)} t
        where t.${sql.ref(by)} = any(${ids}::uuid[]) group by 2 order by 2 desc limit ${MAX_DEPENDENTS}`,
    )
  }
  for (const { kind: memberKind, table, id } of kind === 'companies' && ids.length > 0 ? OF_COMPANIES : []) {
    const members = await query(
      ctx,
      sql<{ id: string }>`select t.${sql.ref(id)} as id from ${rows(ctx, table)} t
        where t.company_id = any(${ids}::uuid[]) group by 1 order by 1 desc limit ${MAX_DEPENDENTS}`,
    )
    await markDependents(
      ctx,
      memberKind,
      members.map(row => row.id),
    )
  }
}

export const addDirty = (ctx: Ctx, select: ReturnType<typeof sql>) =>
  query(
    ctx,
    sql`insert into ${unscoped('search_dirty')} as d (account_id, entity_type, entity_id, priority)
      select ${ctx.account}, n.* from (${select}) n (entity_type, entity_id, priority)
      on conflict (account_id, entity_id) do update set priority = excluded.priority
      where d.priority = 1 and excluded.priority <> 1`,
  )
