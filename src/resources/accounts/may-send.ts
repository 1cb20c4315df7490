/** Which accounts may send mail, and to how many recipients. */
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { insertRows, rows } from '../../kernel/statements.ts'

/**
 * The caller's address must be confirmed, so that every sender under the service's address can be reached.
 * Members of the operator's account are trusted.
 */
export async function checkMaySend(ctx: Ctx): Promise<void> {
  if (!ctx.services.config.mail) throw errors.conflict('Email sending is not configured')
  const allowed = await queryOne(
    ctx,
    sql`select 1 as yes from accounts a where a.id = ${ctx.account} and (a.is_operators or exists (
      select from users u where u.id = ${ctx.user} and u.email_confirmed_at is not null))`,
  )
  if (!allowed) throw errors.unconfirmedSender()
}

/**
 * Counts the recipients of a mail towards the account's 24 hours, and refuses it when they are too many. The same id
 * is counted once, with its latest number.
 */
export async function countRecipients(tx: Ctx, id: string, recipients: number): Promise<void> {
  const limit = tx.services.config.limits.mailRecipientsPerDay
  if (limit === 0) return
  if (recipients > limit) {
    throw errors.conflict(`A mail goes to at most ${limit} people here, and this one to ${recipients}`)
  }
  // One mail of the account at a time: two concurrent ones would both be within the limit.
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${tx.account}`}, 0))`)
  const day = await query(
    tx,
    sql<{ used: number; wait: number }>`select coalesce(sum(m.recipients), 0)::int as used,
        coalesce(ceil(extract(epoch from min(m.at) + interval '1 day' - clock_timestamp())), 0)::int as wait
      from ${rows(tx, 'mail_recipients')} m where m.at > now() - interval '1 day' and m.id <> ${id}`,
  )
  const { used, wait } = one(day)
  if (used + recipients > limit) {
    throw errors.usedUp(
      `This account may write to ${limit} people within 24 hours and has written to ${used}: send this later`,
      Math.max(1, wait),
    )
  }
  await insertRows(tx, 'mail_recipients', [{ id, recipients }], {
    onConflict: sql`(account_id, id) do update set recipients = excluded.recipients,
      at = case when r.at < now() - interval '1 day' then now() else r.at end`,
  })
}
