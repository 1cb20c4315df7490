/** A person has proved that an address is theirs. */
import { sql } from 'kysely'
import { query, type ServiceCtx } from '../../kernel/context.ts'
import { endOtherSessions } from './sessions.ts'

export type SignIn = { passwordHash: string } | { subject: string }

/**
 * Gives the user with this address a new way to sign in, after its owner has proved the address. If another person had
 * registered the address without confirming it, the new way replaces theirs, so that they lose access. All sessions end.
 */
export async function claimUser(
  tx: ServiceCtx,
  userId: string,
  signIn: SignIn,
  name?: string,
): Promise<void> {
  const passwordHash = 'passwordHash' in signIn ? signIn.passwordHash : null
  const subject = 'subject' in signIn ? signIn.subject : null
  await query(
    tx,
    sql`update users set name = coalesce(${name ?? null}, name),
        password_hash = case when email_confirmed_at is null then ${passwordHash}
          else coalesce(${passwordHash}, password_hash) end,
        external_subject = case when email_confirmed_at is null then ${subject}
          else coalesce(${subject}, external_subject) end,
        email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now()
      where id = ${userId}`,
  )
  await query(tx, sql`delete from mail_tokens where user_id = ${userId}`)
  await endOtherSessions(tx, userId, undefined)
}
