/** Every kind of credential that a request can carry, and what it is good for. */

import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { systemDb } from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { hasScope } from '../../src/kernel/scopes.ts'
import { keyHash, newKey } from '../../src/resources/accounts/first-account.ts'
import type { Operation } from './openapi.ts'
import { type Account, anotherMember } from './service.ts'
import { accessToken } from './session.ts'

export interface Credential {
  name: string
  headers: Record<string, string>
  /** `valid`: good for the account; `stranger`: a person without a place in it; `invalid`: good for nothing */
  standing: 'valid' | 'stranger' | 'invalid'
  scopes: readonly string[]
  mayWrite: boolean
  /** of the other account, which it is good for */
  isTheirs: boolean
}

/** Whether role and scopes let the credential call the operation at all. A role above member is not documented. */
export function permits(credential: Credential, { permission }: Operation): boolean {
  if (permission === 'public' || permission === 'signed-in') return true
  if (permission.endsWith(':write') && !credential.mayWrite) return false
  return hasScope(credential.scopes, permission)
}

export async function everyCredential(mine: Account, theirs: Account): Promise<Credential[]> {
  const { services } = mine.service
  const db = systemDb(services)
  const inAccount = { 'x-account-id': mine.accountId }
  const key = (value: string) => ({ 'x-api-key': value })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const valid = { standing: 'valid', scopes: ['*'], mayWrite: true, isTheirs: false } as const
  const invalid = { standing: 'invalid', scopes: [], mayWrite: false, isTheirs: false } as const
  const stranger = { standing: 'stranger', scopes: ['*'], mayWrite: true, isTheirs: false } as const
  const tokenOf = (userId: string) => accessToken(services, userId)

  const stray = newId()
  await sql`insert into users (id, email, name) values (${stray}, ${`${stray}@people.test`}, 'Stray')`.execute(
    db,
  )
  const admin = await anotherMember(mine, { role: 'admin' })
  const member = await anotherMember(mine)
  const viewer = await anotherMember(mine, { role: 'viewer' })
  const reader = await anotherMember(mine, { role: 'owner', scopes: ['*:read'] })
  const narrow = await anotherMember(mine, { role: 'owner', scopes: ['tags:read'] })
  const former = await anotherMember(mine)
  const revoked = await anotherMember(mine)
  const expired = await anotherMember(mine)
  const visitor = await anotherMember(mine)
  await sql`delete from members where account_id = ${mine.accountId} and user_id = ${former.userId}`.execute(
    db,
  )
  await sql`update api_keys set revoked_at = now() where key_hash = ${keyHash(revoked.key)}`.execute(db)
  await sql`update api_keys set expires_at = now() - interval '1 s' where key_hash = ${keyHash(expired.key)}`.execute(
    db,
  )
  await sql`insert into members (account_id, user_id, role)
    values (${theirs.accountId}, ${visitor.userId}, 'viewer')`.execute(db)

  return [
    { ...valid, name: 'key of an owner', headers: key(mine.key) },
    { ...valid, name: 'key of an admin', headers: bearer(admin.key) },
    { ...valid, name: 'key of a member', headers: key(member.key) },
    { ...valid, name: 'key of a viewer', headers: key(viewer.key), mayWrite: false },
    { ...valid, name: 'key that reads', headers: key(reader.key), scopes: ['*:read'] },
    { ...valid, name: 'key for tags', headers: key(narrow.key), scopes: ['tags:read'] },
    { ...valid, name: 'token of an owner', headers: { ...bearer(await tokenOf(mine.userId)), ...inAccount } },
    {
      ...valid,
      name: 'token of a member',
      headers: { ...bearer(await tokenOf(member.userId)), ...inAccount },
    },
    {
      ...valid,
      name: 'token of a member of both',
      headers: { ...bearer(await tokenOf(visitor.userId)), ...inAccount },
      isTheirs: true,
    },
    {
      ...stranger,
      name: 'token of a stranger',
      headers: { ...bearer(await tokenOf(stray)), ...inAccount },
    },
    {
      ...stranger,
      name: 'token of a former member',
      headers: { ...bearer(await tokenOf(former.userId)), ...inAccount },
    },
    {
      ...stranger,
      name: 'token of their owner',
      headers: { ...bearer(await tokenOf(theirs.userId)), ...inAccount },
      isTheirs: true,
    },
    {
      ...stranger,
      name: 'their key for our account',
      headers: { ...key(theirs.key), ...inAccount },
      isTheirs: true,
    },
    { ...invalid, name: 'nothing', headers: {} },
    { ...invalid, name: 'unknown key', headers: key(newKey()) },
    { ...invalid, name: 'revoked key', headers: key(revoked.key) },
    { ...invalid, name: 'expired key', headers: key(expired.key) },
    { ...invalid, name: 'key of a former member', headers: key(former.key) },
    { ...invalid, name: 'malformed token', headers: bearer('e30.e30.e30') },
    {
      ...invalid,
      name: 'token signed by others',
      headers: bearer(await forged(mine, 'another secret', '1h')),
    },
    { ...invalid, name: 'expired token', headers: bearer(await forged(mine, await secretOf(mine), '-1s')) },
  ]
}

async function secretOf(account: Account): Promise<string> {
  const { rows } = await sql<{ value: string }>`select value from service_secrets where name = 'jwt'`.execute(
    systemDb(account.service.services),
  )
  return rows[0]?.value ?? ''
}

const forged = (account: Account, secret: string, expires: string): Promise<string> =>
  new SignJWT({ sid: newId() })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(account.userId)
    .setIssuer('kith')
    .setAudience('kith')
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret))
