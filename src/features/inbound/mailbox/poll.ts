/**
 * Reads the mailbox of KITH_IMAP_URL at intervals and logs its mails as `POST /api/inbound/mail` does. Of several
 * processes one reads at a time; the next one goes on where it stopped (position.ts).
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { MailboxAddress } from '../../../config.ts'
import { isUnavailable } from '../../../db/sqlstate.ts'
import type { Ctx, Services } from '../../../kernel/context.ts'
import { HttpError } from '../../../kernel/errors.ts'
import { messageOf } from '../../../lib/thrown.ts'
import { property } from '../../../lib/values.ts'
import { ownerContext } from '../../../resources/accounts/owner-context.ts'
import { logMail } from '../log.ts'
import { type OpenMailbox, openMailbox } from './connection.ts'
import { advance, claim, countAttempt, type Position, release } from './position.ts'

export interface MailboxPoller {
  stop(): Promise<void>
}

const MAILS_A_ROUND = 500
/** A round ends after the first time, between two mails; a server that is slower than the second one has failed. */
const ROUND_MS = 120_000
const STUCK_MS = 300_000
/** A mail that the database refuses this often is left out, so that it does not stop those after it. */
const MAX_ATTEMPTS = 5
const MAX_PAUSE_MS = 3_600_000

/** Undefined: no mailbox is configured. */
export function startMailboxPoller(services: Services): MailboxPoller | undefined {
  const { imap } = services.config
  if (!imap) return undefined
  const stopping = new AbortController()
  const ended = pollUntil(stopping.signal, services, imap)
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}

async function pollUntil(signal: AbortSignal, services: Services, address: MailboxAddress): Promise<void> {
  // No other process can have the embedded database: a lease in it is of a process that has ended.
  if (services.engine.kind === 'embedded')
    await ownerContext(services, address.account)
      .then(ctx => release(ctx, address.name, 0, 0))
      .catch(() => {})
  while (!signal.aborted) {
    const hasMore = await poll(signal, services, address)
    // Each process looks as often; whether the mailbox is due is in the database.
    if (!hasMore) await pause(address.everyMs, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** One round, if the mailbox is due. Never rejects: a failure is logged, and the pause doubles with each. */
async function poll(signal: AbortSignal, services: Services, address: MailboxAddress): Promise<boolean> {
  const { log } = services
  let ctx: Ctx | undefined
  let position: Position | undefined
  try {
    ctx = await ownerContext(services, address.account)
    position = await claim(ctx, address.name)
    if (!position) return false
    const round = AbortSignal.any([signal, AbortSignal.timeout(STUCK_MS)])
    const hasMore = await readNew(ctx, address, position, round)
    await release(ctx, address.name, 0, hasMore ? 0 : address.everyMs)
    return hasMore
  } catch (error) {
    const failures = (position?.failures ?? 0) + 1
    const wait = signal.aborted ? 0 : pauseAfter(failures, address.everyMs)
    if (!signal.aborted)
      log.warn(
        { mailbox: address.name, reason: reasonOf(error, address), failures, wait_s: wait / 1000 },
        'the mailbox could not be read',
      )
    if (ctx && position) await release(ctx, address.name, signal.aborted ? 0 : failures, wait).catch(() => {})
    return false
  }
}

const pauseAfter = (failures: number, everyMs: number): number =>
  Math.max(everyMs, Math.min(everyMs * 2 ** Math.min(failures, 20), MAX_PAUSE_MS))

async function readNew(ctx: Ctx, address: MailboxAddress, position: Position, signal: AbortSignal) {
  const mailbox = await openMailbox(address, ctx.services.config.limits.bodyBytes, signal)
  try {
    const { uidValidity } = mailbox
    const isSame = position.uid_validity === uidValidity
    const uids = await mailbox.uidsAfter(isSame ? position.last_uid : 0)
    let attempts = isSame ? position.attempts : 0
    const end = performance.now() + ROUND_MS
    for (const uid of uids.slice(0, MAILS_A_ROUND)) {
      if (signal.aborted || performance.now() > end) return true
      await logFrom(mailbox, ctx, address, uid, attempts)
      await advance(ctx, address.name, uidValidity, uid)
      attempts = 0
      position.failures = 0
    }
    return uids.length > MAILS_A_ROUND
  } finally {
    mailbox.close()
  }
}

async function logFrom(
  mailbox: OpenMailbox,
  ctx: Ctx,
  { name }: MailboxAddress,
  uid: number,
  attempts: number,
): Promise<void> {
  const { log } = ctx.services
  const raw = await mailbox.fetch(uid)
  if (raw === 'gone') return
  if (raw === 'too large') return log.warn({ mailbox: name, uid }, 'a mail is larger than KITH_BODY_LIMIT')
  try {
    const { status, activity_id } = await logMail(ctx, raw)
    log.debug({ mailbox: name, uid, status, activity_id }, 'a mail was read')
  } catch (error) {
    if (isUnavailable(error) || (error instanceof HttpError && error.status === 429)) throw error
    const isRefused = error instanceof HttpError && error.status < 500
    if (!isRefused && attempts + 1 < MAX_ATTEMPTS) {
      await countAttempt(ctx, name)
      throw error
    }
    log.error({ err: error, mailbox: name, uid }, 'a mail cannot be logged and is left out')
  }
}

/** Neither the password nor the command that contains it. */
function reasonOf(error: unknown, { password }: MailboxAddress): string {
  if (property(error, 'authenticationFailed') === true) return 'the server refuses the user or the password'
  const response = property(error, 'responseText')
  const reason = typeof response === 'string' ? `the server answers: ${response}` : messageOf(error)
  return reason.slice(0, 500).replaceAll(password, '***')
}
