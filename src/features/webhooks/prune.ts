import { sql } from 'kysely'
import { systemDb } from '../../kernel/context.ts'
import type { Chore } from '../../kernel/jobs.ts'
import { unscoped } from '../../kernel/statements.ts'

/** Finished deliveries are in the log for a week (at most 10,000 of each webhook, see fan-out.ts). */
export const forgetOldDeliveries: Chore = {
  name: 'forget old webhook deliveries',
  everyMinutes: 60,
  async run(services) {
    const db = systemDb(services)
    for (let count = 1; count > 0; ) {
      const { rows } = await sql`delete from ${unscoped('webhook_deliveries')} where ctid = any(array(
        select d.ctid from ${unscoped('webhook_deliveries')} d
        where d.status <> 'pending' and d.updated_at < now() - interval '7 days' limit 500)) returning 1`.execute(
        db,
      )
      count = rows.length
    }
    await sql`update ${unscoped('webhooks')} set previous_secret = null, previous_secret_expires_at = null
      where previous_secret_expires_at < now()`.execute(db)
  },
}
