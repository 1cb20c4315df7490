/** Demo data as a job, so that the page of the first run need not wait for it. */
import { type JobHandler, jobType } from '../../kernel/jobs.ts'
import { object } from '../../kernel/schema/index.ts'
import { fillDemo, hasRecords } from '../demo/index.ts'

export const demoJob = jobType('demo', object({}), 'accounts:write', { concurrency: 1 })

export const demoHandler: JobHandler<object> = {
  type: demoJob,
  async run(ctx, _, job) {
    // It is written in one transaction: after a crash there is all of it or nothing.
    if (await hasRecords(ctx)) return {}
    await job.progress(ctx, 0, 1)
    const filled = await fillDemo(ctx, new Date().toISOString().slice(0, 10))
    await job.progress(ctx, 1, 1)
    return filled
  },
}
