import { sql } from 'kysely'
import { systemDb } from '../../kernel/context.ts'
import type { Chore } from '../../kernel/jobs.ts'

/** Jobs that went well are of interest for a week; those that failed until somebody has had the time to look. */
export const forgetOldJobs: Chore = {
  name: 'forget old jobs',
  everyMinutes: 60,
  async run(services) {
    await sql`delete from ${sql.table('jobs')} where finished_at < now() - interval '7 days'
      and (status <> 'failed' or finished_at < now() - interval '90 days')`.execute(systemDb(services))
  },
}
