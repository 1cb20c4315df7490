/**
 * Which rows of a file belong together because they share a mark (an address, a name, an id), directly or by way of
 * other rows.
 */
import { markMap, NONE } from './mark-map.ts'

export interface RowGroups {
  /** Rows are numbered by the caller, upwards. */
  add(marks: readonly string[], row: number): void
  /** How many rows belong together with one that has these marks. */
  size(marks: readonly string[]): number
  /** Those rows, in order. */
  rows(marks: readonly string[]): number[]
}

export function rowGroups(): RowGroups {
  const groupOf = markMap()
  const parent: number[] = []
  const size: number[] = []
  // the rows of a group as a linked list
  const first: number[] = []
  const last: number[] = []
  const following = new Map<number, number>()

  function rootOf(group: number): number {
    let root = group
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!
      root = parent[root]!
    }
    return root
  }

  function join(a: number, b: number): void {
    const [into, from] = size[a]! >= size[b]! ? [a, b] : [b, a]
    if (into === from) return
    parent[from] = into
    size[into]! += size[from]!
    following.set(last[into]!, first[from]!)
    last[into] = last[from]!
  }

  const rootsOf = (marks: readonly string[]): Set<number> =>
    new Set(
      marks.flatMap(mark => {
        const group = groupOf.get(mark)
        return group === NONE ? [] : [rootOf(group)]
      }),
    )

  return {
    add(marks, row) {
      if (marks.length === 0) return
      const group = parent.length
      parent.push(group)
      size.push(1)
      first.push(row)
      last.push(row)
      for (const mark of marks) {
        const other = groupOf.getOrSet(mark, group)
        join(rootOf(other), rootOf(group))
      }
    },
    size: marks => [...rootsOf(marks)].reduce((sum, root) => sum + size[root]!, 0),
    rows: marks =>
      [...rootsOf(marks)]
        .flatMap(root => {
          const rows: number[] = []
          for (let row = first[root]; row !== undefined; row = following.get(row)) rows.push(row)
          return rows
        })
        .sort((a, b) => a - b),
  }
}
