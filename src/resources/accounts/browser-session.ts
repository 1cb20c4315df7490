/** Signing in with a browser: the access token in the response, the refresh token in a cookie (session-cookie.ts). */
import { sql } from 'kysely'
import { type PersonCtx, query, queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, personalEndpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { jsonReply } from '../../kernel/reply.ts'
import { type Infer, object, optional, uuid } from '../../kernel/schema/index.ts'
import { accountsOf, USER_COLUMNS, type User } from './people.ts'
import { browserSessionOutput } from './schemas.ts'
import { checkOrigin, checkOwnPage, cookieWith, refreshTokenIn, withoutCookie } from './session-cookie.ts'
import {
  ACCESS_SECONDS,
  endSessions,
  openSession,
  refreshShared,
  type Session,
  sessionOf,
} from './sessions.ts'
import { checkLogin, loginFields } from './sign-in.ts'

const credentials = object(
  { ...loginFields, account_id: optional(uuid({ description: 'The account to work in' })) },
  { title: 'SessionCreate' },
)

type Headers = Pick<ApiRequest, 'header'>

/** The first data of a page: who is signed in, and in which account. */
async function shown(
  ctx: ServiceCtx,
  { user_id, family_id, working_in }: Omit<Session, 'user_agent' | 'started_at'>,
) {
  const user = await queryOne(ctx, sql<User>`select ${USER_COLUMNS} from users where id = ${user_id}`)
  const accounts = await accountsOf(ctx, user_id)
  return {
    access_token: await ctx.services.tokens.sign(user_id, family_id),
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    user,
    accounts,
    account: accounts.find(({ id }) => id === working_in) ?? accounts[0] ?? null,
  }
}

/** Starts a session of an authenticated person. */
export async function browserSession(
  ctx: ServiceCtx,
  request: Headers,
  userId: string,
  workingIn: string | undefined,
) {
  const userAgent = request.header('user-agent')
  const { session, refreshToken } = await openSession(ctx, userId, { userAgent, workingIn })
  return { body: await shown(ctx, session), cookie: cookieWith(ctx.services.config, request, refreshToken) }
}

export const withCookie = (body: object, cookie: string | undefined, status?: number) =>
  jsonReply(body, { 'cache-control': 'no-store', ...(cookie ? { 'set-cookie': cookie } : {}) }, status)

async function signIn(ctx: ServiceCtx, request: ApiRequest<object, object, Infer<typeof credentials>>) {
  const { account_id: accountId, ...login } = request.body
  checkOrigin(ctx.services.config, request)
  const user = await checkLogin(ctx, login)
  await checkMembership(ctx, user.id, accountId)
  const { body, cookie } = await browserSession(ctx, request, user.id, accountId)
  return withCookie(body, cookie)
}

async function checkMembership(ctx: ServiceCtx, userId: string, account: string | undefined): Promise<void> {
  if (account === undefined) return
  const [membership] = await accountsOf(ctx, userId, account)
  if (!membership) throw errors.foreignAccount()
}

async function refresh(ctx: ServiceCtx, request: Headers) {
  const { config } = ctx.services
  checkOwnPage(config, request)
  const token = refreshTokenIn(config, request)
  if (token === undefined) throw errors.notAuthenticated()
  const { session, refreshToken } = await refreshShared(ctx, token)
  const cookie = refreshToken === undefined ? undefined : cookieWith(config, request, refreshToken)
  return withCookie(await shown(ctx, session), cookie)
}

/** Also when the session has ended: the cookie is removed. */
async function signOut(ctx: ServiceCtx, request: Headers) {
  const { config } = ctx.services
  checkOwnPage(config, request)
  const token = refreshTokenIn(config, request)
  const session = token === undefined ? undefined : await sessionOf(ctx, token)
  if (session) await endSessions(ctx, session.user_id, session.family_id)
  return withCookie({}, withoutCookie(config, request))
}

async function switchAccount(ctx: PersonCtx, account: string) {
  const family = ctx.caller.sessionId
  if (family === undefined) throw errors.personOnly()
  await checkMembership(ctx, ctx.user, account)
  await query(
    ctx,
    sql`update refresh_tokens set working_in = ${account} where user_id = ${ctx.user} and family_id = ${family}`,
  )
  return withCookie(
    await shown(ctx, { user_id: ctx.user, family_id: family, working_in: account }),
    undefined,
  )
}

const tag = 'Sign-in'
const shownOnce = ['access_token']

export const browserSessionEndpoints: Endpoint[] = [
  publicEndpoint({
    method: 'POST',
    path: '/api/session',
    tag,
    summary: 'Sign in with a browser',
    description:
      'For pages of this service. The refresh token is in an HttpOnly cookie, `__Host-kith` over HTTPS and `kith` over HTTP. Programs use `POST /api/auth/login`.',
    body: credentials,
    response: browserSessionOutput,
    guess: ({ body }) => body.email,
    shownOnce,
    run: signIn,
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/session/refresh',
    tag,
    summary: 'Refresh the session of a browser',
    description:
      'Exchanges the cookie for a new one and returns a new access token. A cookie that was exchanged more than 30 seconds ago ends the session; before that, the response has an access token and no cookie, because another tab has received it.',
    sessionHeader: true,
    response: browserSessionOutput,
    shownOnce,
    run: refresh,
  }),
  publicEndpoint({
    method: 'DELETE',
    path: '/api/session',
    tag,
    summary: 'Sign out with a browser',
    description: 'Ends the session of the cookie, with its access tokens, and removes the cookie.',
    sessionHeader: true,
    response: empty,
    run: signOut,
  }),
  personalEndpoint({
    method: 'POST',
    path: '/api/session/switch',
    tag,
    summary: 'Switch the account of the session',
    description:
      'The session remembers the account for the next refresh. Requests still name their account in X-Account-ID.',
    body: object({ account_id: uuid() }, { title: 'SessionSwitch' }),
    response: browserSessionOutput,
    shownOnce,
    run: (ctx, { body }) => switchAccount(ctx, body.account_id),
  }),
]
