/**
 * The answer to a client that stops reading stays in memory, up to 20 MB each. The connection is closed when the
 * client has read nothing for a while, and much sooner when all such answers together are large.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { BriefMap } from '../lib/brief-map.ts'

export interface ReadTimeouts {
  /** how long a client may read nothing */
  usualMs: number
  /** the same while more than `bytes` wait */
  shortMs: number
  bytes: number
}

const MB = 1024 * 1024

export const readTimeouts = (usualMs: number): ReadTimeouts => ({
  usualMs,
  shortMs: Math.min(usualMs, 2000),
  bytes: 16 * MB,
})

export function unreadAnswers(app: FastifyInstance, { usualMs, shortMs, bytes }: ReadTimeouts): void {
  const waiting = new BriefMap<FastifyReply, number>()
  let sum = 0

  // Node closes a connection without activity after this time; a write in progress is activity.
  const limit = ({ raw: { socket } }: FastifyReply) => {
    // a request that was injected has no connection
    if (socket instanceof Socket) socket.setTimeout(sum > bytes ? shortMs : usualMs)
  }
  const count = (change: number) => {
    const before = sum > bytes
    sum += change
    if (sum > bytes !== before) for (const reply of waiting.keys()) limit(reply)
  }

  app.addHook('onSend', (_request, reply, payload, done) => {
    const size = sizeOf(payload)
    waiting.add(reply, size)
    count(size)
    limit(reply)
    reply.raw.once('close', () => {
      waiting.delete(reply)
      count(-size)
    })
    done()
  })
}

/** Streams do not count: they wait for the client and buffer little. */
const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
