/** Sign-ins. Each is a family of refresh tokens, of which only the newest is valid. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'

export const ACCESS_SECONDS = 15 * 60
const REFRESH_DAYS = 30

export interface SessionTokens {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  expires_in: number
}

/** Random tokens need no slow hash: there is nothing to guess them from. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

export async function startSession(
  ctx: ServiceCtx,
  userId: string,
  familyId: string = newId(),
): Promise<SessionTokens> {
  const refreshToken = `rt_${randomBytes(32).toString('base64url')}`
  await query(ctx, sql`delete from refresh_tokens where user_id = ${userId} and expires_at < now()`)
  await query(
    ctx,
    sql`insert into refresh_tokens (id, user_id, family_id, token_hash, expires_at)
      values (${newId()}, ${userId}, ${familyId}, ${tokenHash(refreshToken)},
        now() + make_interval(days => ${REFRESH_DAYS}))`,
  )
  return {
    access_token: await ctx.services.tokens.sign(userId, familyId),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
  }
}

interface Used {
  user_id: string
  family_id: string
}

/** Exchanges the token for a new one. If it was used before, it or its successor was stolen: the sign-in ends. */
export async function refreshSession(ctx: ServiceCtx, token: string): Promise<SessionTokens> {
  const renewed = await transaction(ctx, async tx => {
    const used = await queryOne(
      tx,
      sql<Used>`update refresh_tokens set used_at = now()
        where token_hash = ${tokenHash(token)} and used_at is null and expires_at > now()
        returning user_id, family_id`,
    )
    return used && startSession(tx, used.user_id, used.family_id)
  })
  if (renewed) return renewed
  const known = await sessionOf(ctx, token)
  if (known) await endSessions(ctx, known.user_id, known.family_id)
  throw errors.invalidToken()
}

export const sessionOf = (ctx: ServiceCtx, token: string): Promise<Used | undefined> =>
  queryOne(
    ctx,
    sql<Used>`select user_id, family_id from refresh_tokens where token_hash = ${tokenHash(token)}`,
  )

export const endSessions = (ctx: ServiceCtx, userId: string, familyId: string): Promise<void> =>
  endAll(ctx, userId, sql`family_id = ${familyId}`)

export const endOtherSessions = (ctx: ServiceCtx, userId: string, kept: string | undefined): Promise<void> =>
  endAll(ctx, userId, sql`family_id is distinct from ${kept ?? null}::uuid`)

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
