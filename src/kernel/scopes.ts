/** What a caller's scopes allow: `*`, `contacts:read`, `contacts:*`, `*:read`. */

export function hasScope(scopes: readonly string[], permission: string): boolean {
  if (scopes.includes('*') || scopes.includes(permission)) return true
  const [group, action] = permission.split(':')
  return scopes.includes(`${group}:*`) || scopes.includes(`*:${action}`)
}

/** Whether a caller with these scopes may grant the requested one. */
export function coversScope(scopes: readonly string[], requested: string): boolean {
  if (scopes.includes('*') || scopes.includes(requested)) return true
  const [group, action] = requested.split(':')
  if (group === '*' || action === undefined) return false
  if (action !== '*') return hasScope(scopes, requested)
  return hasScope(scopes, `${group}:read`) && hasScope(scopes, `${group}:write`)
}

/** The resource part of the endpoints' permissions. */
export const groupsOf = (endpoints: readonly { permission: string }[]): ReadonlySet<string> =>
  new Set(endpoints.flatMap(({ permission }) => permission.match(/^[^:]*(?=:)/) ?? []))

/** What is wrong with a scope, or undefined. */
export function scopeProblem(scope: string, groups: ReadonlySet<string>): string | undefined {
  if (scope === '*' || scope === '*:read') return undefined
  const [, group] = /^([a-z0-9-]+):(read|write|\*)$/.exec(scope) ?? []
  if (group === undefined) return 'a scope is *, *:read, <group>:read, <group>:write or <group>:*'
  if (!groups.has(group)) return `there is no group ${group}: take one of ${[...groups].join(', ')}`
  return undefined
}

/** The scope groups of each table: a record table has one, a link table those of both ends. */
export type TableGroups = ReadonlyMap<string, readonly string[]>
