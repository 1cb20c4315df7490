/** Runs one job and stores its end: completed, to be retried, failed, cancelled or returned to the queue. */
import { sql } from 'kysely'
import { type Ctx, contextFor, type Services, transaction } from '../kernel/context.ts'
import { HttpError } from '../kernel/errors.ts'
import {
  type JobEnding,
  JobFailed,
  type JobHandler,
  JobStopped,
  jobData,
  renewLease,
} from '../kernel/jobs.ts'
import { type Row, updateRows } from '../kernel/statements.ts'
import { countJob } from './counts.ts'
import { MAX_LOSSES, type QueuedJob } from './queue.ts'

export async function runJob(
  services: Services,
  handler: JobHandler,
  job: QueuedJob,
  worker: string,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now()
  const ctx = contextOf(services, handler, job)
  const state = (tx: Ctx, set: Row) => setState(tx, job.id, worker, set)
  try {
    const result = await run(ctx, handler, job, worker, signal)
    await state(ctx, { status: 'completed', result: JSON.stringify(result ?? {}), ...FINISHED, error: null })
    countJob(services, job.name, 'completed', performance.now() - began)
  } catch (error) {
    const outcome = await settle(ctx, handler, job, reasonOf(error, signal), state)
    if (outcome !== undefined) countJob(services, job.name, outcome, performance.now() - began)
  }
}

function run(ctx: Ctx, handler: JobHandler, job: QueuedJob, worker: string, signal: AbortSignal) {
  if (job.cancelled) throw new JobStopped('cancelled')
  if (job.losses > MAX_LOSSES) throw new JobFailed('The job was interrupted too often')
  return handler.run(ctx, jobData(handler.type, job.data), {
    id: job.id,
    signal,
    async progress(at, done, total) {
      signal.throwIfAborted()
      await renewLease(at, job.id, worker, done, total)
    },
  })
}

/** An error that was caused by stopping the job is not a failure. */
const reasonOf = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted && !(error instanceof HttpError) && !(error instanceof JobFailed) ? signal.reason : error

const FINISHED = { finished_at: sql`now()`, worker_id: null, held_until: null }
const REQUEUED = { status: 'queued', worker_id: null, held_until: null }

async function settle(
  ctx: Ctx,
  handler: JobHandler,
  job: QueuedJob,
  error: unknown,
  state: (tx: Ctx, set: Row) => Promise<boolean>,
): Promise<'failed' | 'retried' | 'cancelled' | undefined> {
  const { log } = ctx.services
  if (error instanceof JobStopped && error.why === 'lost') return undefined
  if (error instanceof JobStopped && error.why === 'stopping') {
    await state(ctx, { ...REQUEUED, run_at: sql`now()` })
    return undefined
  }
  if (error instanceof JobStopped) {
    await end(ctx, handler, job, { status: 'cancelled' }, state)
    return 'cancelled'
  }
  const clientMessage = sentenceOf(error)
  const attempts = job.attempts + 1
  if (clientMessage === undefined)
    log.error({ err: error, job: job.id, name: job.name, attempts }, 'a job failed')
  const sentence = clientMessage ?? 'The job failed because of an internal error'
  if (clientMessage === undefined && attempts < job.max_attempts) {
    await state(ctx, { ...REQUEUED, attempts, error: sentence, run_at: sql`now() + ${backoff(attempts)}` })
    return 'retried'
  }
  await end(ctx, handler, job, { status: 'failed', error: sentence }, state, attempts)
  return 'failed'
}

/** The message of a failure that the client caused. It is final, because a retry would fail again. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof JobFailed) return error.message
  if (!(error instanceof HttpError) || error.status >= 500) return undefined
  return typeof error.detail === 'string' ? error.detail : error.detail.map(issue => issue.msg).join('; ')
}

/** 2 s, 4 s, 8 s, … up to an hour, with a random spread so that jobs that failed together are not retried together. */
const backoff = (attempts: number) =>
  sql`make_interval(secs => ${Math.min(3600, 2 ** attempts) * (0.75 + Math.random() / 2)}::float8)`

function end(
  ctx: Ctx,
  handler: JobHandler,
  job: QueuedJob,
  ending: JobEnding,
  state: (tx: Ctx, set: Row) => Promise<boolean>,
  attempts = job.attempts,
): Promise<void> {
  return transaction(ctx, async tx => {
    const error = ending.status === 'failed' ? ending.error : null
    const hasLease = await state(tx, { status: ending.status, ...FINISHED, attempts, error })
    const data = readable(handler, job)
    if (hasLease && data !== undefined) await handler.onEnd?.(tx, data, ending)
  })
}

function readable(handler: JobHandler, job: QueuedJob): unknown {
  try {
    return jobData(handler.type, job.data)
  } catch {
    return undefined
  }
}

/** Updates the job only while this worker has its lease. */
async function setState(ctx: Ctx, id: string, worker: string, set: Row): Promise<boolean> {
  const updated = await updateRows(
    ctx,
    'jobs',
    { ...set, updated_at: sql`now()` },
    sql`r.id = ${id} and r.worker_id = ${worker} and r.status = 'running'`,
    sql`r.id`,
  )
  return updated.length > 0
}

/** The context of a job: the account and the user that started it. It can see no other account. */
function contextOf(services: Services, handler: JobHandler, job: QueuedJob): Ctx {
  const own = { kind: 'job', id: job.id } as const
  const { kind, id } = handler.actor?.(job.data) ?? own
  return contextFor(services, {
    kind,
    id,
    userId: job.user_id,
    accountId: job.account_id,
    role: 'member',
    scopes: ['*'],
  })
}
