/** Events of the account: as a list, and as a stream that connects again. */
import { read } from './answer.ts'
import { KithError } from './errors.ts'
import { backoffMs, pause, type Send } from './send.ts'
import { serverEvents } from './server-events.ts'
import type { CallOptions, Schemas } from './types.ts'

export type Event = Schemas['Event']

export interface EventOptions extends Pick<CallOptions, 'signal' | 'headers'> {
  /** the sequence of the last event that was handled */
  after?: number | undefined
  /** event types separated by commas; `deal.*` for all of deals */
  types?: string | undefined
}

export interface StreamOptions extends EventOptions {
  /** Called once, with the sequence after which the stream begins: read what you show after this, to miss no change. */
  onStart?: ((after: number) => void) | undefined
}

export interface Events {
  list(options?: EventOptions & { limit?: number }): Promise<Schemas['EventPage']>
  /** Every event until now. */
  all(options?: EventOptions): AsyncGenerator<Event>
  /** Every event from now on, or after the sequence `after`, until the signal is aborted. */
  stream(options?: StreamOptions): AsyncGenerator<Event>
}

export function eventsOf(send: Send): Events {
  const list: Events['list'] = async ({ after, types, limit, ...call } = {}) => {
    const response = await send('GET', '/api/events', { ...call, query: { after, types, limit } })
    return (await read(response)) as Schemas['EventPage']
  }
  return {
    list,
    async *all(options = {}) {
      for (let after = options.after ?? 0, hasMore = true; hasMore; ) {
        const page = await list({ limit: 1000, ...options, after })
        yield* page.items
        after = page.next_after
        hasMore = page.has_more
      }
    },
    stream: options => stream(send, options),
  }
}

async function* stream(send: Send, options: StreamOptions = {}): AsyncGenerator<Event> {
  const { types, signal, headers } = options
  let { after, onStart } = options
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      const call = { query: { after, types }, headers, signal, isStream: true }
      for await (const { id, data } of serverEvents(await send('GET', '/api/events/stream', call))) {
        failures = 0
        // The service begins each stream with its position, so that nothing is missed before the first event.
        after = Number(id)
        onStart?.(after)
        onStart = undefined
        if (data !== '') yield JSON.parse(data) as Event
      }
    } catch (thrown) {
      if (!signal?.aborted && isFinal(thrown)) throw thrown
    }
    await pause(backoffMs(failures), signal).catch(() => {})
  }
}

/** A refusal that another attempt would not change. */
const isFinal = (thrown: unknown) =>
  thrown instanceof KithError && thrown.status < 500 && thrown.status !== 429
