/** Confirms an email address by a mail. Sending mail to others requires it. */
import { sql } from 'kysely'
import { one, type PersonCtx, query, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { personalEndpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { object } from '../../kernel/schema/index.ts'
import { sendSoon } from '../../mail/send-soon.ts'
import { issueToken, redeemToken } from './mail-tokens.ts'
import { confirmationMail } from './mails.ts'
import { USER_COLUMNS, type User, userById } from './people.ts'
import { completeRegistration, isRegistrationToken } from './register-by-mail.ts'
import { secret, userOutput } from './schemas.ts'

/** Mails a token to a person with a new address; false if they have received too many. */
export async function mailConfirmation(
  ctx: ServiceCtx,
  user: { id: string; email: string },
): Promise<boolean> {
  const { config } = ctx.services
  if (!config.mail) return true
  const token = await issueToken(ctx, user, 'confirm_email')
  if (token !== undefined) sendSoon(ctx.services, confirmationMail(config, user.email, token))
  return token !== undefined
}

async function sendConfirmation(ctx: PersonCtx): Promise<object> {
  if (!ctx.services.config.mail) throw errors.conflict('Email sending is not configured')
  const user = await userById(ctx, ctx.user)
  if (!user) throw errors.invalidToken()
  if (user.email_confirmed_at !== null) throw errors.conflict('Your email address is confirmed already')
  if (!(await mailConfirmation(ctx, user)))
    throw errors.usedUp('You have been sent several mails already', 3600)
  return {}
}

const confirm = (ctx: ServiceCtx, token: string): Promise<User> =>
  isRegistrationToken(token) ? completeRegistration(ctx, token) : confirmAddress(ctx, token)

const confirmAddress = (ctx: ServiceCtx, token: string): Promise<User> =>
  transaction(ctx, async tx => {
    const { id } = await redeemToken(tx, token, 'confirm_email')
    const confirmed = await query(
      tx,
      sql<User>`update users set email_confirmed_at = now(), updated_at = now() where id = ${id}
        returning ${USER_COLUMNS}`,
    )
    return one(confirmed)
  })

const tag = 'Sign-in'

export const confirmationEndpoints = [
  personalEndpoint({
    method: 'POST',
    path: '/api/auth/send-confirmation',
    tag,
    summary: 'Send a confirmation mail',
    description:
      'Registering and changing the address send this mail automatically; this sends it again, at most five times an hour. 409 if the address is confirmed or the service cannot send mail.',
    response: empty,
    status: 202,
    guess: (_, ctx) => ctx.user,
    run: sendConfirmation,
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/confirm-email',
    tag,
    summary: 'Confirm an email address',
    description:
      'A token can be used once, within three days, for the address that it was sent to. The token of a registration creates the user and their account.',
    body: object({ token: secret }, { title: 'EmailConfirmation' }),
    response: userOutput,
    guess: ({ body }) => body.token,
    run: (ctx, { body }) => confirm(ctx, body.token),
  }),
]
