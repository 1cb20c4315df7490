/** The rules that a kind of record applies when records are written, and the values they work on. */
import type { RawBuilder } from 'kysely'
import type { Ctx } from './context.ts'
import { HttpError } from './errors.ts'
import type { Item } from './resource.ts'
import type { Row } from './statements.ts'

/** A record of a set that is being written. */
export interface Write<In extends Item = Item, Before = unknown> {
  readonly id: string
  readonly isNew: boolean
  /** the caller's input, unchanged */
  readonly input: Partial<In>
  /** what `Rules.before` selected of the existing record; undefined for a new record */
  before?: Before
  /** the values to write; initially the input */
  values: Partial<In>
  /** columns that the server sets */
  set: Row
  /** why it is refused */
  error?: HttpError
  /** the record already has all values */
  isUnchanged?: boolean
}

/** What a kind of record adds to writing. Each rule gets all records of the set. */
export interface Rules<In extends Item, Before = unknown> {
  /** the column with the user who created the record */
  author?: 'created_by' | 'user_id'
  /** fields whose new value depends on the stored record: changing one locks and reads the record first */
  dependent?: readonly (keyof In & string)[]
  /** the select list for reading such a record; the record is `r` */
  before?(ctx: Ctx): RawBuilder<Before>
  /** Whether creating a record with this input takes one insert, provided it refers to no other record. */
  isOneInsert?(input: Partial<In>): boolean
  /** Sets `values` and `set` of new records and of those that were read. Use `eachWrite` to refuse single records. */
  prepare?(tx: Ctx, writes: readonly Write<In, Before>[]): void | Promise<void>
  /** Like `prepare`, but after ids were checked; for rules that write to the database themselves. */
  complete?(tx: Ctx, writes: readonly Write<In, Before>[]): Promise<void>
  /** Runs after the records are written and writes dependent rows. Returns whether there were any. */
  finish?(tx: Ctx, writes: readonly Write<In, Before>[]): Promise<boolean>
  /** Translates a database error into the response for this record. */
  refusal?(error: unknown, input: Partial<In>): HttpError | undefined
}

export const isGood = (write: Pick<Write, 'error'>): boolean => write.error === undefined

/** Runs a rule for each record that is not refused yet; an HttpError refuses that record alone. */
export function eachWrite<W extends Pick<Write, 'error'>>(
  writes: readonly W[],
  rule: (write: W) => void,
): void {
  for (const write of writes.filter(isGood)) {
    try {
      rule(write)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      write.error = error
    }
  }
}
