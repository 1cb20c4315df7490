import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rowGroups } from './row-groups.ts'

/** The same by comparing every row with every other until nothing changes. */
function connected(rows: readonly string[][], marks: readonly string[]): number[] {
  const reached = new Set(marks)
  const found = new Set<number>()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [i, row] of rows.entries()) {
      if (!row.some(mark => reached.has(mark))) continue
      found.add(i)
      for (const mark of row) reached.add(mark)
    }
  }
  return [...found].sort((a, b) => a - b)
}

it('finds the rows that share a mark, directly or by way of others', () => {
  const marks = fc.array(fc.stringMatching(/^[a-j]$/), { maxLength: 3 })
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 15 }), marks, (rows, asked) => {
      const groups = rowGroups()
      for (const [i, row] of rows.entries()) groups.add(row, i)
      const expected = connected(rows, asked)
      expect(groups.rows(asked)).toEqual(expected)
      expect(groups.size(asked)).toBe(expected.length)
    }),
    { numRuns: 1000 },
  )
})

it('grows', () => {
  const groups = rowGroups()
  for (let n = 0; n < 50_000; n++) groups.add([`person${n >> 1}@example.com`], n)
  for (let n = 0; n < 25_000; n += 1000) {
    expect(groups.rows([`person${n}@example.com`])).toEqual([2 * n, 2 * n + 1])
  }
  expect(groups.size(['nobody@example.com'])).toBe(0)
})
