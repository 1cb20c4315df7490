/** The kinds of records that have events, and the types of these events. Derived from the resources. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { Resource } from '../../kernel/resource.ts'
import { rows, type TableName } from '../../kernel/statements.ts'
import { type KindName, kindsWith, links as linkTables, targets } from '../../resources/kinds.ts'

const ACTIONS = ['created', 'updated', 'deleted', 'restored', 'erased'] as const
const LINK_ACTIONS = { created: 'linked', updated: 'link_changed', deleted: 'unlinked' } as const

/** A kind of journal entry: a table of records, of links between two kinds of records, or the tags of one kind. */
export interface EventKind {
  /** its journal entries have this as `journalKind` */
  key: string
  table: TableName
  entityType: string
  /** the kind at the other end of a link */
  relatedType: string | undefined
  types: string[]
  /** the tables of the records that an event of this kind shows */
  shows: TableName[]
}

/** Favorites and other records that only their owner sees have no events. */
export function eventKindsOf(resources: readonly Resource[]): EventKind[] {
  const records = resources
    .filter(({ record }) => record.visible === undefined)
    .map(({ record }): EventKind => {
      const entityType = record.entityType ?? record.label.toLowerCase().replaceAll(' ', '_')
      const actions = [...ACTIONS, ...(entityType === 'deal' ? ['stage_changed'] : [])]
      const types = actions.map(action => `${entityType}.${action}`)
      const { table } = record
      return { key: table, table, entityType, relatedType: undefined, types, shows: [table] }
    })
  const links = linkTables.map(({ table, ends }): EventKind => {
    const [entityType, relatedType] = ends.map(end => end.kind) as [string, string]
    const types = Object.values(LINK_ACTIONS).map(action => `${entityType}.${relatedType}_${action}`)
    const shows = ends.map(end => targets[end.kind].table)
    return { key: table, table, entityType, relatedType, types, shows }
  })
  return [...records, files, ...links, ...kindsWith('taggable').map(taggingsOf)]
}

/** A file is on a record of one of several kinds; its events name that record. */
const files: EventKind = {
  key: 'files',
  table: 'files',
  entityType: 'file',
  relatedType: undefined,
  types: ACTIONS.map(action => `file.${action}`),
  shows: ['files', ...kindsWith('attachable').map(kind => targets[kind].table)],
}

/**
 * All tags of records are in one table. A tag on a record has nothing that could change. Its events need the scope of
 * the record alone, as its timeline and the filter `tag` of its list do: they have the tag's id, not its name, and
 * `contact.*` stays within `contacts:read`.
 */
const taggingsOf = (entityType: KindName): EventKind => ({
  key: `taggings ${entityType}`,
  table: 'taggings',
  entityType,
  relatedType: 'tag',
  types: [`${entityType}.tag_linked`, `${entityType}.tag_unlinked`],
  shows: [targets[entityType].table],
})

/** By their keys. */
export type EventKinds = ReadonlyMap<string, EventKind>

export const tablesOf = (kinds: EventKinds): TableName[] => [
  ...new Set([...kinds.values()].map(({ table }) => table)),
]

/**
 * The key of the event kind of a change `c`. The kind of a tagged record is in the row that the journal stores. Of an
 * erased record the journal has no values, and its kind is that of its other changes.
 */
export const journalKind = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`case when c.kind = 'taggings' then 'taggings '
  || coalesce(c.after ->> 'entity_type', c.before ->> 'entity_type', (
    select ${entityTypeOf} from ${rows(ctx, 'changes')} k
    where k.entity_id = c.entity_id and k.kind = any(${TAGGED_TABLES}::text[]) limit 1)) else c.kind end`

const TAGGED_TABLES = kindsWith('taggable').map(kind => targets[kind].table)
const entityTypeOf = sql`case k.kind ${sql.join(
  kindsWith('taggable').map(kind => sql`when ${sql.lit(targets[kind].table)} then ${sql.lit(kind)}`),
  sql` `,
)} end`

interface Change {
  action: (typeof ACTIONS)[number]
  after: Record<string, unknown> | null
}

/** Undoing a merge of an earlier version moves tags between records: in the journal, the new record's row is `updated`. */
export const journalAction = sql`case when c.kind = 'deals' and c.action = 'updated' and c.after ? 'stage_id'
  then 'stage_changed' when c.kind = 'taggings' and c.action = 'updated' then 'created' else c.action end`

export function typeOf({ entityType, relatedType, types }: EventKind, { action, after }: Change): string {
  if (relatedType !== undefined) {
    const type = `${entityType}.${relatedType}_${LINK_ACTIONS[action as keyof typeof LINK_ACTIONS]}`
    return types.includes(type) ? type : `${entityType}.${relatedType}_linked`
  }
  const isMoved = entityType === 'deal' && action === 'updated' && after !== null && 'stage_id' in after
  return `${entityType}.${isMoved ? 'stage_changed' : action}`
}
