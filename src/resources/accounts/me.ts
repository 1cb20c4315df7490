/** The calling person: profile, password and address. */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { one, type PersonCtx, query } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, personalEndpoint, putAndPatch } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { type Infer, object, optional, text } from '../../kernel/schema/index.ts'
import { mailConfirmation } from './confirm-email.ts'
import { unchanged } from './endpoints.ts'
import { checkCurrentPassword, hashPassword } from './passwords.ts'
import { emailTaken, USER_COLUMNS, type User, userById, withoutSecrets } from './people.ts'
import { emailAddress, password, personName, userOutput } from './schemas.ts'
import { endOtherSessions } from './sessions.ts'

const changes = object(
  {
    name: optional(personName),
    email: optional(emailAddress),
    password: optional(password),
    current_password: optional(text({ max: 200 })),
  },
  { title: 'UserUpdate' },
)

async function myself(ctx: PersonCtx) {
  const user = await userById(ctx, ctx.user)
  if (!user) throw errors.invalidToken()
  return user
}

async function updateMe(
  ctx: PersonCtx,
  request: ApiRequest<object, object, Infer<typeof changes>>,
): Promise<User> {
  const input = request.body
  const user = await myself(ctx)
  // The owner that the first start created has only a key, with which they can set an address and a password.
  const isUnclaimed = user.password_hash === null && user.external_subject === null
  const maySpeakForThem = ctx.caller.kind === 'user' || (isUnclaimed && ctx.caller.scopes.includes('*'))
  if (!maySpeakForThem) throw errors.personOnly()
  unchanged(request, withoutSecrets(user))
  // Both changes could take over the user: with another address, the password can be reset by mail.
  const needsPassword = input.password !== undefined || isNewAddress(user.email, input.email)
  if (needsPassword && user.password_hash !== null) {
    await checkCurrentPassword(user.password_hash, input.current_password)
  } else if (input.password !== undefined && user.external_subject !== null) {
    // A stolen token of the issuer, valid for minutes, must not be enough to set a permanent password.
    throw errors.passwordElsewhere()
  }

  const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
  const updated = await query(
    ctx,
    sql<User>`update users set name = coalesce(${input.name ?? null}, name),
      email = coalesce(${input.email ?? null}, email),
      email_confirmed_at = case when lower(email) = lower(coalesce(${input.email ?? null}, email)) then email_confirmed_at end,
      password_hash = coalesce(${passwordHash}, password_hash), updated_at = now()
      where id = ${ctx.user} returning ${USER_COLUMNS}`,
  ).catch(error => {
    throw isUniqueViolation(error) ? emailTaken() : error
  })
  const changed = one(updated)
  if (passwordHash !== null) await endOtherSessions(ctx, ctx.user, ctx.caller.sessionId)
  if (isNewAddress(user.email, input.email)) await mailConfirmation(ctx, changed)
  return changed
}

const isNewAddress = (before: string, after: string | undefined): boolean =>
  after !== undefined && after.toLowerCase() !== before.toLowerCase()

const about = {
  path: '/api/auth/me',
  tag: 'Sign-in',
  response: userOutput,
  single: true,
} as const

export const meEndpoints: Endpoint[] = [
  personalEndpoint({
    ...about,
    method: 'GET',
    summary: 'Get the signed-in person',
    description: 'With an API key, the user who created the key.',
    run: async ctx => withoutSecrets(await myself(ctx)),
  }),
  ...putAndPatch(
    personalEndpoint({
      ...about,
      method: 'PUT',
      summary: 'Update the signed-in person',
      description:
        'A new password or email address needs current_password; a user of an outside issuer cannot set a password here. A new password ends all other sessions, and a new address must be confirmed. An API key can do this only for a user who cannot sign in yet.',
      body: changes,
      guess: ({ body }, ctx) => (body.current_password === undefined ? undefined : ctx.user),
      run: updateMe,
    }),
  ),
]
