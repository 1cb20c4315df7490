/** Whether a caller may use an endpoint: by role and by scope. */
import { type Caller, ROLES } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import { errors, type HttpError } from './errors.ts'
import { hasScope } from './scopes.ts'

/** Why the caller may not use the endpoint, or undefined. */
export function refusedPermission(
  { role, scopes }: Pick<Caller, 'role' | 'scopes'>,
  endpoint: Pick<Endpoint, 'permission' | 'role'>,
): HttpError | undefined {
  const needed = endpoint.role ?? (endpoint.permission.endsWith(':write') ? 'member' : 'viewer')
  if (ROLES.indexOf(role) < ROLES.indexOf(needed)) return errors.roleTooLow(needed)
  if (endpoint.permission === 'signed-in' || hasScope(scopes, endpoint.permission)) return undefined
  return errors.missingScope(endpoint.permission)
}
