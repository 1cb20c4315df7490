/**
 * The keys of the cache. The second element is the group, so that live updates find all its queries; the third has
 * the parameters, so that they find the queries that depend on a changed field (live.ts).
 */
export const keys = {
  /** a list read page by page: useList */
  list: (group: string, query: object) => ['list', group, query] as const,
  /** a window of a long list: the lists screen */
  rows: (group: string, query: object, index: number) => ['rows', group, query, index] as const,
  record: (group: string, id: string) => ['record', group, id] as const,
  /** anything else about a group: `keys.other('deals', 'board', { pipeline_id })` */
  other: (group: string, name: string, query: object = {}) => ['other', group, query, name] as const,
}

/**
 * `placeholderData` that shows the previous result while the next one loads, unless it is of another group: a choice
 * among contacts must not become the id of a company.
 */
export const previousOf =
  (group: string) =>
  <T>(data: T | undefined, query: { queryKey: readonly unknown[] } | undefined): T | undefined =>
    query?.queryKey[1] === group ? data : undefined
