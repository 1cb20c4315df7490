/**
 * Background work. A job type is a name and a schema; its handler is declared separately, and src/worker runs it. A job
 * is queued in the caller's transaction, so it exists only if that transaction commits.
 */
import { sql } from 'kysely'
import { first } from '../lib/values.ts'
import { type Ctx, queryOne, type Services, transaction } from './context.ts'
import { newId } from './ids.ts'
import type { Issue, Schema } from './schema/index.ts'
import { insertRows, rows, updateRows } from './statements.ts'

export interface JobType<T = unknown> {
  readonly name: string
  readonly data: Schema<T>
  /** the scope of the operation that queues it; who cancels or retries it needs the same */
  readonly permission: string
  /** failed attempts after which the job has the status `failed` */
  readonly attempts: number
  /** how many jobs of this type one process runs at the same time */
  readonly concurrency: number
}

export const jobType = <T>(
  name: string,
  data: Schema<T>,
  permission: string,
  options: { attempts?: number; concurrency?: number } = {},
): JobType<T> => ({
  name,
  data,
  permission,
  attempts: options.attempts ?? 5,
  concurrency: options.concurrency ?? 2,
})

/** What a handler can report and query while its job runs. */
export interface JobRun {
  readonly id: string
  /** aborted when the job is cancelled, its lease is lost, or the process stops; its reason says which */
  readonly signal: AbortSignal
  /**
   * Stores the progress. In a transaction it also proves that this worker still has the lease: otherwise it throws, and
   * the transaction is rolled back.
   */
  progress(ctx: Ctx, done: number, total?: number): Promise<void>
}

export interface JobHandler<T = unknown> {
  readonly type: JobType<T>
  /** the actor in the journal; `job` by default */
  actor?(data: T): { kind: 'job' | 'import'; id: string }
  /** Throws if the caller may not cancel or retry this job, although they have the scope of its type. */
  checkCaller?(ctx: Ctx, data: T): Promise<void>
  /** Returns the job's result, which is stored. A handler may be run again from the start at any time. */
  run(ctx: Ctx, data: T, job: JobRun): Promise<unknown>
  /**
   * Runs when the job has finally failed or was cancelled, in the transaction that stores that status. It must clean up
   * partial results.
   */
  onEnd?(tx: Ctx, data: T, ending: JobEnding): Promise<void>
}

export type JobEnding = { status: 'failed'; error: string } | { status: 'cancelled' }

/** The reason why a job stops without having failed. */
export class JobStopped extends Error {
  readonly why: 'cancelled' | 'lost' | 'stopping'

  constructor(why: JobStopped['why']) {
    super(`The job was ${why}`)
    this.why = why
  }
}

/** A permanent failure: the job is not retried. The message is shown to users. */
export class JobFailed extends Error {}

export async function enqueue<T>(
  ctx: Ctx,
  type: JobType<T>,
  data: T,
  options: { entityId?: string; runAt?: Date } = {},
): Promise<string> {
  return first(await enqueueAll(ctx, type, [{ data, ...options }]))
}

/** Queues many jobs with one statement. */
export async function enqueueAll<T>(
  ctx: Ctx,
  type: JobType<T>,
  jobs: readonly { data: T; entityId?: string; runAt?: Date }[],
): Promise<string[]> {
  const queued = jobs.map(({ data, entityId, runAt }) => ({
    id: newId(),
    name: type.name,
    data: JSON.stringify(data),
    entity_id: entityId ?? null,
    user_id: ctx.user,
    max_attempts: type.attempts,
    run_at: (runAt ?? new Date()).toISOString(),
  }))
  await insertRows(ctx, 'jobs', queued)
  return queued.map(row => row.id)
}

/**
 * Cancels a job. A queued job ends at once, including the handler's `onEnd`; a running job ends at its next step.
 * Returns false if it has already ended.
 */
export function cancelJob(
  ctx: Ctx,
  id: string,
  handlerOf: (name: string) => JobHandler | undefined,
): Promise<boolean> {
  return transaction(ctx, async tx => {
    const job = await queryOne(
      tx,
      sql<{ name: string; status: string; data: unknown }>`select j.name, j.status, j.data
        from ${rows(tx, 'jobs')} j where j.id = ${id} for update`,
    )
    if (!job || !['queued', 'running'].includes(job.status)) return false
    const ended = job.status === 'queued' ? { status: 'cancelled', finished_at: sql`now()` } : {}
    const set = { cancel_requested_at: sql`now()`, updated_at: sql`now()`, ...ended }
    await updateRows(tx, 'jobs', set, sql`r.id = ${id}`)
    const handler = handlerOf(job.name)
    if (job.status === 'queued')
      await handler?.onEnd?.(tx, jobData(handler.type, job.data), { status: 'cancelled' })
    return true
  })
}

/** Throws for a job type without a handler or a handler without a job type, so that the service does not start. */
export function handlersByName(
  types: readonly JobType[],
  handlers: readonly JobHandler[],
): ReadonlyMap<string, JobHandler> {
  const byName = new Map(handlers.map(handler => [handler.type.name, handler]))
  const names = new Set(types.map(type => type.name))
  if (byName.size !== handlers.length) throw new Error('Two handlers have the same job.')
  if (names.size !== types.length) throw new Error('Two jobs have the same name.')
  for (const name of names) if (!byName.has(name)) throw new Error(`The job ${name} has no handler.`)
  for (const name of byName.keys()) {
    if (!names.has(name)) throw new Error(`There is a handler for ${name}, but no such job.`)
  }
  return byName
}

/** The data of a queued job, checked again by its schema, because an older build may have queued it. */
export function jobData<T>(type: JobType<T>, data: unknown): T {
  const issues: Issue[] = []
  const value = type.data.check(data, [], issues)
  if (issues.length > 0) throw new JobFailed('This job was queued by another version and cannot be read')
  return value
}

/** Housekeeping that the service does by itself, for all accounts. */
export interface Chore {
  name: string
  everyMinutes: number
  run(services: Services): Promise<void>
}

/** Renews the worker's lease on a job. Throws when the lease is lost or the job was cancelled. */
export async function renewLease(
  ctx: Ctx,
  id: string,
  worker: string,
  done: number,
  total?: number,
): Promise<void> {
  const { leaseMs } = ctx.services.config.jobs
  const set = {
    done,
    ...(total === undefined ? {} : { total }),
    losses: 0,
    updated_at: sql`now()`,
    held_until: sql`now() + make_interval(secs => ${leaseMs / 1000}::float8)`,
  }
  const [lease] = await updateRows(
    ctx,
    'jobs',
    set,
    sql`r.id = ${id} and r.worker_id = ${worker} and r.status = 'running'`,
    sql<{ cancelled: boolean }>`r.cancel_requested_at is not null as cancelled`,
  )
  if (!lease) throw new JobStopped('lost')
  if (lease.cancelled) throw new JobStopped('cancelled')
}
