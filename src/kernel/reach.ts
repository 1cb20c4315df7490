/**
 * Which tables a caller's scopes cover. An endpoint declares the scope of its own records. Code that also reads or
 * changes records of other resources checks the tables here.
 */
import type { Ctx } from './context.ts'
import { errors } from './errors.ts'
import { hasScope, type TableGroups } from './scopes.ts'

/** `links` maps each link table to the tables of both ends. */
export function tableGroupsOf(
  resources: readonly { name: string; record: { table: string } }[],
  links: readonly { table: string; ends: readonly string[] }[],
): TableGroups {
  const groups = new Map<string, readonly string[]>()
  for (const { name, record } of resources) groups.set(record.table, [name])
  for (const { table, ends } of links)
    groups.set(table, [...new Set(ends.flatMap(end => groups.get(end) ?? []))])
  return groups
}

const lacks =
  ({ caller }: Ctx, action: 'read' | 'write') =>
  (group: string): boolean =>
    !hasScope(caller.scopes, `${group}:${action}`)

/** Whether the caller may read these records. A link shows both of its ends, so both must be readable. */
export const mayRead = (ctx: Ctx, table: string): boolean =>
  !ctx.services.tableGroups.get(table)?.some(lacks(ctx, 'read'))

/** Throws if the caller may not change these records. A link may be changed from either end. */
export function checkMayWrite(ctx: Ctx, tables: Iterable<string>): void {
  for (const table of tables) {
    const groups = ctx.services.tableGroups.get(table) ?? []
    if (groups.length > 0 && groups.every(lacks(ctx, 'write')))
      throw errors.missingScope(`${groups[0]}:write`)
  }
}

export function checkMayRead(ctx: Ctx, table: string): void {
  const group = ctx.services.tableGroups.get(table)?.find(lacks(ctx, 'read'))
  if (group !== undefined) throw errors.missingScope(`${group}:read`)
}
