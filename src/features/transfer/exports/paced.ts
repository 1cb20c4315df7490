/** Pages of as many rows as fit into memory. */
import { ResultTooLarge } from '../../../db/bounded-query.ts'

export interface Rows<Row> {
  rows: Row[]
  /** the page has as many rows as were requested, so there may be more */
  isFull: boolean
}

export type PacedReader = <Row>(read: (size: number) => Promise<Row[]>) => Promise<Rows<Row>>

/** Reads at most `most` rows at once. Rows that are too large are read again, a quarter of them, and so are the next. */
export function paced(most: number): PacedReader {
  let size = most
  return async read => {
    for (let asked = size; ; asked = Math.max(1, Math.floor(asked / 4))) {
      try {
        const rows = await read(asked)
        size = Math.min(size, asked)
        return { rows, isFull: rows.length === asked }
      } catch (error) {
        if (!(error instanceof ResultTooLarge) || asked === 1) throw error
      }
    }
  }
}
