/** Sets a new password by a token that was mailed to the person's address. */
import { type ServiceCtx, transaction } from '../../kernel/context.ts'
import { publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { object } from '../../kernel/schema/index.ts'
import { sendSoon } from '../../mail/send-soon.ts'
import { claimUser } from './claim.ts'
import { checkToken, issueToken, redeemToken } from './mail-tokens.ts'
import { resetMail } from './mails.ts'
import { hashPassword } from './passwords.ts'
import { userByEmail } from './people.ts'
import { emailAddress, password, secret } from './schemas.ts'

/** A person who signs in through an external issuer has no password to reset. */
async function mailReset(ctx: ServiceCtx, email: string): Promise<void> {
  const user = await userByEmail(ctx, email)
  if (!user || (user.password_hash === null && user.external_subject !== null)) return
  const token = await issueToken(ctx, user, 'reset_password')
  if (token !== undefined) sendSoon(ctx.services, resetMail(ctx.services.config, user.email, token))
}

/** Answered before the address is looked up, so that neither the answer nor its time reveals who is registered. */
async function forgot(ctx: ServiceCtx, email: string): Promise<object> {
  const { config, log } = ctx.services
  if (!config.mail) throw errors.conflict('Email sending is not configured')
  mailReset(ctx, email).catch(error => log.error({ err: error }, 'a password reset could not be prepared'))
  return {}
}

async function reset(ctx: ServiceCtx, token: string, newPassword: string): Promise<object> {
  await checkToken(ctx, token, 'reset_password')
  const passwordHash = await hashPassword(newPassword)
  await transaction(ctx, async tx => {
    const { id } = await redeemToken(tx, token, 'reset_password')
    await claimUser(tx, id, { passwordHash })
  })
  return {}
}

const tag = 'Sign-in'

export const resetEndpoints = [
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    tag,
    summary: 'Request a password reset',
    description:
      'The response is the same whether the address is registered or not. At most five mails an hour are sent to a user. 409 if the service cannot send mail.',
    body: object({ email: emailAddress }, { title: 'PasswordForgotten' }),
    response: empty,
    status: 202,
    guess: ({ body }) => body.email,
    run: (ctx, { body }) => forgot(ctx, body.email),
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    tag,
    summary: 'Reset a password',
    description:
      'A token can be used once, within an hour. All sessions of the user end, and their address counts as confirmed. Sign in with the new password afterwards.',
    body: object({ token: secret, password }, { title: 'PasswordReset' }),
    response: empty,
    guess: ({ body }) => body.token,
    run: (ctx, { body }) => reset(ctx, body.token, body.password),
  }),
]
