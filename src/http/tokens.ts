/** Access tokens: our own (HS256), or those of an outside issuer whose keys are published at an address. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { query, type Services, systemDb } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'

export const ACCESS_SECONDS = 15 * 60

export interface Tokens {
  sign(userId: string): Promise<string>
  /** The id of the user whom the token names; a bad token is a 401. */
  verify(token: string): Promise<string>
}

const ISSUER = 'kith'

export async function tokens(services: Services): Promise<Tokens> {
  const { jwt } = services.config
  const secret = new TextEncoder().encode(jwt.secret ?? storedSecret(services.config))
  const remoteKeys = jwt.jwksUrl === undefined ? undefined : createRemoteJWKSet(new URL(jwt.jwksUrl))

  return {
    sign: userId =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(jwt.issuer ?? ISSUER)
        .setAudience(jwt.audience ?? ISSUER)
        .setIssuedAt()
        .setExpirationTime(`${ACCESS_SECONDS}s`)
        .sign(secret),

    async verify(token) {
      try {
        const own = decodeProtectedHeader(token).alg === 'HS256'
        const claims = {
          issuer: jwt.issuer ?? ISSUER,
          audience: jwt.audience ?? ISSUER,
          requiredClaims: ['exp', 'sub'],
        }
        if (own) {
          // A secret that was set by hand is shared with whoever issues tokens: they need not name us.
          const expected =
            jwt.secret !== undefined && jwt.issuer === undefined ? { requiredClaims: ['exp', 'sub'] } : claims
          return await userOf(
            services,
            (await jwtVerify(token, secret, { algorithms: ['HS256'], ...expected })).payload,
          )
        }
        if (remoteKeys) return await userOf(services, (await jwtVerify(token, remoteKeys, claims)).payload)
      } catch (error) {
        services.log.debug({ err: error }, 'a token was refused')
      }
      throw errors.invalidToken()
    },
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** `sub` is our user's id, or the name under which an outside issuer knows the person. */
async function userOf(services: Services, claims: JWTPayload): Promise<string> {
  const subject = claims.sub!
  if (UUID.test(subject)) return subject.toLowerCase()
  const email = claims.email_verified === true && typeof claims.email === 'string' ? claims.email : null
  const [user] = await query(
    { db: systemDb(services) },
    sql<{ id: string }>`select id from users where external_subject = ${subject}
      or (external_subject is null and lower(email) = lower(${email})) order by external_subject nulls last limit 1`,
  )
  if (!user) throw errors.invalidToken()
  return user.id
}

/** Without a configured secret one is made on the first start and kept in the data folder, readable by us alone. */
function storedSecret(config: Config): string {
  const path = join(config.dataDir, 'jwt-secret')
  mkdirSync(config.dataDir, { recursive: true })
  try {
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8')
}
