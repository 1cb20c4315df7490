/** Server-sent events: one loop, format and set of headers for every stream of the service. */
import { Readable } from 'node:stream'
import type { Services } from './context.ts'
import { processState } from './process-state.ts'
import { type Reply, rawReply } from './reply.ts'

export interface StreamEvent {
  event: string
  data: unknown
  /** clients send it back as Last-Event-ID */
  id?: string
}

export interface EventSource {
  /** The events since the last call, possibly none. `isOver`: no more events will follow. */
  next(): Promise<{ events: StreamEvent[]; isOver: boolean }>
  /** Resolves when there may be new events, after `ms` at the latest, or when the signal is aborted. */
  changed(ms: number, signal: AbortSignal): Promise<void>
  /** Called once, even for a stream that was never read. */
  close?(): void
}

export interface StreamOptions {
  /** Interval between comment lines. Without them, proxies close an idle connection. */
  heartbeatMs?: number
  /** how long a client waits before it reconnects */
  retryMs?: number
  /** the position it begins at, so that a client that loses it before the first event misses nothing */
  startId?: string
  headers?: Record<string, string>
  /** the source sends a last event and ends by itself when the service stops */
  endsItself?: boolean
}

const HEARTBEAT_MS = 15_000
const BUFFER_BYTES = 16_384

const stopping = processState(() => new AbortController())

/** Ends every open stream, which would otherwise keep the service from stopping. */
export const closeEventStreams = (services: Services): void => stopping(services).abort()

export function eventStream(
  services: Services,
  source: EventSource,
  clientGone: AbortSignal,
  options: StreamOptions = {},
): Reply {
  const signal = options.endsItself ? clientGone : AbortSignal.any([clientGone, stopping(services).signal])
  const reply = rawReply(eventText(source, signal, options), 'text/event-stream; charset=utf-8', {
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...options.headers,
  })
  return { ...reply, status: 200 }
}

export function eventText(source: EventSource, signal: AbortSignal, options: StreamOptions = {}): Readable {
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    source.close?.()
  }
  // The generator of a stream that is never read does not reach its `finally`.
  signal.addEventListener('abort', close, { once: true })
  return Readable.from(written(source, signal, options, close), {
    objectMode: false,
    highWaterMark: BUFFER_BYTES,
  })
}

async function* written(
  source: EventSource,
  signal: AbortSignal,
  { heartbeatMs = HEARTBEAT_MS, retryMs, startId }: StreamOptions,
  close: () => void,
) {
  let sentAt = Date.now()
  try {
    if (startId !== undefined) yield `id: ${startId}\n\n`
    if (retryMs !== undefined) yield `retry: ${retryMs}\n\n`
    while (!signal.aborted) {
      const { events, isOver } = await source.next()
      for (const event of events) yield format(event)
      if (isOver) return
      if (events.length === 0) {
        await source.changed(heartbeatMs, signal)
        if (Date.now() - sentAt < heartbeatMs) continue
        yield ': waiting\n\n'
      }
      sentAt = Date.now()
    }
  } finally {
    close()
  }
}

/** An event that several streams send is written once, and unread streams hold the same bytes. */
const texts = new WeakMap<StreamEvent, Buffer>()

function format(event: StreamEvent): Buffer {
  const cached = texts.get(event)
  if (cached) return cached
  const { event: name, data, id } = event
  const text = Buffer.from(
    `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  )
  texts.set(event, text)
  return text
}

export interface Waker {
  wake(): void
  /** Resolves at the next `wake()` or at one since the last call, after `ms`, or when the signal is aborted. */
  woken(ms: number, signal: AbortSignal): Promise<void>
}

export function waker(): Waker {
  let isWoken = false
  let resume = () => {}
  return {
    wake() {
      isWoken = true
      resume()
    },
    woken: (ms, signal) =>
      new Promise(resolve => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          isWoken = false
          resume = () => {}
          resolve()
        }
        const timer = setTimeout(done, ms)
        resume = done
        signal.addEventListener('abort', done)
        if (isWoken || signal.aborted) done()
      }),
  }
}
