/** Rate limits. Requests are counted in this process, by key or person, or by address without credentials. */
import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'

/** Paths that take credentials. */
const API = /^\/(api|mcp)\b/
/** Public pages need no credentials: a fake credential must not get its own rate-limit bucket. */
const PAGE = /^\/(kb|share)\b/
/** Health checks of an orchestrator are never refused. */
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

/** An account can create any number of keys; together they get this many times the limit of one key. */
const CALLERS_PER_ACCOUNT = 10

/** Runs after authentication, which sets the account. */
function limitAccounts(app: FastifyInstance, max: number): void {
  const calls = windows()
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const window = request.accountId === undefined ? undefined : calls.add(request.accountId)
    done(window && window.count > max ? tooMany(window) : null)
  })
}

/** Refused credentials count for the client's address: a made-up credential must not get a bucket of its own. */
function limitRefusals(app: FastifyInstance, max: number): void {
  const refusals = windows()
  app.addHook('onRequest', (request, _reply, done) => {
    const refused = API.test(request.url) ? refusals.get(request.ip) : undefined
    done(refused && refused.count >= max ? tooMany(refused) : undefined)
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 401) refusals.add(request.ip)
    done()
  })
}

export interface GuessLimit {
  /** Counts an attempt of an address at a name, such as an email; throws when there were too many. */
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

/** Counts events in one-minute windows; a window begins with its first event. */
function windows() {
  const counted = new Map<string, Window>()
  const get = (key: string): Window | undefined => {
    const window = counted.get(key)
    return window && window.until > Date.now() ? window : undefined
  }
  const begin = (key: string): Window => {
    if (counted.size >= MAX_COUNTED) sweep(counted, Date.now())
    const window = { count: 0, until: Date.now() + WINDOW_MS }
    counted.set(key, window)
    return window
  }
  const add = (key: string): Window => {
    const window = get(key) ?? begin(key)
    window.count++
    return window
  }
  return { get, add }
}

/**
 * How often one address may try one name in a minute. The limit per address over all names, and per name over all
 * addresses, is ten times that: many people share an address, and strangers must not easily lock a person out.
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
      const nameHash = createHash('sha1').update(name.toLowerCase()).digest('base64')
      countOne(`${address} ${nameHash}`, perMinute)
      countOne(address, perMinute * 10)
      countOne(nameHash, perMinute * 10)
    },
  }
}

/** Deletes expired windows, or all windows if none has expired. */
function sweep(counted: Map<string, { until: number }>, now: number): void {
  for (const [key, { until }] of counted) if (until <= now) counted.delete(key)
  if (counted.size >= MAX_COUNTED) counted.clear()
}

/**
 * The bucket of a request. The limit is checked after authentication (mount.ts), so the bucket is the accepted key,
 * however the header spells it, or the person, whichever token they use.
 */
function callerKey(request: FastifyRequest): string {
  const { ctx } = request as Partial<FastifyRequest>
  if (PAGE.test(request.url)) return request.ip
  if (ctx?.caller === undefined) return API.test(request.url) ? request.ip : `docs ${request.ip}`
  const { kind, id } = ctx.caller
  return `${kind} ${id}`
}
