/**
 * Runs calls together that arrive while another one runs (decision 49). A statement for ten records costs PostgreSQL and
 * the service far less than ten statements, so a caller runs one statement of a kind at a time. Calls that arrive
 * meanwhile wait until it ends and then run as one set. A caller with one connection never waits.
 */
import type { Db } from '../db/engine.ts'
import { isUnavailable } from '../db/sqlstate.ts'
import { BriefMap } from '../lib/brief-map.ts'
import type { Ctx } from './context.ts'

const MAX_SET = 16
/** A statement that takes longer may wait for a lock; further calls do not wait for it. */
export const PATIENCE_MS = 20

export interface Call {
  readonly ctx: Ctx
  /** the record; two calls for the same one are not in one set */
  readonly id: string
  /** calls of the same shape can be one statement */
  readonly shape: string
}

export interface Steps<C extends Call, Result> {
  alone(call: C): Promise<Result>
  /**
   * Runs the calls as one statement, in the context of the first. A call without a result is run alone and gets its own
   * error; if the promise is rejected, all of them. So these must not have been executed. Only of a lost connection that
   * is not known; then all calls get its error.
   */
  together(calls: readonly [C, ...C[]]): Promise<ReadonlyMap<C, Result | Promise<Result>>>
}

/** The calls of a caller are those with the same database handle and the same permissions. */
export function gathered<C extends Call, Result>(steps: Steps<C, Result>): (call: C) => Promise<Result> {
  const callers = new WeakMap<Db, BriefMap<string, Queue<C, Result>>>()
  return call => {
    const { ctx, shape } = call
    if (ctx.inTransaction) return steps.alone(call)
    const queues = callers.get(ctx.db) ?? new BriefMap<string, Queue<C, Result>>()
    callers.set(ctx.db, queues)
    const key = `${shape} ${ctx.caller.role} ${ctx.caller.scopes.join()}`
    const existing = queues.get(key)
    if (existing) return existing.add(call)
    const queue = new Queue(steps, () => queues.delete(key))
    queues.add(key, queue)
    return queue.add(call)
  }
}

interface Waiting<C extends Call, Result> {
  call: C
  resolve(result: Result | Promise<Result>): void
}

/** The calls of one caller and shape. */
class Queue<C extends Call, Result> {
  readonly #steps: Steps<C, Result>
  readonly #onIdle: () => void
  #running = 0
  #waiting: Waiting<C, Result>[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(steps: Steps<C, Result>, onIdle: () => void) {
    this.#steps = steps
    this.#onIdle = onIdle
  }

  add(call: C): Promise<Result> {
    if (this.#running === 0) {
      this.#running++
      return this.#steps.alone(call).finally(() => this.#ended())
    }
    this.#timer ??= setTimeout(() => this.#startNext(), PATIENCE_MS)
    return new Promise(resolve => {
      this.#waiting.push({ call, resolve })
    })
  }

  #ended(): void {
    this.#running--
    if (this.#running > 0) return
    if (this.#waiting.length > 0) this.#startNext()
    else this.#onIdle()
  }

  /** Now that a statement has ended or takes too long. */
  #startNext(): void {
    clearTimeout(this.#timer)
    const set = this.#nextSet()
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => this.#startNext(), PATIENCE_MS) : undefined
    if (set.length === 0) return
    this.#running++
    void this.#run(set).finally(() => this.#ended())
  }

  /** Takes the calls that run next out of the queue. */
  #nextSet(): Waiting<C, Result>[] {
    const set: Waiting<C, Result>[] = []
    const ids = new Set<string>()
    this.#waiting = this.#waiting.filter(waiting => {
      if (set.length === MAX_SET || ids.has(waiting.call.id)) return true
      ids.add(waiting.call.id)
      set.push(waiting)
      return false
    })
    return set
  }

  async #run(set: readonly Waiting<C, Result>[]): Promise<void> {
    const results = await this.#together(set.map(({ call }) => call))
    const all = set.map(({ call, resolve }) => {
      const result = results.get(call) ?? this.#steps.alone(call)
      resolve(result)
      return result
    })
    await Promise.allSettled(all)
  }

  async #together([first, ...more]: readonly C[]): Promise<ReadonlyMap<C, Result | Promise<Result>>> {
    if (!first || more.length === 0) return new Map()
    return this.#steps.together([first, ...more]).catch((error: unknown) => {
      const isLost = isUnavailable(error)
      return new Map(isLost ? [first, ...more].map(call => [call, Promise.reject(error)]) : [])
    })
  }
}
