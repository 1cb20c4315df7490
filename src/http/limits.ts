/** How often one caller may call. Counted in this process, by key or person, or by address without one. */
import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'

/** Public pages need no credentials: a fake credential must not get its own rate-limit bucket. */
const PAGE = /^\/(kb|share)\b/
/** What an orchestrator asks for all the time is never refused. */
const PROBE = /^\/(health|ready)\b/

export async function rateLimits(app: FastifyInstance, services: Services): Promise<void> {
  const max = services.config.limits.requestsPerMinute
  if (max === 0) return
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    cache: 20_000,
    hook: 'onRequest',
    enableDraftSpec: false,
    allowList: ({ url }) => PROBE.test(url),
    keyGenerator: callerKey,
    errorResponseBuilder: (_request, context) => errors.tooManyRequests(Math.ceil(context.ttl / 1000)),
  })
  limitRefusals(app, max)
  limitAccounts(app, max * CALLERS_PER_ACCOUNT)
}

/** An account can make any number of keys; all of them together have this many times the share of one. */
const CALLERS_PER_ACCOUNT = 10

/** After authentication, which notes the account. */
function limitAccounts(app: FastifyInstance, max: number): void {
  const calls = windows()
  app.addHook('preParsing', async request => {
    if (request.accountId === undefined) return
    const window = calls.add(request.accountId)
    if (window.count > max) throw tooMany(window)
  })
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

/**
 * By whom a request is counted. The limit comes after authentication (mount.ts), so it is the credential that was
 * accepted that counts, however the header spells it, and not a token but the person who signed in.
 */
function callerKey(request: FastifyRequest): string {
  const { ctx } = request as Partial<FastifyRequest>
  if (PAGE.test(request.url)) return request.ip
  if (ctx?.caller === undefined) return request.url.startsWith('/api') ? request.ip : `docs ${request.ip}`
  const { kind, id } = ctx.caller
  return `${kind} ${id}`
}
