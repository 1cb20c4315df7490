/** A timeline entry: a row of the journal as seen from one record. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { mayRead } from '../../../kernel/reach.ts'
import { living } from '../../../kernel/statements.ts'
import { type KindName, LINK_ATTRIBUTES, type LinkEnd, links, targets } from '../../../resources/kinds.ts'

export interface Change {
  seq: number
  at: string
  kind: string
  entity_id: string
  related_id: string | null
  action: 'created' | 'updated' | 'deleted' | 'restored' | 'erased'
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  operation_id: string | null
  operation_kind: string | null
  actor_kind: string
  actor_id: string | null
  user_id: string | null
  user_name: string | null
  total: number
}

const endsOf: ReadonlyMap<string, readonly [LinkEnd, LinkEnd]> = new Map(
  links.map(({ table, ends }) => [table, ends]),
)

export type Names = Map<string, string | null>

/** The kinds that a link can lead to, with their table and name column. */
const ENDS = {
  ...targets,
  tag: { table: 'tags', name: 'name' },
  file: { table: 'files', name: 'name' },
} as const

interface End {
  entity_type: KindName | 'tag' | 'file'
  id: string
}

function otherEnd(id: string, change: Change): End | undefined {
  if (change.kind === 'taggings' && change.related_id !== null)
    return { entity_type: 'tag', id: change.related_id }
  if (change.kind === 'files') return { entity_type: 'file', id: change.entity_id }
  const ends = endsOf.get(change.kind)
  if (!ends || change.related_id === null) return undefined
  return change.entity_id === id
    ? { entity_type: ends[1].kind, id: change.related_id }
    : { entity_type: ends[0].kind, id: change.entity_id }
}

/**
 * The current names of the linked records that are outside the trash and that the caller may read. One statement per
 * kind, regardless of the page size.
 */
export async function namesOf(ctx: Ctx, id: string, changes: readonly Change[]): Promise<Names> {
  const endsByType = Map.groupBy(
    changes.flatMap(change => otherEnd(id, change) ?? []),
    end => end.entity_type,
  )
  const names: Names = new Map()
  for (const [type, ends] of endsByType) {
    const { table, name } = ENDS[type]
    if (!mayRead(ctx, table)) continue
    const ids = [...new Set(ends.map(end => end.id))]
    const records = await query(
      ctx,
      sql<{ id: string; name: string | null }>`
        select t.id, t.${sql.ref(name)} as name from ${living(ctx, table)} t where t.id = any(${ids}::uuid[])`,
    )
    for (const row of records) names.set(row.id, row.name)
  }
  return names
}

export function entryOf(id: string, change: Change, names: Names) {
  const end = otherEnd(id, change)
  return {
    id: String(change.seq),
    at: change.at,
    type: typeOf(change, end?.entity_type ?? (endsOf.has(change.kind) ? 'record' : undefined)),
    changes: changesOf(change),
    related: end ? { ...end, name: names.get(end.id) ?? null } : null,
    actor: {
      kind: change.actor_kind,
      id: change.actor_id,
      user_id: change.user_id,
      user_name: change.user_name,
    },
    operation_id: change.operation_id,
  }
}

function typeOf(change: Change, related: string | undefined): string {
  if (related === undefined) {
    if (change.operation_kind === 'merge' && change.action !== 'created') return 'merged'
    if (
      change.kind === 'deals' &&
      change.action === 'updated' &&
      change.after &&
      'stage_id' in change.after
    ) {
      return 'stage_moved'
    }
    return change.action
  }
  if (related === 'file') return change.action === 'created' ? 'file_added' : `file_${change.action}`
  if (change.action === 'created' && related === 'note') return 'note_added'
  if (change.action === 'created' && related === 'activity') return 'activity_added'
  if (change.action === 'created') return 'linked'
  return change.action === 'deleted' ? 'unlinked' : 'link_changed'
}

/** Derived and internal fields, which are not shown. */
const INTERNAL = new Set([
  'deleted_at',
  'full_name',
  'merged_external_ids',
  'phone_digits',
  'stage_entered_at',
  'position',
  'search_text',
])

/** For a link, only its own attributes. */
function changesOf(change: Change) {
  if (change.before === null || change.after === null) return []
  if (!endsOf.has(change.kind) && change.kind !== 'taggings') return fieldChanges(change)
  return (LINK_ATTRIBUTES[change.kind] ?? [])
    .map(field => ({ field, from: shown(change.before?.[field]), to: shown(change.after?.[field]) }))
    .filter(({ from, to }) => from !== to)
}

export const fieldChanges = (change: Pick<Change, 'before' | 'after'>) =>
  Object.keys(change.after ?? {})
    .filter(field => !INTERNAL.has(field))
    .sort()
    .map(field => ({ field, from: shown(change.before?.[field]), to: shown(change.after?.[field]) }))

/** The journal stores times as PostgreSQL writes them in JSON; this converts them to the format of the API. */
function shown(value: unknown): unknown {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/.test(value)
  return isTime ? new Date(value).toISOString() : (value ?? null)
}
