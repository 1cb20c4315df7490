/** How far a mailbox has been read, and which process reads it now. */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type Columns, insertRows, updateRows } from '../../../kernel/statements.ts'

export interface Position {
  uid_validity: number
  last_uid: number
  /** of the mail after `last_uid` */
  attempts: number
  /** rounds in succession that failed */
  failures: number
}

/** The lease of the process that reads the mailbox; each mail that is logged renews it. */
const LEASE_MS = 120_000

const inMs = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000}::float8)`

/** Takes the mailbox if it is due. Undefined: it is not, or another process is reading it. */
export async function claim(ctx: Ctx, mailbox: string): Promise<Position | undefined> {
  const [position] = await insertRows(ctx, 'polled_mailboxes', [{ mailbox, due_at: inMs(LEASE_MS) }], {
    onConflict: sql`(account_id, mailbox) do update set due_at = excluded.due_at where r.due_at <= now()`,
    returning: sql<Position>`r.uid_validity, r.last_uid, r.attempts, r.failures`,
  })
  return position
}

const write = (ctx: Ctx, mailbox: string, set: Columns<'polled_mailboxes'>) =>
  updateRows(ctx, 'polled_mailboxes', set, sql`r.mailbox = ${mailbox}`)

/** The next mail is the first one after `uid`. */
export const advance = (ctx: Ctx, mailbox: string, uidValidity: number, uid: number) =>
  write(ctx, mailbox, {
    uid_validity: uidValidity,
    last_uid: uid,
    attempts: 0,
    failures: 0,
    due_at: inMs(LEASE_MS),
  })

/** The next mail could not be logged, and is tried again in the next round. */
export const countAttempt = (ctx: Ctx, mailbox: string) =>
  write(ctx, mailbox, { attempts: sql`r.attempts + 1` })

/** Lets any process read the mailbox again after this time. */
export const release = (ctx: Ctx, mailbox: string, failures: number, ms: number) =>
  write(ctx, mailbox, { failures, due_at: inMs(ms) })
