/** Single-use tokens that are mailed. Redeeming one proves that its holder reads the mail of the address. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { tokenHash } from './sessions.ts'

export type Purpose = 'confirm_email' | 'reset_password'

interface Kind {
  prefix: string
  hours: number
}

export const MAIL_TOKENS: Record<Purpose, Kind> = {
  confirm_email: { prefix: 'cet', hours: 72 },
  reset_password: { prefix: 'prt', hours: 1 },
}

/** The maximum of mails of one purpose per person and hour, so that repeated requests do not flood a mailbox. */
const PER_HOUR = 5

/** A new token, or undefined if the person has received too many. */
export async function issueToken(
  ctx: ServiceCtx,
  user: { id: string; email: string },
  purpose: Purpose,
): Promise<string | undefined> {
  const { prefix, hours } = MAIL_TOKENS[purpose]
  const token = `${prefix}_${randomBytes(32).toString('base64url')}`
  return transaction(ctx, async tx => {
    // One at a time: two concurrent requests would both be within the limit.
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`mail token ${user.id}`}, 0))`)
    const issued = await query(
      tx,
      sql`select 1 from mail_tokens where user_id = ${user.id} and purpose = ${purpose}
        and created_at > now() - interval '1 hour'`,
    )
    if (issued.length >= PER_HOUR) return undefined
    await query(
      tx,
      sql`insert into mail_tokens (token_hash, user_id, purpose, email, expires_at) values (${tokenHash(token)},
        ${user.id}, ${purpose}, ${user.email}, now() + make_interval(hours => ${hours}))`,
    )
    return token
  })
}

interface Holder {
  id: string
  email: string
}

/** The holder of a token, if they still have the address that it was mailed to. */
const selectHolder = (token: string, purpose: Purpose) =>
  sql<Holder>`select u.id, u.email from mail_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${tokenHash(token)} and t.purpose = ${purpose} and t.expires_at > now()
      and lower(u.email) = lower(t.email)`

export const badToken = () =>
  errors.invalidValue(
    ['body', 'token'],
    'this token was used before, has expired or never existed: ask for a new mail',
    // The error does not repeat the token: it may be valid elsewhere.
    null,
  )

/** Refuses an invalid token before any expensive work. */
export async function checkToken(ctx: ServiceCtx, token: string, purpose: Purpose): Promise<void> {
  if (!(await queryOne(ctx, selectHolder(token, purpose)))) throw badToken()
}

/** Deletes the token and all others of the person for the same purpose. */
export async function redeemToken(tx: ServiceCtx, token: string, purpose: Purpose): Promise<Holder> {
  const holder = await queryOne(tx, sql<Holder>`${selectHolder(token, purpose)} for update of t, u`)
  if (!holder) throw badToken()
  await query(tx, sql`delete from mail_tokens where user_id = ${holder.id} and purpose = ${purpose}`)
  return holder
}
