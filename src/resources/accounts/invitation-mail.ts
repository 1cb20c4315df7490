/** The mail of an invitation. Its token differs from the inviter's, so that accepting with it proves the address. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Ctx, one, query, systemDb, transaction } from '../../kernel/context.ts'
import { HttpError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { deleteRows, insertRows } from '../../kernel/statements.ts'
import { sendSoon } from '../../mail/send-soon.ts'
import { invitationMail } from './mails.ts'
import { checkMaySend, countRecipients } from './may-send.ts'
import { tokenHash } from './sessions.ts'

export interface Mailing {
  mailed: boolean
  /** why no mail was sent, for the inviter, who can pass on the token in another way */
  mail_problem: string | null
}

/** The token of an earlier mail becomes invalid, whether another mail is sent or not. */
export async function mailInvitation(
  ctx: Ctx,
  invitation: { id: string; email: string },
  isWanted: boolean,
): Promise<Mailing> {
  await deleteRows(ctx, 'invitation_mails', sql`r.invitation_id = ${invitation.id}`)
  if (!isWanted) return { mailed: false, mail_problem: null }
  try {
    await checkMaySend(ctx)
    await mail(ctx, invitation)
    return { mailed: true, mail_problem: null }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { mailed: false, mail_problem: error.message }
  }
}

async function mail(ctx: Ctx, { id, email }: { id: string; email: string }): Promise<void> {
  const token = `inv_${randomBytes(32).toString('base64url')}`
  const hash = tokenHash(token)
  await transaction(ctx, async tx => {
    await countRecipients(tx, newId(), 1)
    await insertRows(tx, 'invitation_mails', [{ invitation_id: id, token_hash: hash }])
  })
  const names = await query(
    ctx,
    sql<{ inviter: string; account: string }>`select u.name as inviter, a.name as account
      from users u, accounts a where u.id = ${ctx.user} and a.id = ${ctx.account}`,
  )
  const { services } = ctx
  // Under an Idempotency-Key the transaction is still open; nothing is mailed if it is rolled back.
  const isStored = async () => {
    const stored = await query(
      { db: systemDb(services) },
      sql`select 1 from invitation_mails where token_hash = ${hash}`,
    )
    return stored.length > 0
  }
  sendSoon(services, invitationMail(services.config, email, token, one(names)), isStored)
}
