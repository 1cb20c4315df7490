/** How often one caller may call. Counted in this process, by credential, or by address without one. */
import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'

/** Pages for people, which nobody shows credentials for: what looks like some must not buy another share. */
const PAGE = /^\/(kb|share)\b/

export async function rateLimits(app: FastifyInstance, services: Services): Promise<void> {
  const max = services.config.limits.requestsPerMinute
  if (max === 0) return
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    cache: 20_000,
    hook: 'onRequest',
    enableDraftSpec: false,
    allowList: ({ url }) => !url.startsWith('/api') && !PAGE.test(url),
    keyGenerator: request => (PAGE.test(request.url) ? request.ip : callerKey(request)),
    errorResponseBuilder: (_request, context) => errors.tooManyRequests(Math.ceil(context.ttl / 1000)),
  })
  limitRefusals(app, max)
}

/** A credential of one's own making counts for itself each time: those that were refused count for their address. */
function limitRefusals(app: FastifyInstance, max: number): void {
  const refusals = windows()
  app.addHook('onRequest', async request => {
    if (!request.url.startsWith('/api')) return
    const refused = refusals.get(request.ip)
    if (refused && refused.count >= max) throw tooMany(refused)
  })
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode === 401) refusals.add(request.ip)
  })
}

export interface GuessLimit {
  /** Notes an attempt of an address on a name (an email, say); throws when there have been too many. */
  count(address: string, name: string | undefined): void
}

const WINDOW_MS = 60_000
const MAX_COUNTED = 100_000

interface Window {
  count: number
  until: number
}

const tooMany = ({ until }: Window) =>
  errors.tooManyRequests(Math.max(1, Math.ceil((until - Date.now()) / 1000)))

/** How often something happened in the minute that began with its first time. */
function windows() {
  const counted = new Map<string, Window>()
  const get = (key: string): Window | undefined => {
    const known = counted.get(key)
    return known && known.until > Date.now() ? known : undefined
  }
  const begin = (key: string): Window => {
    if (counted.size >= MAX_COUNTED) sweep(counted, Date.now())
    const begun = { count: 0, until: Date.now() + WINDOW_MS }
    counted.set(key, begun)
    return begun
  }
  const add = (key: string): Window => {
    const window = get(key) ?? begin(key)
    window.count++
    return window
  }
  return { get, add }
}

/**
 * How often one address may try one name in a minute. All that an address tries, and all that is tried on a name,
 * may be ten times as much: many people share an address, and nobody should be locked out by strangers easily.
 */
export function guessLimit(perMinute: number): GuessLimit {
  const tries = windows()

  function countOne(key: string, max: number): void {
    const window = tries.add(key)
    if (window.count > max) throw tooMany(window)
  }

  return {
    count(address, name) {
      if (name === undefined) return
      const who = createHash('sha1').update(name.toLowerCase()).digest('base64')
      countOne(`${address} ${who}`, perMinute)
      countOne(address, perMinute * 10)
      countOne(who, perMinute * 10)
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
