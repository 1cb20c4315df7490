import { isRecord } from '../../src/lib/values.ts'

/** The nodes of a plan (`explain (format json)`) that read a table. */
export function scansOf(node: unknown): Record<string, unknown>[] {
  if (Array.isArray(node)) return node.flatMap(scansOf)
  if (!isRecord(node)) return []
  return [...('Relation Name' in node ? [node] : []), ...Object.values(node).flatMap(scansOf)]
}

const BY_ID = /\b(?:id|\w+_id) = (?!'|current_account|\(InitPlan|\$)/

/** Whether a scan looks rows up by an id. With few rows of the account any of its indexes will do; then the id is in the filter. */
export const isLookup = (node: Record<string, unknown>): boolean =>
  BY_ID.test(`${node['Index Cond']} ${node['Recheck Cond']} ${node.Filter}`)
