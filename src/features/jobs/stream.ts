/** The progress of a job as an event stream. */
import type { Ctx, Services } from '../../kernel/context.ts'
import { eventStream, waker } from '../../kernel/event-stream.ts'
import { processState } from '../../kernel/process-state.ts'
import type { Reply } from '../../kernel/reply.ts'

/** A client gets at most one state per 150 ms. */
const PAUSE_MS = 150
const ENDED = ['completed', 'failed', 'cancelled']

interface Watchers {
  wakeById: Map<string, Set<() => void>>
  listening: Promise<void> | undefined
}

/** The open streams of this process by job id. */
const watchersOf = processState((): Watchers => ({ wakeById: new Map(), listening: undefined }))

/**
 * Listens for notifications of changed jobs. Without an id, notifications may have been lost, so all streams are woken.
 */
async function listen(services: Services): Promise<Watchers['wakeById']> {
  const watchers = watchersOf(services)
  watchers.listening ??= services.engine.listen('kith_job', id => {
    const wakes = id === undefined ? [...watchers.wakeById.values()] : [watchers.wakeById.get(id) ?? []]
    for (const some of wakes) for (const wake of some) wake()
  })
  await watchers.listening.catch(error => {
    watchers.listening = undefined
    throw error
  })
  return watchers.wakeById
}

/** The state of a job in a stream; `status` shows whether it has ended. */
type Followed = { status: string } & Record<string, unknown>

export async function jobStream(
  ctx: Ctx,
  id: string,
  read: (ctx: Ctx, id: string) => Promise<Followed>,
  clientGone: AbortSignal,
): Promise<Reply> {
  const wakeById = await listen(ctx.services)
  const { wake, woken } = waker()
  const wakes = wakeById.get(id) ?? new Set()
  wakeById.set(id, wakes.add(wake))
  let isNew = true
  const source = {
    async next() {
      if (!isNew) return { events: [], isOver: false }
      isNew = false
      const job = await read(ctx, id)
      const isOver = ENDED.includes(job.status)
      return { events: [{ event: isOver ? 'end' : 'progress', data: job }], isOver }
    },
    async changed(ms: number, signal: AbortSignal) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
      const began = Date.now()
      await woken(ms, signal)
      isNew = Date.now() - began < ms
    },
    close() {
      wakes.delete(wake)
      if (wakes.size === 0 && wakeById.get(id) === wakes) wakeById.delete(id)
    },
  }
  return eventStream(ctx.services, source, clientGone)
}
