import type { Endpoint } from '../kernel/resource.ts'
import { required } from '../lib/values.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The order in which people look for endpoints: a list, one record, its related records, the rest of the group. */
export function inReadingOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints
    .map(endpoint => ({ endpoint, key: keyOf(endpoint) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ endpoint }) => endpoint)
    .filter(isNotDuplicate(endpoints))
}

/** `!` sorts before every letter: `{company_id}` comes before `bulk-delete`. */
const keyOf = ({ method, path }: Endpoint) =>
  `${path.replaceAll('{', '!').replaceAll('/', ' ')}  ${METHODS.indexOf(method)}`

/** Leaves out a PATCH that does the same as the PUT of its path, which the introduction says once. */
const isNotDuplicate = (endpoints: readonly Endpoint[]) => {
  const put = new Set(endpoints.filter(({ method }) => method === 'PUT').map(({ path }) => path))
  return ({ method, path, mergePatch }: Endpoint) => method !== 'PATCH' || mergePatch || !put.has(path)
}

/** The endpoints of each group, the groups in the order in which they are declared. */
export function byGroup(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>(endpoints.map(({ tag }) => [tag, []]))
  for (const endpoint of inReadingOrder(endpoints)) required(groups, endpoint.tag).push(endpoint)
  return groups
}
