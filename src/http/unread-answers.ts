/**
 * A client that stops reading leaves its answer in our memory, up to 20 MB each. Its connection is closed when it has
 * taken nothing for a while, and much sooner when such answers together are large.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'

export interface Patience {
  /** how long a client may take nothing */
  usualMs: number
  /** the same while more than `bytes` wait */
  shortMs: number
  bytes: number
}

const MB = 1024 * 1024

export const patience = (usualMs: number): Patience => ({
  usualMs,
  shortMs: Math.min(usualMs, 2000),
  bytes: 16 * MB,
})

export function unreadAnswers(app: FastifyInstance, { usualMs, shortMs, bytes }: Patience): void {
  const waiting = new Map<FastifyReply, number>()
  let sum = 0

  // Node counts a write that goes on as activity of the connection, and closes one without any after this time.
  const limit = ({ raw: { socket } }: FastifyReply) => {
    // a request that was injected has no connection
    if (socket instanceof Socket) socket.setTimeout(sum > bytes ? shortMs : usualMs)
  }
  const count = (change: number) => {
    const before = sum > bytes
    sum += change
    if (sum > bytes !== before) for (const reply of waiting.keys()) limit(reply)
  }

  app.addHook('onSend', async (_request, reply, payload) => {
    const size = sizeOf(payload)
    waiting.set(reply, size)
    count(size)
    limit(reply)
    reply.raw.once('close', () => {
      waiting.delete(reply)
      count(-size)
    })
    return payload
  })
}

/** A stream waits for its client and buffers little. */
const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
