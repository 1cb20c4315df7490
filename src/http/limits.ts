/** How often one caller may call. Counted in this process, by credential, or by address without one. */
import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'

export async function rateLimits(app: FastifyInstance, services: Services): Promise<void> {
  const max = services.config.limits.requestsPerMinute
  if (max === 0) return
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    cache: 20_000,
    hook: 'onRequest',
    enableDraftSpec: false,
    allowList: request => !request.url.startsWith('/api'),
    keyGenerator: callerKey,
    errorResponseBuilder: (_request, context) => errors.tooManyRequests(Math.ceil(context.ttl / 1000)),
  })
}

export interface GuessLimit {
  /** Notes an attempt of an address on a name (an email, say); throws when there have been too many. */
  count(address: string, name: string | undefined): void
}

const WINDOW_MS = 60_000
const MAX_COUNTED = 100_000

/**
 * How often one address may try one name in a minute. All that an address tries, and all that is tried on a name,
 * may be ten times as much: many people share an address, and nobody should be locked out by strangers easily.
 */
export function guessLimit(perMinute: number): GuessLimit {
  const counted = new Map<string, { count: number; until: number }>()

  function countOne(key: string, max: number, now: number): void {
    const known = counted.get(key)
    const entry = known && known.until > now ? known : { count: 0, until: now + WINDOW_MS }
    if (entry !== known) {
      if (counted.size >= MAX_COUNTED) sweep(counted, now)
      counted.set(key, entry)
    }
    if (++entry.count > max) throw errors.tooManyRequests(Math.ceil((entry.until - now) / 1000))
  }

  return {
    count(address, name) {
      if (name === undefined) return
      const now = Date.now()
      const who = createHash('sha1').update(name.toLowerCase()).digest('base64')
      countOne(`${address} ${who}`, perMinute, now)
      countOne(address, perMinute * 10, now)
      countOne(who, perMinute * 10, now)
    },
  }
}

/** Forgets the windows that are over; should none be, all of them. */
function sweep(counted: Map<string, { until: number }>, now: number): void {
  for (const [key, { until }] of counted) if (until <= now) counted.delete(key)
  if (counted.size >= MAX_COUNTED) counted.clear()
}

function callerKey(request: FastifyRequest): string {
  const credential = request.headers['x-api-key'] ?? request.headers.authorization
  if (credential === undefined) return request.ip
  // hashed, so that no store or log ever holds the credential itself
  return createHash('sha1').update(String(credential)).digest('base64')
}
