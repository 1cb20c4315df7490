/** Creates, rotates and revokes keys. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, queryOne, ROLES, type Role, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import { coversScope, scopeProblem } from '../../kernel/scopes.ts'
import { insertRows, rows, updateRows } from '../../kernel/statements.ts'
import { keyHash, keyPrefix, newKey } from '../accounts/first-account.ts'
import { type ApiKey, type ApiKeyInput, apiKey } from './record.ts'

const base = crud(apiKey)

/** A caller cannot grant scopes that they do not have. */
function checkScopes(ctx: Ctx, scopes: readonly string[]): void {
  scopes.forEach((scope, index) => {
    const problem = scopeProblem(scope, ctx.services.scopeGroups)
    if (problem !== undefined) throw errors.invalidValue(['body', 'scopes', index], problem, scope)
  })
  const beyond = scopes.find(scope => !coversScope(ctx.caller.scopes, scope))
  if (beyond !== undefined) throw errors.missingScope(beyond)
}

function checkInput<I extends Partial<ApiKeyInput>>(ctx: Ctx, input: I): I {
  if (input.scopes) checkScopes(ctx, input.scopes)
  if (input.expires_at != null && Date.parse(input.expires_at) <= Date.now()) {
    throw errors.invalidValue(['body', 'expires_at'], 'the time must be in the future', input.expires_at)
  }
  return input.scopes ? { ...input, scopes: [...new Set(input.scopes)] } : input
}

/** With the secret, which is shown only once. */
type NewKey = ApiKey & { key: string }

export async function createKey(ctx: Ctx, input: ApiKeyInput): Promise<NewKey> {
  const key = newKey()
  const created = await base.create(
    ctx,
    { scopes: [...ctx.caller.scopes], ...checkInput(ctx, input) },
    { set: { prefix: keyPrefix(key), key_hash: keyHash(key), created_by: ctx.user } },
  )
  return { ...created, key }
}

type LockedKey = Pick<Tables['api_keys'], 'scopes' | 'key_hash'> & {
  expired: boolean
  makers_role: Role | null
}

/** Reads a key for a change and locks it until the transaction ends. */
async function lockKey(tx: Ctx, id: string): Promise<LockedKey> {
  const stored = await queryOne(
    tx,
    sql<LockedKey & { revoked: boolean }>`select k.scopes, k.key_hash, k.revoked_at is not null as revoked,
        coalesce(k.expires_at <= now(), false) as expired,
        (select m.role from ${rows(tx, 'members')} m where m.user_id = k.created_by) as makers_role
      from ${rows(tx, 'api_keys')} k where k.id = ${id} for update of k`,
  )
  if (!stored) throw errors.notFound(apiKey.label)
  if (stored.revoked) throw errors.conflict('This API key has been revoked')
  return stored
}

/** A key acts as its creator, so changing its permissions needs their role and all of its scopes. */
function checkReach({ caller }: Ctx, { scopes, makers_role }: LockedKey): void {
  const beyond = scopes.find(scope => !coversScope(caller.scopes, scope))
  if (beyond !== undefined) throw errors.missingScope(beyond)
  const makersRole = makers_role ?? 'viewer'
  if (ROLES.indexOf(makersRole) > ROLES.indexOf(caller.role)) throw errors.roleTooLow(makersRole)
}

async function update(ctx: Ctx, id: string, input: Partial<ApiKeyInput>): Promise<ApiKey> {
  const changes = checkInput(ctx, input)
  const changed = await transaction(ctx, async tx => {
    const locked = await lockKey(tx, id)
    // An admin who has a key of an owner could otherwise extend it and act as an owner.
    if (changes.scopes !== undefined || changes.expires_at !== undefined) checkReach(tx, locked)
    return base.update(tx, id, changes)
  })
  ctx.services.caches.forget(apiKey.table)
  return changed
}

async function revoke(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const revoked = await updateRows(
    ctx,
    apiKey.table,
    sql`revoked_at = coalesce(r.revoked_at, now()), updated_at = case when r.revoked_at is null then now() else r.updated_at end`,
    sql`r.id = any(${ids}::uuid[])`,
    sql`r.id`,
  )
  ctx.services.caches.forget(apiKey.table)
  return revoked.length
}

/** Gives the key a new secret. It acts as the key's creator, so the caller needs their role and the key's scopes. */
export async function rotate(ctx: Ctx, id: string, graceSeconds: number): Promise<NewKey> {
  const key = newKey()
  const rotated = await transaction(ctx, async tx => {
    const locked = await lockKey(tx, id)
    if (locked.expired) throw errors.conflict('This API key has expired: set expires_at first')
    checkReach(tx, locked)
    const validUntil = sql`now() + make_interval(secs => ${graceSeconds})`
    await insertRows(tx, 'retired_api_keys', [
      { key_id: id, key_hash: locked.key_hash, valid_until: validUntil },
    ])
    const fresh = { prefix: keyPrefix(key), key_hash: keyHash(key), updated_at: sql`now()` }
    await updateRows(tx, apiKey.table, fresh, sql`r.id = ${id}`)
    return base.get(tx, id)
  })
  ctx.services.caches.forget(apiKey.table)
  return { ...rotated, key }
}

export const operations: Operations<ApiKeyInput, ApiKey> = {
  ...base,
  create: createKey,
  update,
  remove: revoke,
}
