/**
 * Work that outlives its request. A job is a name and a schema; its handler is declared apart (src/worker runs it).
 * It is queued in the caller's transaction: it exists if and only if what asked for it does.
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
  /** how often it may fail before it is given up and waits among the failed ones */
  readonly attempts: number
  /** how many of them one process runs side by side */
  readonly concurrency: number
}

export const jobType = <T>(
  name: string,
  data: Schema<T>,
  options: { attempts?: number; concurrency?: number } = {},
): JobType<T> => ({ name, data, attempts: options.attempts ?? 5, concurrency: options.concurrency ?? 2 })

/** What a running job can say and ask. */
export interface JobRun {
  readonly id: string
  /** aborted when the job is cancelled or lost, or the process stops; its reason says which */
  readonly signal: AbortSignal
  /**
   * Notes how far the job is. In a transaction it is also the proof that the job is still in these hands: a
   * worker that was taken for dead is thrown out here, together with what it was about to write.
   */
  progress(ctx: Ctx, done: number, total?: number): Promise<void>
}

export interface JobHandler<T = unknown> {
  readonly type: JobType<T>
  /** as whom the journal names the job; `job` unless said otherwise */
  actor?(data: T): { kind: 'job' | 'import'; id: string }
  /** What it returns is kept as the job's result. It may be run again from the start at any time. */
  run(ctx: Ctx, data: T, job: JobRun): Promise<unknown>
  /** Given up or cancelled. Runs in the transaction that says so: leave nothing half done in sight. */
  onEnd?(tx: Ctx, data: T, ending: JobEnding): Promise<void>
}

export type JobEnding = { status: 'failed'; error: string } | { status: 'cancelled' }

/** Why a job stops without having failed. */
export class JobStopped extends Error {
  readonly why: 'cancelled' | 'lost' | 'stopping'

  constructor(why: JobStopped['why']) {
    super(`The job was ${why}`)
    this.why = why
  }
}

/** Trying again would not help; the sentence is shown to people. */
export class JobFailed extends Error {}

export async function enqueue<T>(
  ctx: Ctx,
  type: JobType<T>,
  data: T,
  options: { entityId?: string; runAt?: Date } = {},
): Promise<string> {
  return first(await enqueueAll(ctx, type, [{ data, ...options }]))
}

/** Many at once, as one statement. */
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
 * Asks for the end of a job. One that waits ends at once, with what its handler has to do then; one that runs ends
 * at its next step. False: it has ended already.
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

/** A job without a handler, or a handler without a job, keeps the service from starting. */
export function handlersByName(
  types: readonly JobType[],
  handlers: readonly JobHandler[],
): ReadonlyMap<string, JobHandler> {
  const byName = new Map(handlers.map(handler => [handler.type.name, handler]))
  const names = new Set(types.map(type => type.name))
  if (byName.size !== handlers.length) throw new Error('Two handlers are for the same job.')
  if (names.size !== types.length) throw new Error('Two jobs have the same name.')
  for (const name of names) if (!byName.has(name)) throw new Error(`The job ${name} has no handler.`)
  for (const name of byName.keys()) {
    if (!names.has(name)) throw new Error(`There is a handler for ${name}, which is no job.`)
  }
  return byName
}

/** The data of a queued job as its schema reads it: it may have been queued by an older build. */
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

/** Renews the worker's hold on a job; throws when it has lost it, or when the job's end was asked for. */
export async function holdJob(
  ctx: Ctx,
  id: string,
  worker: string,
  done: number,
  total?: number,
): Promise<void> {
  const { holdMs } = ctx.services.config.jobs
  const set = {
    done,
    ...(total === undefined ? {} : { total }),
    losses: 0,
    updated_at: sql`now()`,
    held_until: sql`now() + make_interval(secs => ${holdMs / 1000}::float8)`,
  }
  const [held] = await updateRows(
    ctx,
    'jobs',
    set,
    sql`r.id = ${id} and r.worker_id = ${worker} and r.status = 'running'`,
    sql<{ cancelled: boolean }>`r.cancel_requested_at is not null as cancelled`,
  )
  if (!held) throw new JobStopped('lost')
  if (held.cancelled) throw new JobStopped('cancelled')
}
