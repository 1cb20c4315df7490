/** Credentials → caller. Authentication comes before every other check of a request. */
import { hash as hashOf, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Caller, Person, Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import type { Credentials } from '../kernel/resource.ts'
import { type Issue, uuid } from '../kernel/schema/index.ts'
import { loadKey, loadMemberships, type Roles, recordUse, type StoredKey } from './stored-keys.ts'

export interface Authenticator {
  /**
   * The caller in the account named by the header, else by the path, else in their only account. A cached key needs no
   * promise; there were six for every request.
   */
  authenticate(request: FastifyRequest, pathAccount: string | undefined): Caller | Promise<Caller>
  /** The caller of an endpoint about the person, without an account. */
  person(request: FastifyRequest): Promise<Person>
  /** The caller of a public endpoint, if the request has credentials. */
  credentials(request: FastifyRequest): Promise<Credentials | undefined>
}

export async function authenticator(services: Services): Promise<Authenticator> {
  const keys = await services.caches.of<StoredKey>(['api_keys', 'members'])
  const memberships = await services.caches.of<Roles>(['members'])
  const usedAt = new Map<string, number>()

  function byKey(request: FastifyRequest, key: string): Caller | Promise<Caller> {
    const hash = hashOf('sha256', key, 'base64')
    const cached = keys.cached(hash)
    if (cached) return callerOf(request, cached)
    return keys.get(hash, () => keyOf(hash)).then(stored => callerOf(request, stored))
  }

  async function keyOf(hash: string): Promise<StoredKey | undefined> {
    const bytes = Buffer.from(hash, 'base64')
    const stored = await loadKey(services, bytes)
    return stored && timingSafeEqual(stored.hash, bytes) ? stored : undefined
  }

  function callerOf(request: FastifyRequest, stored: StoredKey | undefined): Caller {
    if (!stored || stored.expiresAt <= Date.now()) throw errors.invalidApiKey()
    const { id, accountId, userId, role, scopes } = stored
    if ((accountHeader(request) ?? accountId) !== accountId) throw errors.foreignAccount()
    recordUse(services, usedAt, stored)
    return { kind: 'key', id, accountId, userId, role, scopes }
  }

  // The token is verified before the account header is read, so that a bad token is always a 401.
  async function byToken(request: FastifyRequest, token: string): Promise<Credentials> {
    const { userId, sessionId, subject, verifiedEmail } = await services.tokens.verify(token)
    accountHeader(request)
    if (userId === undefined) return { person: undefined, subject, verifiedEmail }
    const session = sessionId === undefined ? {} : { sessionId }
    return { person: { kind: 'user', id: userId, userId, scopes: ['*'], ...session }, subject, verifiedEmail }
  }

  async function member(
    request: FastifyRequest,
    token: string,
    pathAccount: string | undefined,
  ): Promise<Caller> {
    const { person } = await byToken(request, token)
    const id = person?.userId
    const roles = (id && (await memberships.get(id, () => loadMemberships(services, id)))) || NO_ROLES
    const accountId = chosenAccount(request, roles, pathAccount)
    const role = accountId === undefined ? undefined : roles.get(accountId)
    if (person && accountId !== undefined && role !== undefined) return { ...person, accountId, role }
    const byPath = pathAccount !== undefined && request.headers['x-account-id'] === undefined
    throw byPath ? errors.notFound('Account') : errors.foreignAccount()
  }

  async function credentials(request: FastifyRequest): Promise<Credentials | undefined> {
    const { key, token } = credentialOf(request)
    if (key !== undefined)
      return { person: await byKey(request, key), subject: undefined, verifiedEmail: undefined }
    return token === undefined ? undefined : byToken(request, token)
  }

  return {
    credentials,

    async person(request) {
      const checked = await credentials(request)
      if (!checked) throw errors.notAuthenticated()
      if (!checked.person) throw errors.foreignAccount()
      return checked.person
    },

    authenticate(request, pathAccount) {
      const { key, token } = credentialOf(request)
      if (key !== undefined) return byKey(request, key)
      if (token === undefined) throw errors.notAuthenticated()
      return member(request, token, pathAccount)
    },
  }
}

const NO_ROLES: Roles = new Map()

/** The API key or the bearer token of a request. */
function credentialOf(request: FastifyRequest): { key?: string; token?: string } {
  const key = request.headers['x-api-key']
  if (key !== undefined && key !== '') return { key: String(key) }
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer === undefined) return {}
  return bearer.startsWith('sk_') ? { key: bearer } : { token: bearer }
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

function chosenAccount(
  request: FastifyRequest,
  roles: Roles,
  pathAccount: string | undefined,
): string | undefined {
  const named = accountHeader(request)
  if (named !== undefined) return named
  const [first] = roles.keys()
  if (pathAccount === undefined) {
    if (roles.size > 1) throw errors.accountRequired()
    return first
  }
  // The check of the path, which comes next, refuses a malformed id.
  const issues: Issue[] = []
  const id = headerId.check(pathAccount, [], issues)
  return issues.length > 0 ? first : id
}
