/** `/api/jobs`: the background jobs, with their progress and their errors. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { pageOf } from '../../kernel/general-endpoints.ts'
import { cancelJob, type JobHandler, jobData } from '../../kernel/jobs.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { rows, updateRows } from '../../kernel/statements.ts'
import { type Job, job, jobOutput } from './record.ts'
import { jobStream } from './stream.ts'

const { get, list } = crud(job)

const tag = 'Jobs'
const read = { tag, permission: 'jobs:read' } as const
const write = { tag, permission: 'jobs:write' } as const

export const jobEndpoints = (handlers: ReadonlyMap<string, JobHandler>): Endpoint[] => [
  endpoint({
    ...read,
    method: 'GET',
    path: '/api/jobs',
    summary: 'List jobs',
    description: '`status=failed` lists the jobs that have finally failed; each can be retried.',
    query: listParameters(job),
    response: pageOf({ record: job }),
    run: (ctx, request) => list(ctx, request.query),
  }),
  endpoint({
    ...read,
    method: 'GET',
    path: '/api/jobs/{job_id}',
    summary: 'Get a job',
    description: 'A job is deleted 7 days after its end, a failed one after 90.',
    response: jobOutput,
    single: true,
    run: (ctx, { params }) => get(ctx, params.job_id),
  }),
  endpoint({
    ...read,
    method: 'GET',
    path: '/api/jobs/{job_id}/events',
    summary: 'Stream the progress of a job',
    description:
      'A stream of `progress` events and one `end` event; the data of each is the current state of the job.',
    responseContent: { 'text/event-stream': { type: 'string' } },
    run: async (ctx, { params, signal }) => {
      await get(ctx, params.job_id)
      return jobStream(ctx, params.job_id, get, signal)
    },
  }),
  endpoint({
    ...write,
    method: 'POST',
    path: '/api/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description: 'A running job stops at its next step; what it has already done is not undone.',
    response: jobOutput,
    run: async (ctx, { params }) => {
      await checkCaller(ctx, handlers, params.job_id)
      if (!(await cancelJob(ctx, params.job_id, name => handlers.get(name)))) {
        throw errors.conflict('This job has ended already')
      }
      return get(ctx, params.job_id)
    },
  }),
  endpoint({
    ...write,
    method: 'POST',
    path: '/api/jobs/{job_id}/retry',
    summary: 'Retry a failed job',
    description:
      'Puts it back into the queue with all its attempts. 409 if it has not failed. Also needs the scope of its work, such as `imports:write`.',
    response: jobOutput,
    status: 202,
    run: async (ctx, { params }) => {
      await checkCaller(ctx, handlers, params.job_id)
      return retry(ctx, params.job_id)
    },
  }),
]

/** A job changes records, so `jobs:write` alone is not enough to stop it or to run it again. */
async function checkCaller(ctx: Ctx, handlers: ReadonlyMap<string, JobHandler>, id: string): Promise<void> {
  const stored = await queryOne(
    ctx,
    sql<{
      name: string
      data: unknown
    }>`select j.name, j.data from ${rows(ctx, 'jobs')} j where j.id = ${id}`,
  )
  if (!stored) throw errors.notFound('Job')
  const handler = handlers.get(stored.name)
  if (!handler) return
  const { type } = handler
  if (!hasScope(ctx.caller.scopes, type.permission)) throw errors.missingScope(type.permission)
  await handler.checkCaller?.(ctx, jobData(type, stored.data))
}

async function retry(ctx: Ctx, id: string): Promise<Job> {
  const requeued = await updateRows(
    ctx,
    'jobs',
    sql`status = 'queued', attempts = 0, losses = 0, run_at = now(), updated_at = now(), error = null,
      cancel_requested_at = null, finished_at = null`,
    sql`r.id = ${id} and r.status = 'failed'`,
    sql`r.id`,
  )
  if (requeued.length > 0) return get(ctx, id)
  throw errors.conflict('Only a job that failed can be tried again')
}
