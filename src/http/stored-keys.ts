/** Reads API keys and a person's accounts from the database, and records when a key was last used. */
import { sql } from 'kysely'
import { query, type Role, type Services, systemDb } from '../kernel/context.ts'

export interface StoredKey {
  id: string
  hash: Buffer
  accountId: string
  userId: string
  role: Role
  scopes: string[]
  expiresAt: number
}

/** The accounts that a person belongs to. */
export type Roles = ReadonlyMap<string, Role>

export async function loadKey(services: Services, hash: Buffer): Promise<StoredKey | undefined> {
  const [key] = await query(
    { db: systemDb(services) },
    sql<Omit<StoredKey, 'expiresAt'> & { expiresAt: string | null }>`
      select k.id, h.key_hash as hash, k.account_id as "accountId", k.created_by as "userId", k.scopes,
        least(k.expires_at, k.revoked_at, h.valid_until) as "expiresAt", m.role
      from (
        select account_id, id as key_id, key_hash, null::timestamptz as valid_until from api_keys
          where key_hash = ${hash}
        union all
        select account_id, key_id, key_hash, valid_until from retired_api_keys where key_hash = ${hash}
      ) h
      join api_keys k on k.account_id = h.account_id and k.id = h.key_id
      join members m on m.account_id = k.account_id and m.user_id = k.created_by
      where k.revoked_at is null or k.revoked_at > now()`,
  )
  return key && { ...key, expiresAt: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt) }
}

export async function loadMemberships(services: Services, userId: string): Promise<Roles> {
  const memberships = await query(
    { db: systemDb(services) },
    sql<{ account_id: string; role: Role }>`
      select account_id, role from members where user_id = ${userId} order by created_at, account_id`,
  )
  return new Map(memberships.map(row => [row.account_id, row.role]))
}

const MAX_REMEMBERED = 10_000

/** Writes `last_used_at` once a minute: a write per request would double the cost of a read. */
export function recordUse(services: Services, usedAt: Map<string, number>, key: StoredKey): void {
  const now = Date.now()
  if ((usedAt.get(key.id) ?? 0) > now - 60_000) return
  if (usedAt.size >= MAX_REMEMBERED) usedAt.clear()
  usedAt.set(key.id, now)
  query(
    { db: systemDb(services) },
    sql`update api_keys set last_used_at = now() where account_id = ${key.accountId} and id = ${key.id}`,
  ).catch(error => services.log.warn({ err: error }, 'last_used_at of a key could not be stored'))
}
