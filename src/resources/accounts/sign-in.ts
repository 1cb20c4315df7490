/** Registering, signing in and out. */
import { type PersonCtx, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { type Endpoint, personalEndpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { jsonReply } from '../../kernel/reply.ts'
import { boolean, type Infer, object, oneOf, optional, text } from '../../kernel/schema/index.ts'
import { mailConfirmation } from './confirm-email.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import {
  accountsOf,
  createAccount,
  createUser,
  emailTaken,
  type User,
  userByEmail,
  withoutSecrets,
} from './people.ts'
import { registersByMail, requestRegistration } from './register-by-mail.ts'
import { checkMayRegister, registrationOf } from './registration.ts'
import {
  accountName,
  emailAddress,
  loginOutput,
  password,
  personName,
  registrationAnswer,
  secret,
  tokensOutput,
} from './schemas.ts'
import {
  ACCESS_SECONDS,
  endSessions,
  REFRESH_DAYS,
  refreshSession,
  sessionOf,
  startSession,
} from './sessions.ts'

const registration = object(
  { email: emailAddress, password, name: personName, account_name: optional(accountName) },
  { title: 'RegistrationCreate' },
)
export const loginFields = { email: emailAddress, password: text({ max: 200 }) }
const credentials = object(loginFields, { title: 'LoginCreate' })

async function register(ctx: ServiceCtx, input: Infer<typeof registration>, userAgent: string | undefined) {
  // Before the address is looked up: a caller who may not register must not learn who is registered.
  await checkMayRegister(ctx)
  if (registersByMail(ctx)) {
    await requestRegistration(ctx, input)
    return jsonReply({ mailed_to: input.email }, {}, 202)
  }
  if (await userByEmail(ctx, input.email)) throw emailTaken()
  const passwordHash = await hashPassword(input.password)
  const created = await transaction(ctx, async tx => {
    await checkMayRegister(tx)
    const user = await createUser(tx, { email: input.email, name: input.name, passwordHash, subject: null })
    const account = await createAccount(tx, user.id, input.account_name ?? input.name)
    return { ...(await startSession(tx, user.id, { userAgent })), user, account }
  })
  ctx.services.caches.forget('members')
  await mailConfirmation(ctx, created.user)
  return created
}

/** The user with this address and password. */
export async function checkLogin(ctx: ServiceCtx, input: { email: string; password: string }): Promise<User> {
  const user = await userByEmail(ctx, input.email)
  if (!(await passwordMatches(user?.password_hash, input.password)) || !user) throw errors.invalidLogin()
  return withoutSecrets(user)
}

async function login(ctx: ServiceCtx, input: Infer<typeof credentials>, userAgent: string | undefined) {
  const user = await checkLogin(ctx, input)
  return {
    ...(await startSession(ctx, user.id, { userAgent })),
    user,
    accounts: await accountsOf(ctx, user.id),
  }
}

/** Ends the sign-in of the given token if it is the caller's own, or the one that the call itself came from. */
async function logout(ctx: PersonCtx, refreshToken: string | undefined) {
  const session = refreshToken === undefined ? undefined : await sessionOf(ctx, refreshToken)
  const family = session?.user_id === ctx.user ? session.family_id : ctx.caller.sessionId
  if (family !== undefined) await endSessions(ctx, ctx.user, family)
  return {}
}

const tag = 'Sign-in'
const shownOnce = ['access_token', 'refresh_token']

const settingsOutput = object(
  {
    registration: oneOf(['open', 'invited', 'closed'], {
      description: 'Whether registration is currently open, needs an invitation, or is closed',
    }),
    password_reset: boolean({ description: 'Whether POST /api/auth/forgot-password can send a mail' }),
  },
  { title: 'SignInSettings' },
)

const open: Endpoint[] = [
  publicEndpoint({
    method: 'GET',
    path: '/api/auth/settings',
    tag,
    summary: 'Get the sign-in settings',
    description: 'What a sign-in page can offer: registration, password reset by mail, an outside issuer.',
    response: settingsOutput,
    run: async ctx => ({
      registration: await registrationOf(ctx),
      password_reset: ctx.services.config.mail !== undefined,
    }),
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/register',
    tag,
    summary: 'Register',
    description:
      'Creates a user and an account that they own, named after them unless a name is given. ' +
      'Depending on the setting KITH_REGISTRATION, this is open, possible for the first user only (403 afterwards, when an invitation is needed), or closed. ' +
      'If it is open and the service sends mail, the response is 202 for every address, registered or not, and the token in the mail completes the registration (`POST /api/auth/confirm-email`); at most five mails an hour are sent to an address.',
    body: registration,
    response: registrationAnswer,
    status: 201,
    otherStatuses: [202],
    guess: ({ body }) => body.email,
    shownOnce,
    run: (ctx, { body, header }) => register(ctx, body, header('user-agent')),
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/login',
    tag,
    summary: 'Sign in with email and password',
    description: `The access token is valid for ${ACCESS_SECONDS / 60} minutes, the refresh token for ${REFRESH_DAYS} days. 401 for a wrong password and for an unknown address alike; 429 after too many attempts (KITH_LOGIN_RATE_LIMIT).`,
    body: credentials,
    response: loginOutput,
    guess: ({ body }) => body.email,
    shownOnce,
    run: (ctx, { body, header }) => login(ctx, body, header('user-agent')),
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/refresh',
    tag,
    summary: 'Refresh tokens',
    description: 'A refresh token can be used once. Using it again ends its session.',
    body: object({ refresh_token: secret }),
    response: tokensOutput,
    shownOnce,
    run: (ctx, { body }) => refreshSession(ctx, body.refresh_token),
  }),
]

const personal: Endpoint[] = [
  personalEndpoint({
    method: 'POST',
    path: '/api/auth/logout',
    tag,
    summary: 'Sign out',
    description: 'Ends the session of the refresh token, or without one that of the access token.',
    body: object({ refresh_token: optional(secret) }),
    bodyOptional: true,
    response: empty,
    run: (ctx, { body }) => logout(ctx, body.refresh_token),
  }),
]

export const signInEndpoints = [...open, ...personal]
