/** Sign-ins. Each is a family of refresh tokens, of which only the newest is valid. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'

export const ACCESS_SECONDS = 15 * 60
export const REFRESH_DAYS = 30

export interface SessionTokens {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  expires_in: number
}

/** Random tokens need no slow hash, because they cannot be guessed. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The data of a sign-in, stored with each of its tokens. */
export interface Session {
  user_id: string
  family_id: string
  /** null: now */
  started_at: string | null
  user_agent: string | null
  working_in: string | null
}

const SESSION_COLUMNS = sql`user_id, family_id, started_at, user_agent, working_in`

export interface SessionDetails {
  userAgent?: string | undefined
  workingIn?: string | undefined
}

export interface OpenSession {
  session: Session
  refreshToken: string
}

const MAX_USER_AGENT = 400

export async function openSession(
  ctx: ServiceCtx,
  userId: string,
  { userAgent, workingIn }: SessionDetails = {},
): Promise<OpenSession> {
  return withNewToken(ctx, {
    user_id: userId,
    family_id: newId(),
    started_at: null,
    user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    working_in: workingIn ?? null,
  })
}

async function withNewToken(ctx: ServiceCtx, session: Session): Promise<OpenSession> {
  const { user_id, family_id, started_at, user_agent, working_in } = session
  const refreshToken = `rt_${randomBytes(32).toString('base64url')}`
  await query(ctx, sql`delete from refresh_tokens where user_id = ${user_id} and expires_at < now()`)
  await query(
    ctx,
    sql`insert into refresh_tokens (id, user_id, family_id, token_hash, expires_at, started_at, user_agent, working_in)
      values (${newId()}, ${user_id}, ${family_id}, ${tokenHash(refreshToken)},
        now() + make_interval(days => ${REFRESH_DAYS}), coalesce(${started_at}::timestamptz, now()), ${user_agent},
        ${working_in})`,
  )
  return { session, refreshToken }
}

const tokensOf = async (ctx: ServiceCtx, { session, refreshToken }: OpenSession): Promise<SessionTokens> => ({
  access_token: await ctx.services.tokens.sign(session.user_id, session.family_id),
  refresh_token: refreshToken,
  token_type: 'bearer',
  expires_in: ACCESS_SECONDS,
})

export const startSession = async (
  ctx: ServiceCtx,
  userId: string,
  details?: SessionDetails,
): Promise<SessionTokens> => tokensOf(ctx, await openSession(ctx, userId, details))

/** Exchanges the token for a new one. If it was used before, it or its successor was stolen: the sign-in ends. */
export async function refreshSession(ctx: ServiceCtx, token: string): Promise<SessionTokens> {
  return tokensOf(ctx, (await exchanged(ctx, token)) ?? (await endReused(ctx, token)))
}

const exchanged = (ctx: ServiceCtx, token: string): Promise<OpenSession | undefined> =>
  transaction(ctx, async tx => {
    const session = await queryOne(
      tx,
      sql<Session>`update refresh_tokens set used_at = now()
        where token_hash = ${tokenHash(token)} and used_at is null and expires_at > now()
        returning ${SESSION_COLUMNS}`,
    )
    return session && withNewToken(tx, session)
  })

/** Two tabs of a browser share a cookie and may send it at the same time; the first to arrive exchanges it. */
const SHARED_SECONDS = 30

/**
 * The same for the cookie of a browser, except that its previous token is accepted for a short time, without another
 * refresh token: the browser has the new one.
 */
export async function refreshShared(
  ctx: ServiceCtx,
  token: string,
): Promise<OpenSession | { session: Session; refreshToken: undefined }> {
  const open = await exchanged(ctx, token)
  if (open) return open
  const session = await queryOne(
    ctx,
    sql<Session>`select ${SESSION_COLUMNS} from refresh_tokens
      where token_hash = ${tokenHash(token)} and used_at > now() - make_interval(secs => ${SHARED_SECONDS})`,
  )
  return session ? { session, refreshToken: undefined } : endReused(ctx, token)
}

async function endReused(ctx: ServiceCtx, token: string): Promise<never> {
  const session = await sessionOf(ctx, token)
  if (session) await endSessions(ctx, session.user_id, session.family_id)
  throw errors.invalidToken()
}

export const sessionOf = (ctx: ServiceCtx, token: string): Promise<Session | undefined> =>
  queryOne(
    ctx,
    sql<Session>`select ${SESSION_COLUMNS} from refresh_tokens where token_hash = ${tokenHash(token)}`,
  )

export const endSessions = (ctx: ServiceCtx, userId: string, familyId: string): Promise<void> =>
  endAll(ctx, userId, sql`family_id = ${familyId}`)

export const endOtherSessions = (
  ctx: ServiceCtx,
  userId: string,
  current: string | undefined,
): Promise<void> => endAll(ctx, userId, sql`family_id is distinct from ${current ?? null}::uuid`)

async function endAll(ctx: ServiceCtx, userId: string, which: ReturnType<typeof sql>): Promise<void> {
  // Repeated until nothing is left: a concurrent refresh may have added a token.
  for (;;) {
    const gone = await query(
      ctx,
      sql`delete from refresh_tokens where user_id = ${userId} and ${which} returning id`,
    )
    if (gone.length === 0) break
  }
  ctx.services.caches.forget('refresh_tokens')
}
