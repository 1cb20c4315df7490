/** Whether a caller may use an endpoint: by role and by scope. */
import { type Caller, ROLES } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import { errors, type HttpError } from './errors.ts'
import { hasScope } from './scopes.ts'

/** Why the caller may not use the endpoint, or undefined. */
export function refusedPermission(
  { role, scopes }: Pick<Caller, 'role' | 'scopes'>,
  endpoint: Pick<Endpoint, 'permission' | 'role' | 'single' | 'path'>,
): HttpError | undefined {
  const needed = endpoint.role ?? (endpoint.permission.endsWith(':write') ? 'member' : 'viewer')
  if (ROLES.indexOf(role) < ROLES.indexOf(needed)) return errors.roleTooLow(needed)
  const missing = scopesOf(endpoint).find(scope => !hasScope(scopes, scope))
  return missing === undefined ? undefined : errors.missingScope(missing)
}

/** The response to a change of an existing record is the record, so it needs both scopes: `PUT {}` would read any. */
function scopesOf({ permission, single, path }: Pick<Endpoint, 'permission' | 'single' | 'path'>): string[] {
  if (permission === 'signed-in') return []
  const isChange = permission.endsWith(':write') && single === true && path.includes('{')
  return isChange ? [permission, permission.replace(/write$/, 'read')] : [permission]
}
