/** Numbers the committed changes of an account, which makes them events. Decision 25 explains why. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import type { Loc } from '../../kernel/schema/index.ts'
import { type EventKinds, tablesOf } from './types.ts'

/** Changes numbered in one transaction: about 20 ms on the embedded engine. */
const BATCH = 2000

export interface Numbered {
  last_sequence: number
  is_done: boolean
}

export async function numberEvents(db: Db, account: string, kinds: EventKinds): Promise<Numbered> {
  return one(
    await query(
      { db },
      sql<Numbered>`select n.last_sequence, n.is_done
        from number_events(${account}, ${tablesOf(kinds)}::text[], ${BATCH}) n`,
    ),
  )
}

/** The number of the last event, after numbering everything that was committed. */
export async function lastSequence(db: Db, account: string, kinds: EventKinds): Promise<number> {
  for (;;) {
    const { last_sequence, is_done } = await numberEvents(db, account, kinds)
    if (is_done) return last_sequence
  }
}

/**
 * Refuses a position after the last event. Its reader would wait for events that have the numbers of others that it has
 * read: it comes from another account, or from before a backup was restored.
 */
export function checkReached(after: number, { last_sequence, is_done }: Numbered, loc: Loc): void {
  if (after <= last_sequence || !is_done) return
  throw errors.invalidValue(
    loc,
    `the last event of this account is ${last_sequence}: a backup was restored, or this is a position in another account. Start again with after=0, or read the records again and continue after ${last_sequence}`,
    after,
  )
}

/** The same where no page is read. Numbers the changes only until the position is reached. */
export async function checkPosition(
  { db, account }: Ctx,
  kinds: EventKinds,
  after: number,
  loc: Loc,
): Promise<void> {
  for (;;) {
    const numbered = await numberEvents(db, account, kinds)
    checkReached(after, numbered, loc)
    if (after <= numbered.last_sequence) return
  }
}
