/** Reads the events of an account in order. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query, queryOne } from '../../kernel/context.ts'
import { queryWithinBudget } from '../../kernel/page-budget.ts'
import type { Loc } from '../../kernel/schema/index.ts'
import { rows } from '../../kernel/statements.ts'
import { required } from '../../lib/values.ts'
import { type Change, fieldChanges } from '../records/timeline/entry.ts'
import { initialValues, type Values } from './initial-values.ts'
import { checkReached, type Numbered, numberEvents } from './numbers.ts'
import { pairsOf, type Selection } from './select.ts'
import { type EventKinds, journalAction, journalKind, typeOf } from './types.ts'

/** Events that one statement scans for the requested types. */
const WINDOW = 20_000

export interface Event {
  sequence: number
  type: string
  at: string
  record: { entity_type: string; id: string }
  related: { entity_type: string; id: string } | null
  changes: { field: string; from: unknown; to: unknown }[]
  actor: { kind: string; id: string | null; user_id: string | null }
  operation_id: string | null
}

export interface EventPage {
  items: Event[]
  next_after: number
  has_more: boolean
}

export type ReadEvents = typeof eventsAfter

export const AFTER: Loc = ['query', 'after']

/** Numbers what was committed, and reads it. */
export async function eventsAfter(
  ctx: Ctx,
  kinds: EventKinds,
  selection: Selection,
  after: number,
  limit: number,
): Promise<EventPage> {
  const numbered = await numberEvents(ctx.db, ctx.account, kinds)
  checkReached(after, numbered, AFTER)
  return pageUpTo(ctx, kinds, selection, after, limit, numbered)
}

/** Reads what was numbered already: a read alone, where a numbering is a write that the disk must confirm. */
export const numberedAfter: ReadEvents = async (ctx, kinds, selection, after, limit) => {
  const feed = await queryOne(
    ctx,
    sql<{ last_sequence: number }>`select f.last_sequence from ${rows(ctx, 'event_feeds')} f`,
  )
  const last_sequence = feed?.last_sequence ?? 0
  return pageUpTo(ctx, kinds, selection, after, limit, { last_sequence, is_done: true })
}

async function pageUpTo(
  ctx: Ctx,
  kinds: EventKinds,
  selection: Selection,
  after: number,
  limit: number,
  { last_sequence, is_done }: Numbered,
): Promise<EventPage> {
  const last = Math.min(last_sequence, after + WINDOW)
  const items = after < last ? await eventsBetween(ctx, kinds, selection, after, last, limit) : []
  const next_after = items.length === limit ? (items.at(-1)?.sequence ?? after) : Math.max(after, last)
  return { items, next_after, has_more: next_after < last_sequence || !is_done }
}

export interface EventHead {
  sequence: number
  type: string
  record_id: string
}

/** The first `limit` events up to `last`, without their values. */
export async function eventHeads(
  ctx: Ctx,
  kinds: EventKinds,
  selection: Selection,
  after: number,
  last: number,
  limit: number,
): Promise<{ items: EventHead[]; next_after: number }> {
  const end = Math.min(last, after + WINDOW)
  const heads = await query(
    ctx,
    sql<Pick<Row, 'sequence' | 'kind' | 'action' | 'entity_id'> & { is_moved: boolean }>`
      select e.sequence, ${journalKind(ctx)} as kind, c.action, c.entity_id, coalesce(c.kind = 'deals' and c.after ? 'stage_id', false) as is_moved
      from ${selected(ctx, selection, after, end, limit)}`,
  )
  const items = heads.map(({ sequence, kind, action, entity_id, is_moved }) => ({
    sequence,
    type: typeOf(required(kinds, kind), { action, after: is_moved ? { stage_id: null } : null }),
    record_id: entity_id,
  }))
  return { items, next_after: heads.length === limit ? (heads.at(-1)?.sequence ?? end) : end }
}

/** One event, whatever its type. */
export async function eventAt(ctx: Ctx, kinds: EventKinds, sequence: number): Promise<Event | undefined> {
  const everything = { pairs: [...kinds.values()].flatMap(kind => pairsOf(kind)) }
  const [event] = await eventsBetween(ctx, kinds, everything, sequence - 1, sequence, 1)
  return event
}

const selected = (ctx: Ctx, selection: Selection, after: number, last: number, limit: number) =>
  sql`${rows(ctx, 'events')} e join ${rows(ctx, 'changes')} c on c.seq = e.seq
    where e.sequence > ${after} and e.sequence <= ${last} and ${isSelected(ctx, selection)}
    order by e.sequence limit ${limit}`

type Row = Omit<Change, 'seq'> & { sequence: number }

async function eventsBetween(
  ctx: Ctx,
  kinds: EventKinds,
  selection: Selection,
  after: number,
  last: number,
  limit: number,
): Promise<Event[]> {
  const rowsInRange = await queryWithinBudget(
    ctx,
    sql<
      Row & { bytes: number }
    >`select e.sequence, c.at, ${journalKind(ctx)} as kind, c.entity_id, c.related_id, c.action, c.before, c.after,
        c.operation_id, c.actor_kind, c.actor_id, c.user_id,
        coalesce(octet_length(c.before::text), 0)::bigint + coalesce(octet_length(c.after::text), 0) as bytes
      from ${selected(ctx, selection, after, last, limit)}`,
  )
  const events = rowsInRange.toSorted((a, b) => a.sequence - b.sequence)
  const created = await initialValues(
    ctx,
    events.flatMap(({ kind, action, entity_id }) => {
      const { table, relatedType } = required(kinds, kind)
      return action === 'created' && relatedType === undefined ? [{ kind: table, entity_id }] : []
    }),
  )
  const files = await recordsOfFiles(
    ctx,
    events.filter(({ kind }) => kind === 'files').map(({ entity_id }) => entity_id),
  )
  return events.map(row => ({ ...eventOf(kinds, row, created), ...files.get(row.entity_id) }))
}

/** The records that files are on. A file that was erased has none. */
async function recordsOfFiles(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, Pick<Event, 'related'>>> {
  if (ids.length === 0) return new Map()
  const files = await query(
    ctx,
    sql<{ id: string; entity_type: string; entity_id: string }>`select f.id, f.entity_type, f.entity_id
      from ${rows(ctx, 'files')} f where f.id = any(${ids}::uuid[])`,
  )
  return new Map(
    files.map(({ id, entity_type, entity_id }) => [id, { related: { entity_type, id: entity_id } }]),
  )
}

const isSelected = (ctx: Ctx, { pairs }: Selection): RawBuilder<unknown> =>
  sql`${journalKind(ctx)} || ' ' || ${journalAction} = any(${pairs}::text[])`

function eventOf(kinds: EventKinds, row: Row, created: ReadonlyMap<string, Values>): Event {
  const kind = required(kinds, row.kind)
  const { entityType, relatedType } = kind
  return {
    sequence: row.sequence,
    type: typeOf(kind, row),
    at: row.at,
    record: { entity_type: entityType, id: row.entity_id },
    related:
      relatedType !== undefined && row.related_id !== null
        ? { entity_type: relatedType, id: row.related_id }
        : null,
    changes: relatedType === undefined ? changesOf(row, created) : [],
    actor: { kind: row.actor_kind, id: row.actor_id, user_id: row.user_id },
    operation_id: row.operation_id,
  }
}

function changesOf(row: Row, created: ReadonlyMap<string, Values>): Event['changes'] {
  if (row.action === 'created')
    return fieldChanges({ before: null, after: created.get(row.entity_id) ?? null })
  return row.before === null ? [] : fieldChanges(row)
}
