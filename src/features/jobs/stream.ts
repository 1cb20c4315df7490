/** A job's progress as a live stream of events, for people who wait for it. */
import { Readable } from 'node:stream'
import type { Engine } from '../../db/engine.ts'
import type { Ctx } from '../../kernel/context.ts'

/** A proxy that hears nothing for a while hangs up. */
const SIGN_OF_LIFE_MS = 15_000
/** Nobody reads faster. */
const PAUSE_MS = 150
const ENDED = ['completed', 'failed', 'cancelled']

interface Hub {
  watchers: Set<{ id: string; wake: () => void }>
  closed: boolean
}

const hubs = new WeakMap<Engine, Promise<Hub>>()

/** One for each process: the database tells it which job has moved. */
function hubOf(engine: Engine): Promise<Hub> {
  let hub = hubs.get(engine)
  if (!hub) {
    const made: Hub = { watchers: new Set(), closed: false }
    hub = engine
      .listen('kith_job', moved => {
        for (const { id, wake } of made.watchers) if (moved === undefined || moved === id) wake()
      })
      .then(() => made)
    hub.catch(() => hubs.delete(engine))
    hubs.set(engine, hub)
  }
  return hub
}

/** Ends the open streams, which would otherwise keep the service from stopping. */
export async function closeJobStreams(engine: Engine): Promise<void> {
  const hub = await hubs.get(engine)
  if (!hub) return
  hub.closed = true
  for (const { wake } of hub.watchers) wake()
}

/** What is told of a job at each step; it ends with the status. */
type Followed = { status: string } & Record<string, unknown>

export async function jobStream(
  ctx: Ctx,
  id: string,
  read: (ctx: Ctx, id: string) => Promise<Followed>,
  gone: AbortSignal,
): Promise<Readable> {
  const hub = await hubOf(ctx.services.engine)
  return Readable.from(
    events(hub, id, () => read(ctx, id), gone),
    { objectMode: false },
  )
}

async function* events(hub: Hub, id: string, read: () => Promise<Followed>, gone: AbortSignal) {
  let moved = true
  let wake = () => {}
  const watcher = {
    id,
    wake: () => {
      moved = true
      wake()
    },
  }
  const waited = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  gone.addEventListener('abort', () => wake(), { once: true })
  hub.watchers.add(watcher)
  try {
    while (!gone.aborted && !hub.closed) {
      if (moved) {
        moved = false
        const job = await read()
        const ended = ENDED.includes(job.status)
        yield `event: ${ended ? 'end' : 'progress'}\ndata: ${JSON.stringify(job)}\n\n`
        if (ended) return
        await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
      } else {
        await waited(SIGN_OF_LIFE_MS)
        if (!moved) yield ': waiting\n\n'
      }
    }
  } finally {
    hub.watchers.delete(watcher)
  }
}
