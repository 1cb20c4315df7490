/** The kinds of records that have events, and the types of these events. Derived from the resources. */
import type { Resource } from '../../kernel/resource.ts'
import type { TableName } from '../../kernel/statements.ts'
import { kindsWith, links as linkTables, targets } from '../../resources/kinds.ts'

const ACTIONS = ['created', 'updated', 'deleted', 'restored', 'erased'] as const
const LINK_ACTIONS = { created: 'linked', updated: 'link_changed', deleted: 'unlinked' } as const

/** A kind of journal entry: a table of records, or of links between two kinds of records. */
export interface EventKind {
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
      return { table: record.table, entityType, relatedType: undefined, types, shows: [record.table] }
    })
  const links = linkTables.map(({ table, ends }): EventKind => {
    const [entityType, relatedType] = ends.map(end => end.kind) as [string, string]
    const types = Object.values(LINK_ACTIONS).map(action => `${entityType}.${relatedType}_${action}`)
    return { table, entityType, relatedType, types, shows: ends.map(end => targets[end.kind].table) }
  })
  return [...records, files, ...links]
}

/** A file is on a record of one of several kinds; its events name that record. */
const files: EventKind = {
  table: 'files',
  entityType: 'file',
  relatedType: undefined,
  types: ACTIONS.map(action => `file.${action}`),
  shows: ['files', ...kindsWith('attachable').map(kind => targets[kind].table)],
}

export type EventKinds = ReadonlyMap<TableName, EventKind>

interface Change {
  action: (typeof ACTIONS)[number]
  after: Record<string, unknown> | null
}

export function typeOf({ entityType, relatedType }: EventKind, { action, after }: Change): string {
  if (relatedType !== undefined)
    return `${entityType}.${relatedType}_${LINK_ACTIONS[action as keyof typeof LINK_ACTIONS]}`
  const isMoved = entityType === 'deal' && action === 'updated' && after !== null && 'stage_id' in after
  return `${entityType}.${isMoved ? 'stage_changed' : action}`
}
