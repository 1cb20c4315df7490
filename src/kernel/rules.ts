/** The rules that a kind of record has for being written, and what they work on. */
import type { RawBuilder } from 'kysely'
import type { Ctx } from './context.ts'
import { HttpError } from './errors.ts'
import type { Item } from './resource.ts'
import type { Row } from './statements.ts'

/** A record of a set that is being written. */
export interface Write<In extends Item = Item, Before = unknown> {
  readonly id: string
  readonly isNew: boolean
  /** as the caller sent it */
  readonly input: Partial<In>
  /** what the rules read of a record that changes; undefined for a new one */
  before?: Before
  /** what is written of the input's fields: at first the input itself */
  values: Partial<In>
  /** columns that the server fills */
  set: Row
  /** why it is refused */
  error?: HttpError
  /** the record has all of it already */
  isUnchanged?: boolean
}

/** What a kind of record does in its own way when it is written. Each rule gets all records of the set. */
export interface Rules<In extends Item, Before = unknown> {
  /** the column that says who created a record */
  author?: 'created_by' | 'user_id'
  /** fields whose new value has to fit what a record holds: a change of one locks and reads the record first */
  dependent?: readonly (keyof In & string)[]
  /** what is read of such a record, as a select list; the record is `r` */
  before?(ctx: Ctx): RawBuilder<Before>
  /** Whether a new record with this input is one insert, if it names no other record. */
  isOneInsert?(input: Partial<In>): boolean
  /** Sets `values` and `set` of new records and of those that were read. `eachWrite` refuses one of them alone. */
  prepare?(tx: Ctx, writes: readonly Write<In, Before>[]): void | Promise<void>
  /** The same once ids were checked, for rules that write something themselves. */
  complete?(tx: Ctx, writes: readonly Write<In, Before>[]): Promise<void>
  /** Writes what follows from the records, which are written by now. */
  finish?(tx: Ctx, writes: readonly Write<In, Before>[]): Promise<void>
  /** What an error of the database means for this record. */
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
