/** Reading events in tests. */
import type { Account } from '../../../test/support/service.ts'
import type { Event } from './read.ts'

/** All events of the account after a sequence. */
export async function allEvents(account: Account, after = 0, parameters = ''): Promise<Event[]> {
  const events: Event[] = []
  for (let position = after; ; ) {
    const { body } = await account.get(`/api/events?after=${position}&limit=1000${parameters}`)
    events.push(...body.items)
    position = body.next_after
    if (!body.has_more) return events
  }
}

export interface OpenStream {
  events: Event[]
  /** Waits until there are so many events. */
  until(count: number): Promise<Event[]>
  close(): void
}

export async function openEvents(
  account: Pick<Account, 'url' | 'key'>,
  parameters = '',
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const abort = new AbortController()
  const response = await fetch(`${account.url}/api/events/stream${parameters}`, {
    headers: { 'x-api-key': account.key, ...headers },
    signal: abort.signal,
  })
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
  const events: Event[] = []
  let onEvent = () => {}
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data) events.push(JSON.parse(data))
      }
      onEvent()
    }
  })()
  reading.catch(() => {})
  return {
    events,
    until: count =>
      new Promise(resolve => {
        onEvent = () => {
          if (events.length >= count) resolve(events)
        }
        onEvent()
      }),
    close: () => abort.abort(),
  }
}
