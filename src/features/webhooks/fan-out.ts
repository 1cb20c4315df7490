/** Creates a pending delivery for every event that a webhook subscribes to, in the order of the events. */
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { deleteRows, insertRows, rows, updateRows } from '../../kernel/statements.ts'
import { lastSequence } from '../events/numbers.ts'
import { type EventHead, eventHeads } from '../events/read.ts'
import { selectStored } from '../events/select.ts'
import type { EventKinds } from '../events/types.ts'

const BATCH = 500
/** Beyond this number of pending deliveries, further events wait in the journal. */
const MAX_PENDING = 10_000
/** Finished deliveries in the log of each webhook; older ones are deleted. */
const MAX_ENDED = 10_000

/** `more`: there are further events; `full`: too many deliveries are pending. */
export type FanOut = 'done' | 'more' | 'full'

export async function fanOut(ctx: Ctx, kinds: EventKinds, webhookId: string): Promise<FanOut> {
  // Called before the transaction, because numbering works only in a transaction that has written nothing.
  const last = await lastSequence(ctx.db, ctx.account, kinds)
  return transaction(ctx, async tx => {
    const webhook = await queryOne(
      tx,
      sql<{ event_types: string[]; position: number }>`select w.event_types, w.position
        from ${rows(tx, 'webhooks')} w where w.id = ${webhookId} and w.is_active for no key update of w`,
    )
    if (!webhook || webhook.position >= last) return 'done'
    const room = MAX_PENDING - (await pendingCount(tx, webhookId))
    if (room <= 0) return 'full'
    const selection = selectStored(kinds, webhook.event_types)
    const limit = Math.min(room, BATCH)
    const { items, next_after } = await eventHeads(tx, kinds, selection, webhook.position, last, limit)
    await insertDeliveries(tx, webhookId, items)
    await updateRows(tx, 'webhooks', { position: next_after }, sql`r.id = ${webhookId}`)
    return next_after < last ? 'more' : 'done'
  })
}

async function pendingCount(tx: Ctx, webhookId: string): Promise<number> {
  const counted = await query(
    tx,
    sql<{ count: number }>`select count(*) as count from (
      select from ${rows(tx, 'webhook_deliveries')} d where d.webhook_id = ${webhookId} and d.status = 'pending'
      limit ${MAX_PENDING}) p`,
  )
  return one(counted).count
}

/** Identifies an event for the receiver when it is delivered again, also after a replay. */
const messageId = (webhookId: string, sequence: number) => `evt_${webhookId.replaceAll('-', '')}_${sequence}`

async function insertDeliveries(tx: Ctx, webhookId: string, events: readonly EventHead[]): Promise<void> {
  if (events.length === 0) return
  await openLanes(
    tx,
    webhookId,
    events.map(({ record_id }) => record_id),
  )
  await insertRows(
    tx,
    'webhook_deliveries',
    events.map(({ sequence, type, record_id }) => ({
      id: newId(),
      webhook_id: webhookId,
      message_id: messageId(webhookId, sequence),
      event_type: type,
      event_sequence: sequence,
      record_id,
      status: 'pending',
    })),
    // On a replay the delivery already exists.
    {
      onConflict: sql`(account_id, webhook_id, event_sequence) do update
        set status = 'pending', updated_at = now() where r.status <> 'pending'`,
    },
  )
  await deleteRows(
    tx,
    'webhook_deliveries',
    sql`r.id = any(array(select d.id from ${rows(tx, 'webhook_deliveries')} d
      where d.webhook_id = ${webhookId} and d.deleted_at is null and d.status <> 'pending'
      order by d.created_at desc, d.id desc offset ${MAX_ENDED} limit ${2 * BATCH}))`,
  )
}

/**
 * Inserts lanes before their deliveries, and locks those that exist. A process that closes a lane locks it first: it
 * then either sees these deliveries, or has deleted the lane and this inserts a new one.
 */
export const openLanes = (tx: Ctx, webhookId: string, recordIds: readonly string[]): Promise<unknown[]> =>
  insertRows(
    tx,
    'webhook_lanes',
    [...new Set(recordIds)].sort().map(record_id => ({ webhook_id: webhookId, record_id })),
    {
      onConflict: sql`(account_id, webhook_id, record_id) do update
        set next_at = case when r.lease_id is null and r.failures = 0 then now() else r.next_at end`,
    },
  )
