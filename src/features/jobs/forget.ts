import { sql } from 'kysely'
import { systemDb } from '../../kernel/context.ts'
import type { Chore } from '../../kernel/jobs.ts'
import { unscoped } from '../../kernel/statements.ts'

/** Deletes completed jobs after a week, and failed ones later, so that people can inspect them. */
export const forgetOldJobs: Chore = {
  name: 'forget old jobs',
  everyMinutes: 60,
  async run(services) {
    await sql`delete from ${unscoped('jobs')} where finished_at < now() - interval '7 days'
      and (status <> 'failed' or finished_at < now() - interval '90 days')`.execute(systemDb(services))
  },
}
