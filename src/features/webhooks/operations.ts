/** Creating, changing and rotating webhooks. */
import { isIP } from 'node:net'
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Operations } from '../../kernel/resource.ts'
import { deleteRows, rows, updateRows } from '../../kernel/statements.ts'
import { isIn, isPublic, networks } from '../../lib/addresses.ts'
import { lastSequence } from '../events/numbers.ts'
import { checkMayReadType, select } from '../events/select.ts'
import type { EventKinds } from '../events/types.ts'
import { secretSubject } from './deliver.ts'
import { CHANNEL } from './dispatch.ts'
import { type Webhook, type WebhookInput, webhook } from './record.ts'
import { newSecret, secretProblem } from './signature.ts'

const MAX_WEBHOOKS = 50

const base = crud(webhook)

/** Notifies the sending processes when the transaction commits. */
export const wakeSenders = (ctx: Ctx): Promise<unknown[]> => query(ctx, sql`select pg_notify(${CHANNEL}, '')`)

type LockedWebhook = Pick<Webhook, 'event_types' | 'is_active'> & { secret: string }

/** Reads a webhook and locks it until the transaction ends. */
export async function lockWebhook(tx: Ctx, id: string): Promise<LockedWebhook> {
  const locked = await queryOne(
    tx,
    sql<LockedWebhook>`select w.event_types, w.is_active, w.secret from ${rows(tx, 'webhooks')} w where w.id = ${id}
      for no key update of w`,
  )
  if (!locked) throw errors.notFound(webhook.label)
  return locked
}

/**
 * A caller who changes the URL of a webhook or reads its deliveries needs the scopes to read the records in the events.
 */
export function checkReach(ctx: Ctx, kinds: EventKinds, types: readonly string[]): void {
  for (const type of types) checkMayReadType(ctx, kinds, type)
}

function checkInput(ctx: Ctx, kinds: EventKinds, { url, event_types }: Partial<WebhookInput>): void {
  if (url !== undefined) {
    const problem = urlProblem(url, ctx.services.config.webhooks.allow)
    if (problem !== undefined) throw errors.invalidValue(['body', 'url'], problem, url)
  }
  event_types?.forEach((type, i) => {
    select(ctx, kinds, [type], ['body', 'event_types', i])
  })
}

/** Checks the URL alone; the address that its name resolves to is checked with each connection. */
export function urlProblem(text: string, allow: readonly string[]): string | undefined {
  const url = URL.parse(text)
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'this must be an https:// address'
  if (url.username !== '' || url.password !== '')
    return 'the address must have no user name and password: verify the signature instead'
  if (url.protocol === 'http:' && allow.length === 0)
    return 'this must be an https:// address; http:// is for networks that the operator allows'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const address = /^(.+\.)?localhost\.?$/.test(host) ? '127.0.0.1' : host
  if (isIP(address) === 0) return undefined
  const isUsable = isIn(networks(allow), address) || (url.protocol === 'https:' && isPublic(address))
  return isUsable ? undefined : 'this address is not on the public internet, and its network is not allowed'
}

function checkedSecret(given: string | undefined): string {
  const problem = given === undefined ? undefined : secretProblem(given)
  // The value is not repeated: it is a secret.
  if (problem !== undefined) throw errors.invalidValue(['body', 'secret'], problem, null)
  return given ?? newSecret()
}

/** With the secret, which is shown only once. */
type NewWebhook = Webhook & { secret: string }

async function create(ctx: Ctx, kinds: EventKinds, input: WebhookInput): Promise<NewWebhook> {
  checkInput(ctx, kinds, input)
  const { secret: given, is_active = true, ...columns } = input
  const secret = checkedSecret(given)
  const id = newId()
  const position = await lastSequence(ctx.db, ctx.account, kinds)
  const created = await transaction(ctx, async tx => {
    const counted = await query(
      tx,
      sql<{ count: number }>`select count(*) as count from ${rows(tx, 'webhooks')} w`,
    )
    if (one(counted).count >= MAX_WEBHOOKS)
      throw errors.conflict(`An account has at most ${MAX_WEBHOOKS} webhooks: delete one first`)
    const encrypted = ctx.services.encryption.encrypt(secretSubject(ctx.account, id), secret)
    const set = { id, is_active, secret: encrypted, position, created_by: ctx.user }
    const webhook = await base.create(tx, columns, { set })
    await wakeSenders(tx)
    return webhook
  })
  return { ...created, secret }
}

function update(ctx: Ctx, kinds: EventKinds, id: string, input: Partial<WebhookInput>): Promise<Webhook> {
  const { secret, ...columns } = input
  if (secret !== undefined)
    throw errors.invalidValue(['body', 'secret'], `use POST /api/webhooks/${id}/rotate-secret`, null)
  return transaction(ctx, async tx => {
    const locked = await lockWebhook(tx, id)
    checkReach(tx, kinds, locked.event_types)
    checkInput(tx, kinds, columns)
    const isEnabled = columns.is_active === true && !locked.is_active
    if (isEnabled) await startAfresh(tx, id)
    const changed = await base.update(tx, id, columns, {
      set: isEnabled ? { disabled_reason: null, disabled_at: null, failing_since: null } : {},
    })
    await wakeSenders(tx)
    return changed
  })
}

/** Pending deliveries are tried at once, with as many attempts as a new delivery. */
const startAfresh = (tx: Ctx, id: string): Promise<unknown[]> =>
  updateRows(
    tx,
    'webhook_lanes',
    { failures: 0, failing_since: null, next_at: sql`now()` },
    sql`r.webhook_id = ${id} and r.lease_id is null`,
  )

async function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const gone = await deleteRows(ctx, 'webhooks', sql`r.id = any(${ids}::uuid[])`, sql`r.id`)
  return gone.length
}

/** Creates a new secret. The old one is used for signing, too, until the overlap ends. */
export async function rotate(
  ctx: Ctx,
  kinds: EventKinds,
  id: string,
  { secret: given, overlap_seconds }: { secret?: string | undefined; overlap_seconds: number },
): Promise<NewWebhook> {
  const secret = checkedSecret(given)
  const rotated = await transaction(ctx, async tx => {
    const locked = await lockWebhook(tx, id)
    checkReach(tx, kinds, locked.event_types)
    const hasOverlap = overlap_seconds > 0
    await updateRows(
      tx,
      'webhooks',
      {
        secret: ctx.services.encryption.encrypt(secretSubject(ctx.account, id), secret),
        previous_secret: hasOverlap ? locked.secret : null,
        previous_secret_expires_at: hasOverlap
          ? sql`now() + make_interval(secs => ${overlap_seconds})`
          : null,
        updated_at: sql`now()`,
      },
      sql`r.id = ${id}`,
    )
    return base.get(tx, id)
  })
  return { ...rotated, secret }
}

export const operationsFor = (kinds: EventKinds): Operations<WebhookInput, Webhook> => ({
  ...base,
  create: (ctx, input) => create(ctx, kinds, input),
  update: (ctx, id, input) => update(ctx, kinds, id, input),
  remove,
})
