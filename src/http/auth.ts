/** Credentials → caller. Authentication comes before everything else a request is checked for. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { cacheOf } from '../kernel/cache.ts'
import { type Caller, query, type Role, type Services, systemDb } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import { type Issue, uuid } from '../kernel/schema/index.ts'
import { type Tokens, tokens } from './tokens.ts'

export interface Authenticator {
  /** The caller of a request that is bound to an account. */
  authenticate(request: FastifyRequest): Promise<Caller>
  /** The user behind a token, for the few routes that are about the user and not an account. */
  tokens: Tokens
}

interface StoredKey {
  id: string
  hash: Buffer
  accountId: string
  userId: string
  role: Role
  scopes: string[]
  expiresAt: number
}

export async function authenticator(services: Services): Promise<Authenticator> {
  const keys = await cacheOf<StoredKey>(services.engine, ['api_keys', 'members'])
  const memberships = await cacheOf<Map<string, Role>>(services.engine, ['members'])
  const signing = await tokens(services)
  const usedAt = new Map<string, number>()

  async function byKey(key: string): Promise<Caller> {
    const hash = createHash('sha256').update(key).digest()
    const stored = await keys.get(hash.toString('base64'), () => loadKey(services, hash))
    if (!stored || !timingSafeEqual(stored.hash, hash) || stored.expiresAt <= Date.now()) {
      throw errors.invalidApiKey()
    }
    noteUse(services, usedAt, stored)
    const { id, accountId, userId, role, scopes } = stored
    return { kind: 'key', id, accountId, userId, role, scopes }
  }

  async function byToken(token: string, account: string | undefined): Promise<Caller> {
    const userId = await signing.verify(token)
    const roles = (await memberships.get(userId, () => loadMemberships(services, userId))) ?? new Map()
    if (account === undefined && roles.size > 1) throw errors.accountRequired()
    const accountId = account ?? [...roles.keys()][0]
    const role = accountId === undefined ? undefined : roles.get(accountId)
    if (accountId === undefined || role === undefined) throw errors.foreignAccount()
    return { kind: 'user', id: userId, accountId, userId, role, scopes: ['*'] }
  }

  return {
    tokens: signing,
    async authenticate(request) {
      const credential = credentialOf(request)
      if (credential.startsWith('sk_')) {
        const caller = await byKey(credential)
        const account = accountHeader(request)
        if (account !== undefined && account !== caller.accountId) throw errors.foreignAccount()
        return caller
      }
      if (request.headers['x-api-key'] !== undefined) throw errors.invalidApiKey()
      // verified before the header is looked at, so that a bad token is always a 401
      await signing.verify(credential)
      return byToken(credential, accountHeader(request))
    },
  }
}

/** The API key or the bearer token of a request. */
export function credentialOf(request: FastifyRequest): string {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')
  if (!match) throw errors.notAuthenticated()
  return match[1]!
}

const headerId = uuid()

function accountHeader(request: FastifyRequest): string | undefined {
  const value = request.headers['x-account-id']
  if (value === undefined) return undefined
  const issues: Issue[] = []
  const id = headerId.check(Array.isArray(value) ? value.at(-1) : value, ['header', 'x-account-id'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  return id
}

async function loadKey(services: Services, hash: Buffer): Promise<StoredKey | undefined> {
  const [key] = await query(
    { db: systemDb(services) },
    sql<Omit<StoredKey, 'expiresAt'> & { expiresAt: string | null }>`
      select k.id, k.key_hash as hash, k.account_id as "accountId", k.created_by as "userId", k.scopes,
        least(k.expires_at, k.revoked_at) as "expiresAt", m.role
      from api_keys k join members m on m.account_id = k.account_id and m.user_id = k.created_by
      where k.key_hash = ${hash} and (k.revoked_at is null or k.revoked_at > now())`,
  )
  return key && { ...key, expiresAt: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt) }
}

async function loadMemberships(services: Services, userId: string): Promise<Map<string, Role>> {
  const found = await query(
    { db: systemDb(services) },
    sql<{ account_id: string; role: Role }>`
      select account_id, role from members where user_id = ${userId} order by created_at, account_id`,
  )
  return new Map(found.map(row => [row.account_id, row.role]))
}

/** `last_used_at` to the minute: a write for every request would double the cost of reading. */
function noteUse(services: Services, usedAt: Map<string, number>, key: StoredKey): void {
  const now = Date.now()
  if ((usedAt.get(key.id) ?? 0) > now - 60_000) return
  usedAt.set(key.id, now)
  query(
    { db: systemDb(services) },
    sql`update api_keys set last_used_at = now() where account_id = ${key.accountId} and id = ${key.id}`,
  ).catch(error => services.log.warn({ err: error }, 'last_used_at of a key could not be noted'))
}
