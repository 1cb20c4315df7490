/** Sends the pending deliveries of a lane, one after the other. */
import { sql } from 'kysely'
import { type Ctx, contextFor, queryOne, type Services } from '../../kernel/context.ts'
import { HttpError } from '../../kernel/errors.ts'
import { rows } from '../../kernel/statements.ts'
import { type Answer, type GuardedClient, Unreachable } from '../../lib/guarded-post.ts'
import { eventAt } from '../events/read.ts'
import type { EventKinds } from '../events/types.ts'
import type { Lane, PendingDelivery } from './lanes.ts'
import { type Outcome, releaseLane, settle } from './settle.ts'
import { signedHeaders } from './signature.ts'

/** Deliveries of one lane before other lanes are served. */
const MAX_IN_A_ROW = 20
const EXCERPT_CHARACTERS = 500

export interface DeliveryTools {
  services: Services
  kinds: EventKinds
  client: GuardedClient
  /** aborted when the process stops */
  signal: AbortSignal
}

/** A context in the webhook's account, with the user who created the webhook as its caller. */
export const contextOf = (
  services: Services,
  webhook: { account_id: string; webhook_id: string; user_id: string },
): Ctx =>
  contextFor(services, {
    kind: 'job',
    id: webhook.webhook_id,
    userId: webhook.user_id,
    accountId: webhook.account_id,
    role: 'member',
    scopes: ['*'],
  })

export async function runLane(tools: DeliveryTools, lane: Lane): Promise<void> {
  const ctx = contextOf(tools.services, lane)
  for (let count = 0; count < MAX_IN_A_ROW && !tools.signal.aborted; count++) {
    const pending = await firstPending(ctx, lane)
    // The webhook was disabled or deleted, or another process has the lane.
    if (!pending) break
    const outcome = await attempt(ctx, tools, lane, pending)
    // A stopping process aborts its requests; another one sends them again.
    if (tools.signal.aborted && outcome.responseStatus === null) break
    if (!(await settle(ctx, lane, pending, outcome))) return
  }
  await releaseLane(ctx, lane)
}

const firstPending = (ctx: Ctx, lane: Lane) =>
  queryOne(
    ctx,
    sql<PendingDelivery>`select d.id, d.message_id, d.event_type, d.event_sequence, d.created_at, w.url, w.secret,
        case when w.previous_secret_expires_at > now() then w.previous_secret end as previous_secret,
        w.failing_since is not null as is_failing
      from ${rows(ctx, 'webhook_lanes')} l
      join ${rows(ctx, 'webhooks')} w on w.id = l.webhook_id
      join ${rows(ctx, 'webhook_deliveries')} d on d.webhook_id = l.webhook_id and d.record_id = l.record_id
      where l.webhook_id = ${lane.webhook_id} and l.record_id = ${lane.record_id} and l.lease_id = ${lane.lease_id}
        and w.is_active and d.status = 'pending'
      order by d.event_sequence limit 1`,
  )

async function attempt(
  ctx: Ctx,
  { kinds, client }: DeliveryTools,
  lane: Lane,
  pending: PendingDelivery,
): Promise<Outcome> {
  const none = { url: pending.url, responseStatus: null, excerpt: null, durationMs: 0, retryAfterMs: 0 }
  const secrets = secretsOf(ctx.services, lane, pending)
  if (secrets === undefined) {
    const error =
      'The secret cannot be decrypted, because KITH_ENCRYPTION_KEY was changed: rotate the secret of this webhook'
    return { ...none, error, isFinal: false }
  }
  const body = await bodyOf(ctx, kinds, lane.webhook_id, pending)
  if (body === undefined)
    return {
      ...none,
      error: 'The event is too large to be sent: read it with GET /api/events',
      isFinal: true,
    }
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = signedHeaders({ id: pending.message_id, timestamp, body: JSON.stringify(body) }, secrets)
  const began = performance.now()
  const answer = await client
    .post(new URL(pending.url), { ...HEADERS, ...signed }, JSON.stringify(body))
    .catch((error: unknown) => {
      if (error instanceof Unreachable) return error
      throw error
    })
  const durationMs = Math.round(performance.now() - began)
  if (answer instanceof Unreachable)
    return { ...none, durationMs, error: answer.message, isFinal: pending.event_sequence === null }
  return {
    url: pending.url,
    responseStatus: answer.status,
    excerpt: excerptOf(answer),
    durationMs,
    retryAfterMs: retryAfterOf(answer),
    error: problemOf(answer.status),
    isFinal: pending.event_sequence === null,
  }
}

export const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Kith-Webhooks/1' }

/** The secrets are bound to their webhook: one cannot be moved to another row. */
export const secretSubject = (account: string, webhookId: string): string => `webhook ${account} ${webhookId}`

function secretsOf(services: Services, lane: Lane, pending: PendingDelivery): string[] | undefined {
  const subject = secretSubject(lane.account_id, lane.webhook_id)
  const decrypt = (secret: string | null) =>
    secret === null ? undefined : services.encryption.decrypt(subject, secret)
  const current = decrypt(pending.secret)
  const previous = decrypt(pending.previous_secret)
  if (current === undefined) return undefined
  return previous === undefined ? [current] : [current, previous]
}

/** Undefined: the event is larger than the limit for responses of GET /api/events. */
export async function bodyOf(
  ctx: Ctx,
  kinds: EventKinds,
  webhookId: string,
  {
    event_sequence,
    event_type,
    created_at,
  }: Pick<PendingDelivery, 'event_sequence' | 'event_type' | 'created_at'>,
): Promise<object | undefined> {
  if (event_sequence === null) {
    return {
      sequence: 0,
      type: event_type,
      at: created_at,
      record: { entity_type: 'webhook', id: webhookId },
      related: null,
      changes: [],
      actor: { kind: 'system', id: null, user_id: null },
      operation_id: null,
    }
  }
  return eventAt(ctx, kinds, event_sequence).catch(error => {
    if (error instanceof HttpError) return undefined
    throw error
  })
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The answer was ${status}: redirects are not followed`
  return `The answer was ${status}`
}

/** Text that PostgreSQL can store: without NUL, and without half a character at its end. */
const excerptOf = ({ body }: Answer): string | null =>
  body
    .subarray(0, 4 * EXCERPT_CHARACTERS)
    .toString('utf8')
    .replaceAll('\0', '')
    .slice(0, EXCERPT_CHARACTERS)
    .toWellFormed() || null

/** The Retry-After of a busy receiver in seconds. */
function retryAfterOf({ status, headers }: Answer): number {
  const seconds = Number(headers['retry-after'])
  return [429, 503].includes(status) && seconds > 0 ? seconds * 1000 : 0
}
