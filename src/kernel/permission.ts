/** Whether a caller may use an endpoint: by role and by scope. */
import { type Caller, ROLES } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import { errors, type HttpError } from './errors.ts'
import { empty } from './general-endpoints.ts'
import { hasScope } from './scopes.ts'

/** Why the caller may not use the endpoint, or undefined. */
export function refusedPermission(
  { role, scopes }: Pick<Caller, 'role' | 'scopes'>,
  endpoint: Endpoint,
): HttpError | undefined {
  const needed = endpoint.role ?? (endpoint.permission.endsWith(':write') ? 'member' : 'viewer')
  if (ROLES.indexOf(role) < ROLES.indexOf(needed)) return errors.roleTooLow(needed)
  const missing = cachedScopesOf(endpoint).find(scope => !hasScope(scopes, scope))
  return missing === undefined ? undefined : errors.missingScope(missing)
}

const cachedScopes = new WeakMap<Endpoint, readonly string[]>()

/** An endpoint does not change once it is declared, and every request asks. */
function cachedScopesOf(endpoint: Endpoint): readonly string[] {
  const cached = cachedScopes.get(endpoint)
  if (cached) return cached
  const needed = scopesOf(endpoint)
  cachedScopes.set(endpoint, needed)
  return needed
}

/**
 * The scopes that an endpoint needs. A write whose response can show a record that existed before also needs the read
 * scope: `PUT {}` or an upsert would read any record.
 */
export function scopesOf(endpoint: Endpoint): string[] {
  const { permission, alsoNeeds = [] } = endpoint
  if (!permission.includes(':')) return []
  const isRead = permission.endsWith(':write') && showsEarlierRecord(endpoint)
  const own = isRead ? [permission, permission.replace(/write$/, 'read')] : [permission]
  return [...own, ...alsoNeeds]
}

/** Not where the response is empty, or only that of a creation: 201 or 202 on a path without an id. */
function showsEarlierRecord(endpoint: Endpoint): boolean {
  const { showsNoRecord, response, responseContent, path, status = 200 } = endpoint
  if (showsNoRecord || (!responseContent && (!response || response === empty))) return false
  return status === 200 || path.includes('{')
}
