/** Stores the result of an attempt in one transaction: the delivery's log, its lane and the state of the webhook. */
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { deleteRows, rows, unscoped, updateRows } from '../../kernel/statements.ts'
import type { Lane, PendingDelivery } from './lanes.ts'
import { mailNotice } from './notice.ts'

export interface Outcome {
  url: string
  /** null: there was no response */
  responseStatus: number | null
  excerpt: string | null
  /** null: it succeeded */
  error: string | null
  durationMs: number
  /** the Retry-After of the receiver */
  retryAfterMs: number
  /** another attempt would be useless */
  isFinal: boolean
}

const MAX_ATTEMPTS_LOGGED = 20
const MAX_PAUSE_MS = 4 * 3_600_000
/** A receiver that was unavailable for this many first pauses gets all pending deliveries at once when it is back. */
const LONG_AWAY = 12
const GONE = 410

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1000}::float8)`

const isLane = ({ webhook_id, record_id, lease_id }: Lane) =>
  sql`r.webhook_id = ${webhook_id} and r.record_id = ${record_id} and r.lease_id = ${lease_id}`

/** Releases the lane for other processes at once. */
export const releaseLane = (ctx: Ctx, lane: Lane): Promise<unknown[]> =>
  updateRows(ctx, 'webhook_lanes', { lease_id: null, next_at: sql`now()` }, isLane(lane))

/**
 * Returns true if this process still has the lane and it has further deliveries. Locks the webhook before the lane, as
 * fan-out does.
 */
export async function settle(
  ctx: Ctx,
  lane: Lane,
  pending: PendingDelivery,
  outcome: Outcome,
): Promise<boolean> {
  if (outcome.error === null || outcome.isFinal)
    return transaction(ctx, tx => end(tx, lane, pending, outcome))
  const { goesOn, disabled } = await transaction(ctx, tx => fail(tx, lane, pending, outcome))
  if (disabled !== undefined) await mailNotice(ctx, pending.url, disabled)
  return goesOn
}

/** Ends the delivery, so that the next one of the record can be sent. */
async function end(tx: Ctx, lane: Lane, pending: PendingDelivery, outcome: Outcome): Promise<boolean> {
  const { leaseMs } = tx.services.config.jobs
  const isSuccess = outcome.error === null
  if (isSuccess && pending.is_failing) await recover(tx, lane.webhook_id)
  const [leased] = await updateRows(
    tx,
    'webhook_lanes',
    { next_at: sql`now() + ${seconds(leaseMs)}`, failures: 0, failing_since: null },
    isLane(lane),
    sql`r.record_id`,
  )
  if (!leased) return false
  await logAttempt(tx, pending.id, outcome, isSuccess ? 'succeeded' : 'failed')
  return !(await closeLane(tx, lane))
}

/** A lane without pending deliveries is deleted. Its row is locked, so that no delivery is added meanwhile. */
async function closeLane(tx: Ctx, lane: Lane): Promise<boolean> {
  const gone = await deleteRows(
    tx,
    'webhook_lanes',
    sql`${isLane(lane)} and not exists (
      select from ${rows(tx, 'webhook_deliveries')} d where d.webhook_id = r.webhook_id
        and d.record_id = r.record_id and d.status = 'pending')`,
    sql`r.record_id`,
  )
  return gone.length > 0
}

/**
 * The receiver responds again. If it was unavailable for long, pending deliveries do not wait for their pause to end.
 */
async function recover(tx: Ctx, webhookId: string): Promise<void> {
  const { retryMs } = tx.services.config.webhooks
  const [back] = await query(
    tx,
    sql<{ was_long: boolean }>`with failing as (
        select w.id, w.failing_since from ${rows(tx, 'webhooks')} w where w.id = ${webhookId} for no key update of w
      )
      update ${unscoped('webhooks')} w set failing_since = null from failing f
      where w.account_id = ${tx.account} and w.id = f.id
      returning coalesce(f.failing_since < now() - ${seconds(LONG_AWAY * retryMs)}, false) as was_long`,
  )
  if (back?.was_long)
    await updateRows(
      tx,
      'webhook_lanes',
      { next_at: sql`now()` },
      sql`r.webhook_id = ${webhookId} and r.lease_id is null and r.next_at > now()`,
    )
}

interface Failing {
  is_over: boolean
}

async function fail(
  tx: Ctx,
  lane: Lane,
  pending: PendingDelivery,
  outcome: Outcome,
): Promise<{ goesOn: boolean; disabled: string | undefined }> {
  const { giveUpMs, retryMs } = tx.services.config.webhooks
  const [webhook] = await updateRows(
    tx,
    'webhooks',
    { failing_since: sql`coalesce(r.failing_since, now())` },
    sql`r.id = ${lane.webhook_id}`,
    sql<Failing>`r.failing_since <= now() - ${seconds(giveUpMs)} as is_over`,
  )
  const leased = await queryOne(
    tx,
    sql<Failing & { failures: number }>`select r.failures,
        coalesce(r.failing_since <= now() - ${seconds(giveUpMs)}, false) as is_over
      from ${unscoped('webhook_lanes')} r where r.account_id = ${tx.account} and ${isLane(lane)} for update`,
  )
  if (!leased || !webhook) return { goesOn: false, disabled: undefined }
  const isGone = outcome.responseStatus === GONE
  const disabled = isGone
    ? 'The receiver answered 410 Gone'
    : webhook.is_over
      ? `Every delivery has failed for ${inWords(giveUpMs)}; the last error: ${outcome.error}`
      : undefined
  if (disabled !== undefined) await disable(tx, lane.webhook_id, disabled)
  // The delivery of a disabled webhook does not fail finally: it continues when the webhook is enabled.
  const isGivenUp = leased.is_over && disabled === undefined
  await logAttempt(tx, pending.id, outcome, isGivenUp ? 'failed' : 'pending')
  const pause = Math.max(pauseOf(leased.failures + 1, retryMs), Math.min(outcome.retryAfterMs, MAX_PAUSE_MS))
  await updateRows(
    tx,
    'webhook_lanes',
    isGivenUp
      ? { failures: 0, failing_since: null }
      : {
          failures: sql`r.failures + 1`,
          failing_since: sql`coalesce(r.failing_since, now())`,
          lease_id: null,
          next_at: sql`now() + ${seconds(pause)}`,
        },
    isLane(lane),
  )
  return { goesOn: isGivenUp && !(await closeLane(tx, lane)), disabled }
}

const inWords = (ms: number): string => {
  const hours = Math.round(ms / 3_600_000)
  return hours % 24 === 0 && hours > 0 ? `${hours / 24} days` : `${hours} hours`
}

/** Doubles with each failure, with a random spread so that deliveries that failed together are not retried together. */
export const pauseOf = (failures: number, retryMs: number, random = Math.random()): number =>
  Math.min(MAX_PAUSE_MS, retryMs * 2 ** Math.min(failures - 1, 30)) * (0.75 + random / 2)

const disable = (tx: Ctx, webhookId: string, reason: string): Promise<unknown[]> =>
  updateRows(
    tx,
    'webhooks',
    { is_active: false, disabled_reason: reason, disabled_at: sql`now()`, updated_at: sql`now()` },
    sql`r.id = ${webhookId} and r.is_active`,
  )

function logAttempt(tx: Ctx, id: string, outcome: Outcome, status: string): Promise<unknown[]> {
  const attempt = {
    at: new Date().toISOString(),
    url: outcome.url,
    response_status: outcome.responseStatus,
    response_excerpt: outcome.excerpt,
    error: outcome.error,
    duration_ms: outcome.durationMs,
  }
  const { at, ...columns } = attempt
  return updateRows(
    tx,
    'webhook_deliveries',
    {
      ...columns,
      status,
      attempted_at: at,
      attempt_count: sql`r.attempt_count + 1`,
      attempts: sql`case when jsonb_array_length(r.attempts) >= ${MAX_ATTEMPTS_LOGGED}::int then r.attempts - 0
        else r.attempts end || jsonb_build_array(${JSON.stringify(attempt)}::jsonb)`,
      updated_at: sql`now()`,
    },
    sql`r.id = ${id}`,
  )
}
