/**
 * The list of a group that the person looked at last: next and previous on a record's page follow it. It is stored for
 * as long as the tab is open, so that a reload does not change the order.
 */
export interface LastList {
  /** of its address */
  search: Record<string, unknown>
  /** the body of `POST /api/<group>/query`, without the page */
  query: object
  /** the window of rows that has the record */
  window: number
}

const keyOf = (group: string): string => `kith.list.${group}`

export function lastList(group: string): LastList {
  const none = { search: {}, query: {}, window: 0 }
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(keyOf(group)) ?? '{}') as Partial<LastList>) }
  } catch {
    return none
  }
}

export function rememberList(group: string, list: LastList): void {
  try {
    sessionStorage.setItem(keyOf(group), JSON.stringify(list))
  } catch {
    // blocked by the browser: next and previous follow the usual order after a reload
  }
}
