/**
 * Runs the queued jobs, in the server process or in a process of its own. The database notifies it when a job is queued;
 * a timer only serves jobs that are due later, so an idle service sends almost no statements.
 */
import { isUnavailable } from '../db/sqlstate.ts'
import { type Services, systemDb } from '../kernel/context.ts'
import { newId } from '../kernel/ids.ts'
import { type Chore, type JobHandler, JobStopped } from '../kernel/jobs.ts'
import { required } from '../lib/values.ts'
import { claim, dueChores, type QueuedJob, recover, renew, untilNext } from './queue.ts'
import { runJob } from './run-job.ts'

export interface Worker {
  /** Lets the running jobs finish their current step and puts them back into the queue. */
  stop(): Promise<void>
}

/**
 * The longest wait of a job whose notification was lost. On the embedded engine notifications use the only
 * connection and cannot be lost, and there is no other worker whose jobs this one would have to take over.
 */
const POLL_MS = { embedded: 60_000, server: 10_000 }
const CHORES_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

interface Running {
  name: string
  abort: AbortController
  ended: Promise<void>
}

export async function startWorker(
  services: Services,
  handlers: ReadonlyMap<string, JobHandler>,
  chores: readonly Chore[],
): Promise<Worker> {
  const { engine, log, config } = services
  const db = systemDb(services)
  const worker = newId()
  const leaseMs = config.jobs.leaseMs
  const pollMs = POLL_MS[engine.kind]
  const running = new Map<string, Running>()
  let stopping = false
  let isPolling = false
  let pollAgain = false
  let nextPoll: NodeJS.Timeout | undefined

  function start(job: QueuedJob): void {
    const abort = new AbortController()
    const ended = runJob(services, required(handlers, job.name), job, worker, abort.signal)
      .catch(error =>
        log.error({ err: error, job: job.id, name: job.name }, 'the result of a job could not be stored'),
      )
      .then(() => {
        running.delete(job.id)
        poll()
      })
    running.set(job.id, { name: job.name, abort, ended })
  }

  function freeSlots() {
    const busy = (name: string) => [...running.values()].filter(other => other.name === name).length
    return [...handlers.values()]
      .map(({ type }) => ({ name: type.name, free: type.concurrency - busy(type.name) }))
      .filter(({ free }) => free > 0)
  }

  /** Starts the jobs that are due. A call during a run causes one more run, so that a job queued meanwhile is not missed. */
  function poll(): void {
    if (stopping) return
    if (isPolling) {
      pollAgain = true
      return
    }
    isPolling = true
    clearTimeout(nextPoll)
    takeDue()
      .catch(error => {
        failed(error)
        return 1000
      })
      .then(delay => {
        isPolling = false
        if (pollAgain) {
          pollAgain = false
          poll()
        } else if (!stopping) nextPoll = setTimeout(poll, delay).unref()
      })
  }

  async function takeDue(): Promise<number> {
    const slots = freeSlots()
    if (slots.length === 0) return pollMs
    const jobs = await claim(db, worker, slots, leaseMs)
    for (const job of jobs) start(job)
    if (jobs.length > 0) return 0
    const next = await untilNext(
      db,
      slots.map(({ name }) => name),
    )
    return Math.min(pollMs, Math.max(next ?? pollMs, 20))
  }

  async function renewLeases(): Promise<void> {
    if (running.size === 0) return
    const cancelledById = new Map((await renew(db, worker, leaseMs)).map(job => [job.id, job.cancelled]))
    for (const [id, { abort }] of running) {
      if (cancelledById.get(id) === undefined) abort.abort(new JobStopped('lost'))
      else if (cancelledById.get(id)) abort.abort(new JobStopped('cancelled'))
    }
  }

  async function recoverLost(all: boolean): Promise<void> {
    const recovered = await recover(db, all)
    for (const { id, name } of recovered)
      log.warn({ job: id, name }, 'a job of a lost worker was returned to the queue')
    if (recovered.length > 0) poll()
  }

  async function doChores(): Promise<void> {
    const due = await dueChores(db, chores)
    for (const chore of chores.filter(({ name }) => due.includes(name))) {
      await chore.run(services).catch(error => log.error({ err: error, chore: chore.name }, 'a chore failed'))
    }
  }

  function failed(error: unknown): void {
    if (stopping) return
    log.warn({ err: error }, isUnavailable(error) ? 'the queue waits for the database' : 'the queue failed')
  }

  /** Never runs `work` twice at once, even if it takes longer than the interval. */
  function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
    let busy = false
    const run = async () => {
      if (busy) return
      busy = true
      await work().catch(failed)
      busy = false
    }
    return setInterval(run, ms).unref()
  }

  // Only one process can open the embedded database, so every job marked as running there was interrupted.
  await recoverLost(engine.kind === 'embedded')
  await engine.listen('kith_jobs', poll)
  poll()
  const timers = [
    every(leaseMs / 3, renewLeases),
    every(engine.kind === 'embedded' ? pollMs : leaseMs / 2, () => recoverLost(false)),
    every(CHORES_MS, doChores),
  ]

  return {
    async stop() {
      stopping = true
      clearTimeout(nextPoll)
      for (const { abort } of running.values()) abort.abort(new JobStopped('stopping'))
      const timeout = new Promise(resolve => setTimeout(resolve, STOP_TIMEOUT_MS).unref())
      await Promise.race([Promise.all([...running.values()].map(({ ended }) => ended)), timeout])
      for (const timer of timers) clearInterval(timer)
    },
  }
}
