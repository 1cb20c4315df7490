/** Reading the log of a webhook, sending a test, and sending again. */
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { ListQuery, Page } from '../../kernel/resource.ts'
import { insertRows, rows, updateRows } from '../../kernel/statements.ts'
import { lastSequence } from '../events/numbers.ts'
import type { EventKinds } from '../events/types.ts'
import { bodyOf, HEADERS } from './deliver.ts'
import { openLanes } from './fan-out.ts'
import { checkReach, lockWebhook, wakeSenders } from './operations.ts'
import { type Attempt, type Delivery, delivery, webhook } from './record.ts'

export const TEST_TYPE = 'webhook.test'

const base = crud(delivery)

async function checkMayReadLog(ctx: Ctx, kinds: EventKinds, webhookId: string): Promise<string> {
  const stored = await queryOne(
    ctx,
    sql<{ event_types: string[]; url: string }>`select w.event_types, w.url from ${rows(ctx, 'webhooks')} w
      where w.id = ${webhookId}`,
  )
  if (!stored) throw errors.notFound(webhook.label)
  checkReach(ctx, kinds, stored.event_types)
  return stored.url
}

export async function listDeliveries(
  ctx: Ctx,
  kinds: EventKinds,
  webhookId: string,
  parameters: ListQuery,
): Promise<Page<Delivery>> {
  await checkMayReadLog(ctx, kinds, webhookId)
  return base.list(ctx, { ...parameters, webhook_id: webhookId })
}

export async function getDelivery(ctx: Ctx, kinds: EventKinds, webhookId: string, id: string) {
  const url = await checkMayReadLog(ctx, kinds, webhookId)
  const delivery = await deliveryOf(ctx, webhookId, id)
  const logged = await query(
    ctx,
    sql<{
      attempts: Attempt[]
    }>`select d.attempts from ${rows(ctx, 'webhook_deliveries')} d where d.id = ${id}`,
  )
  return {
    ...delivery,
    request: {
      url: delivery.url ?? url,
      headers: { ...HEADERS, 'webhook-id': delivery.message_id },
      body: (await bodyOf(ctx, kinds, webhookId, delivery)) ?? null,
    },
    attempts: one(logged).attempts,
  }
}

const checkActive = ({ is_active }: { is_active: boolean }): void => {
  if (!is_active) throw errors.conflict('This webhook is disabled: set is_active to true first')
}

async function lockReachable(tx: Ctx, kinds: EventKinds, webhookId: string) {
  const locked = await lockWebhook(tx, webhookId)
  checkReach(tx, kinds, locked.event_types)
  return locked
}

async function deliveryOf(ctx: Ctx, webhookId: string, id: string): Promise<Delivery> {
  const stored = await base.get(ctx, id)
  if (stored.webhook_id !== webhookId) throw errors.notFound(delivery.label)
  return stored
}

/** Sends a test in a separate lane, so that it waits for no other delivery; it is tried once. */
export const sendTest = (ctx: Ctx, kinds: EventKinds, webhookId: string): Promise<Delivery> =>
  transaction(ctx, async tx => {
    checkActive(await lockReachable(tx, kinds, webhookId))
    const id = newId()
    await openLanes(tx, webhookId, [id])
    await insertRows(tx, 'webhook_deliveries', [
      {
        id,
        webhook_id: webhookId,
        message_id: `test_${id.replaceAll('-', '')}`,
        event_type: TEST_TYPE,
        record_id: id,
        status: 'pending',
      },
    ])
    await wakeSenders(tx)
    return base.get(tx, id)
  })

/** Sends a delivery again. A pending one is tried now. */
export const replay = (ctx: Ctx, kinds: EventKinds, webhookId: string, id: string): Promise<Delivery> =>
  transaction(ctx, async tx => {
    const locked = await lockReachable(tx, kinds, webhookId)
    const stored = await deliveryOf(tx, webhookId, id)
    checkActive(locked)
    await openLanes(tx, webhookId, [stored.record_id])
    await updateRows(
      tx,
      'webhook_lanes',
      { next_at: sql`now()` },
      sql`r.webhook_id = ${webhookId} and r.record_id = ${stored.record_id} and r.lease_id is null`,
    )
    await updateRows(
      tx,
      'webhook_deliveries',
      { status: 'pending', updated_at: sql`now()` },
      sql`r.id = ${id} and r.status <> 'pending'`,
    )
    await wakeSenders(tx)
    return base.get(tx, id)
  })

/** Moves the webhook back to the first event since that time and creates its deliveries again from there. */
export async function replaySince(
  ctx: Ctx,
  kinds: EventKinds,
  webhookId: string,
  since: string,
): Promise<{ first_sequence: number | null }> {
  await checkMayReadLog(ctx, kinds, webhookId)
  await lastSequence(ctx.db, ctx.account, kinds)
  return transaction(ctx, async tx => {
    checkActive(await lockWebhook(tx, webhookId))
    const [first] = await query(
      tx,
      sql<{ sequence: number | null }>`select min(e.sequence) as sequence from ${rows(tx, 'events')} e
        join ${rows(tx, 'changes')} c on c.seq = e.seq where c.at >= ${since}::timestamptz`,
    )
    const sequence = first?.sequence ?? null
    if (sequence !== null)
      await updateRows(
        tx,
        'webhooks',
        { position: sql`least(r.position, ${sequence - 1}::bigint)` },
        sql`r.id = ${webhookId}`,
      )
    await wakeSenders(tx)
    return { first_sequence: sequence }
  })
}
