/** Notifies the owners of the account that a webhook was disabled. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'
import { sendSoon } from '../../mail/send-soon.ts'

const MAX_OWNERS = 20

/** Only to confirmed addresses: the address of the webhook is text that a member chose. */
export async function mailNotice(ctx: Ctx, url: string, reason: string): Promise<void> {
  ctx.services.log.warn({ account: ctx.account, webhook: ctx.caller.id, reason }, 'a webhook was disabled')
  const owners = await query(
    ctx,
    sql<{ email: string }>`select u.email from ${rows(ctx, 'members')} m join users u on u.id = m.user_id
      where m.role = 'owner' and u.email_confirmed_at is not null order by u.id limit ${MAX_OWNERS}`,
  )
  for (const { email } of owners) {
    sendSoon(ctx.services, {
      to: email,
      subject: 'A webhook was disabled',
      text: [
        `Kith no longer sends events to this webhook:\n\n  ${url}`,
        `${reason}.`,
        `When the receiver works again, set is_active to true with PUT /api/webhooks/${ctx.caller.id}: the events that are missing are sent then, in order.\n`,
      ].join('\n\n'),
    })
  }
}
