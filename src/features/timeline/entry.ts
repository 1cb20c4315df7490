/** A row of the journal, told from the side of one record. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows, type TableName } from '../../kernel/statements.ts'

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

/** For each link table, which kind of record stands at its left and at its right end. */
const LINK_ENDS: Record<string, [string, string]> = {
  company_people: ['company', 'contact'],
  deal_companies: ['deal', 'company'],
  deal_contacts: ['deal', 'contact'],
  activity_contacts: ['activity', 'contact'],
  activity_companies: ['activity', 'company'],
  activity_deals: ['activity', 'deal'],
  note_contacts: ['note', 'contact'],
  note_companies: ['note', 'company'],
  note_deals: ['note', 'deal'],
  note_activities: ['note', 'activity'],
}

/** Where records of a kind keep their name. */
const NAMES: Record<string, { table: TableName; column: string }> = {
  company: { table: 'companies', column: 'name' },
  contact: { table: 'contacts', column: 'full_name' },
  deal: { table: 'deals', column: 'name' },
  activity: { table: 'activities', column: 'subject' },
  note: { table: 'notes', column: 'title' },
}

export type Names = Map<string, string | null>

function otherEnd(id: string, change: Change): { entity_type: string; id: string } | undefined {
  const ends = LINK_ENDS[change.kind]
  if (!ends || change.related_id === null) return undefined
  return change.entity_id === id
    ? { entity_type: ends[1], id: change.related_id }
    : { entity_type: ends[0], id: change.entity_id }
}

/** The present names of the records at the other ends: one statement a kind, however long the page. */
export async function namesOf(ctx: Ctx, id: string, changes: readonly Change[]): Promise<Names> {
  const wanted = Map.groupBy(
    changes.flatMap(change => otherEnd(id, change) ?? []),
    end => end.entity_type,
  )
  const names: Names = new Map()
  for (const [type, ends] of wanted) {
    const { table, column } = NAMES[type]!
    const ids = [...new Set(ends.map(end => end.id))]
    const found = await query(
      ctx,
      sql<{ id: string; name: string | null }>`
        select t.id, t.${sql.ref(column)} as name from ${rows(ctx, table)} t where t.id = any(${ids}::uuid[])`,
    )
    for (const row of found) names.set(row.id, row.name)
  }
  return names
}

export function entryOf(id: string, change: Change, names: Names) {
  const end = otherEnd(id, change)
  return {
    id: String(change.seq),
    at: change.at,
    type: typeOf(change, end?.entity_type),
    changes: end || change.before === null ? [] : fieldChanges(change),
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
  if (change.action === 'created' && related === 'note') return 'note_added'
  if (change.action === 'created' && related === 'activity') return 'activity_added'
  return { created: 'linked', deleted: 'unlinked' }[change.action as string] ?? 'link_changed'
}

/** Fields that follow from others, or only matter inside. */
const INTERNAL = new Set([
  'deleted_at',
  'full_name',
  'phone_digits',
  'stage_entered_at',
  'position',
  'search_text',
])

const fieldChanges = (change: Change) =>
  Object.keys(change.after ?? {})
    .filter(field => !INTERNAL.has(field))
    .sort()
    .map(field => ({ field, from: shown(change.before?.[field]), to: shown(change.after?.[field]) }))

/** The journal holds times as PostgreSQL writes them in JSON; answers show them as everywhere else. */
function shown(value: unknown): unknown {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/.test(value)
  return isTime ? new Date(value).toISOString() : (value ?? null)
}
