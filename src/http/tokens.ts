/**
 * Access tokens: the service's own (HS256, with a secret that may be shared with another issuer), or those of an
 * external issuer whose keys are published at a configured address. Nothing in a token decides where keys come from.
 */
import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { one, query, type Services, systemDb, type Tokens } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import { ACCESS_SECONDS } from '../resources/accounts/sessions.ts'
import { IssuerUnavailable, publishedKeys } from './published-keys.ts'

const OURS = 'kith'
const PUBLIC_KEY_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

type Base = Pick<Services, 'engine' | 'config' | 'log' | 'caches'>

interface Expected {
  issuer: string | undefined
  audience: string | undefined
}

export async function tokens(services: Base): Promise<Tokens> {
  const { secret: configured, jwksUrl, issuer, audience } = services.config.jwt
  const secret = new TextEncoder().encode(configured ?? (await storedSecret(services)))
  const remoteKeys = jwksUrl === undefined ? undefined : publishedKeys(jwksUrl)
  // A configured secret is shared with an external issuer, whose tokens must name this service if an audience is set.
  const bySecret = configured === undefined ? { issuer: OURS, audience: OURS } : { issuer, audience }
  const people = await services.caches.of<string>([])
  const sessions = await services.caches.of<true>(['refresh_tokens'])

  /** Signing out and changing the password end access tokens, too, not only refresh tokens. */
  async function checkSession(id: string): Promise<void> {
    const isAlive = await sessions.get(id, async () => {
      const db = { db: systemDb(services) }
      const valid = await query(db, sql`select from refresh_tokens where family_id = ${id} limit 1`)
      return valid.length > 0 || undefined
    })
    if (!isAlive) throw errors.invalidToken()
  }

  async function claimsOf(token: string, hasSecret: boolean): Promise<JWTPayload> {
    try {
      if (hasSecret) {
        const options = { algorithms: ['HS256'], ...claimOptions(bySecret) }
        return (await jwtVerify(token, secret, options)).payload
      }
      if (remoteKeys) {
        const options = { algorithms: PUBLIC_KEY_ALGORITHMS, ...claimOptions({ issuer, audience }) }
        return (await jwtVerify(token, remoteKeys, { ...options, clockTolerance: 5 })).payload
      }
    } catch (error) {
      if (error instanceof IssuerUnavailable) {
        services.log.warn({ err: error.cause }, 'the keys of the token issuer cannot be fetched')
        throw errors.issuerUnavailable()
      }
      services.log.debug({ err: error }, 'a token was refused')
    }
    throw errors.invalidToken()
  }

  return {
    sign: (userId, sessionId) =>
      new SignJWT({ sid: sessionId, kith: true })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(bySecret.issuer ?? OURS)
        .setAudience(bySecret.audience ?? OURS)
        .setIssuedAt()
        .setExpirationTime(`${ACCESS_SECONDS}s`)
        .sign(secret),

    async verify(token) {
      const hasSecret = algorithmOf(token) === 'HS256'
      const claims = await claimsOf(token, hasSecret)
      const subject: unknown = claims.sub
      if (typeof subject !== 'string' || !/^[^\0]{1,255}$/.test(subject)) throw errors.invalidToken()
      const sessionId =
        hasSecret && typeof claims.sid === 'string' && UUID.test(claims.sid) ? claims.sid : undefined
      // An external issuer that shares the secret has its own sessions.
      if (sessionId !== undefined && claims.kith === true) await checkSession(sessionId)
      if (hasSecret && configured === undefined) {
        return { userId: subject, sessionId, subject: undefined, verifiedEmail: undefined }
      }
      const userId = await people.get(subject, () => personOf(services, subject, claims))
      return { userId, sessionId, subject, verifiedEmail: verifiedEmailOf(claims) }
    },
  }
}

const algorithmOf = (token: string): string | undefined => {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    throw errors.invalidToken()
  }
}

const claimOptions = ({ issuer, audience }: Expected) => ({
  requiredClaims: ['exp', 'sub'],
  ...(issuer === undefined ? {} : { issuer }),
  ...(audience === undefined ? {} : { audience }),
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function verifiedEmailOf({ email, email_verified: verified }: JWTPayload): string | undefined {
  return verified === true && typeof email === 'string' && !email.includes('\0') ? email : undefined
}

/**
 * `sub` is the external issuer's id of the person, or our user's id. A user without a password is linked to the
 * issuer's id by the verified email address at the first call. A user with a password is not linked: they may have
 * registered with another person's address.
 */
async function personOf(services: Base, subject: string, claims: JWTPayload): Promise<string | undefined> {
  const db = { db: systemDb(services) }
  const [existing] = await query(
    db,
    sql<{ id: string }>`select id from users
      where external_subject = ${subject} or id = ${UUID.test(subject) ? subject : null}::uuid
      order by external_subject nulls last limit 1`,
  )
  if (existing) return existing.id
  const email = verifiedEmailOf(claims)
  if (email === undefined) return undefined
  const [linked] = await query(
    db,
    sql<{ id: string }>`update users set external_subject = ${subject},
        email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now()
      where lower(email) = lower(${email}) and external_subject is null and password_hash is null returning id`,
  )
  return linked?.id
}

/** Without a configured secret, the first start generates one and stores it in the database for all processes. */
async function storedSecret(services: Base): Promise<string> {
  const db = { db: systemDb(services) }
  await query(
    db,
    sql`insert into service_secrets (name, value) values ('jwt', ${randomBytes(48).toString('base64url')})
      on conflict do nothing`,
  )
  const stored = await query(
    db,
    sql<{ value: string }>`select value from service_secrets where name = ${'jwt'}`,
  )
  return one(stored).value
}
