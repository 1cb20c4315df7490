import { type RawBuilder, sql } from 'kysely'

/** Blocks in a segment: the width of the masks in the database. */
export const BLOCKS = 1024
/** Records in a block. Smaller blocks are found more exactly, and make the index larger. */
export const BLOCK_SIZE = 8

const textAndPhone = sql<string>`r.search_text || chr(10) || coalesce(r.phone_digits, '')`
const textAlone = sql<string>`r.search_text`

/** The tables that grow with an account, and the text of a row `r` that is indexed. Other lists are scanned. */
const TEXTS = {
  companies: textAndPhone,
  contacts: textAndPhone,
  deals: textAlone,
  activities: textAlone,
  notes: textAlone,
}

export type IndexedTable = keyof typeof TEXTS

export const isIndexed = (table: string): table is IndexedTable => Object.hasOwn(TEXTS, table)

export const indexedTables = Object.keys(TEXTS).filter(isIndexed)

export const textOf = (table: IndexedTable): RawBuilder<string> => TEXTS[table]

/** The records of a kind that an account has. */
export interface Target {
  account: string
  kind: IndexedTable
}
