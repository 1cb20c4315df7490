/** A receiver of webhooks for tests: it responds as configured and records every request. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import type { Event } from '../events/read.ts'

export interface Posted {
  id: string
  headers: Record<string, string>
  body: string
  event: Event
}

export interface Reaction {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface Receiver {
  url: string
  port: number
  /** all requests */
  posted: Posted[]
  /** requests that got a 2xx */
  accepted: Posted[]
  /** undefined: it never responds */
  react: (posted: Posted) => Reaction | undefined
  until(count: number): Promise<Posted[]>
  close(): Promise<void>
}

export async function receiver(port = 0): Promise<Receiver> {
  const server = http.createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const posted = { id: headers['webhook-id'] ?? '', headers, body, event: JSON.parse(body) }
    self.posted.push(posted)
    const reaction = self.react(posted)
    if (!reaction) return
    if (reaction.status < 300) self.accepted.push(posted)
    response.writeHead(reaction.status, reaction.headers)
    response.end(reaction.body)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port
  const self: Receiver = {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    posted: [],
    accepted: [],
    react: () => ({ status: 200, body: 'thanks' }),
    until: count => waitFor(() => (self.accepted.length >= count ? self.accepted : undefined)),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  onTestFinished(() => self.close())
  return self
}

/** Throws unless the secret signed it. */
export const verify = (secret: string, { body, headers }: Posted): unknown =>
  new Webhook(secret).verify(body, headers)

/** The accepted sequence numbers of each record, without immediate repetitions. */
export function sequencesByRecord(accepted: readonly Posted[]): Map<string, number[]> {
  const byRecord = new Map<string, number[]>()
  for (const { event } of accepted) {
    const sequences = byRecord.get(event.record.id) ?? []
    if (sequences.at(-1) !== event.sequence) sequences.push(event.sequence)
    byRecord.set(event.record.id, sequences)
  }
  return byRecord
}
