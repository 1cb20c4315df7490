import { type Kysely, sql } from 'kysely'
import { waitFor } from './process.ts'

/**
 * Waits until a statement in this database (one that contains the text, if given) waits for a lock. The embedded
 * engine has one connection: nothing ever waits there.
 */
export const blocked = (db: Kysely<unknown>, text = ''): Promise<boolean> =>
  waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and strpos(query, ${text}) > 0 and datname = current_database()`.execute(db)
    return rows.length > 0
  })
