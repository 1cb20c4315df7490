/**
 * Ends requests whose body arrives too slowly. Fastify's requestTimeout is one limit for the whole server, which an
 * upload of 100 MB over a slow line would exceed, so each request has its own pace here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { errors } from '../kernel/errors.ts'
import { BriefMap } from '../lib/brief-map.ts'

interface Pace {
  /** the longest that the whole body may take */
  totalMs: number
  /** the minimum average bytes per second in each window */
  bytesPerSecond: number
  windowMs: number
}

interface Watched extends Pace {
  request: FastifyRequest
  reply: FastifyReply
  since: number
  windowSince: number
  bytesBefore: number
}

/**
 * A client that is still sending when it gets an answer (such as a 401) can read it only if the rest of the body is
 * received: closing at once would reset the connection. So the rest is received and discarded for a while.
 */
const AFTER_ANSWER = { totalMs: 30_000, bytesPerSecond: 16_384, windowMs: 2000 }
const CHECK_EVERY_MS = 250

export function bodyPace(
  app: FastifyInstance,
  { requestTimeoutMs, uploadBytesPerSecond }: Config['limits'],
): void {
  const ofBodies = { totalMs: requestTimeoutMs, bytesPerSecond: 0, windowMs: Infinity }
  const ofUploads = { totalMs: Infinity, bytesPerSecond: uploadBytesPerSecond, windowMs: requestTimeoutMs }
  const watched = new BriefMap<FastifyRequest, Watched>()

  const watch = (request: FastifyRequest, reply: FastifyReply, pace: Pace) => {
    const since = Date.now()
    const bytesBefore = request.raw.socket.bytesRead
    watched.delete(request)
    watched.add(request, { ...pace, request, reply, since, windowSince: since, bytesBefore })
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) watch(request, reply, isUpload(request) ? ofUploads : ofBodies)
    done()
  })
  // The body is complete here, unless a handler streams it.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.raw.complete) watched.delete(request)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.raw.complete || request.raw.destroyed) watched.delete(request)
    else watch(request, reply, AFTER_ANSWER)
    done()
  })

  let checkedAt = Date.now()
  const timer = setInterval(() => {
    const late = Date.now() - checkedAt - 2 * CHECK_EVERY_MS
    checkedAt = Date.now()
    for (const one of watched.values()) {
      // A blocked process reads nothing; that time does not count against the client.
      if (late > 0) extend(one, late)
      const { raw } = one.request
      if (!raw.complete && !raw.destroyed && !isTooSlow(one)) continue
      watched.delete(one.request)
      if (!raw.complete && !raw.destroyed) cutOff(one)
    }
  }, CHECK_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const isUpload = (request: FastifyRequest): boolean =>
  request.routeOptions.config.endpoint?.multipart === true

function isTooSlow(one: Watched): boolean {
  const now = Date.now()
  if (now - one.since >= one.totalMs) return true
  if (now - one.windowSince < one.windowMs) return false
  const { bytesRead } = one.request.raw.socket
  const required = (one.bytesPerSecond * one.windowMs) / 1000
  if (bytesRead - one.bytesBefore < required) return true
  one.windowSince = now
  one.bytesBefore = bytesRead
  return false
}

function extend(one: Watched, ms: number): void {
  one.since += ms
  one.windowSince += ms
}

/** Answers if that is still possible, and closes the connection. */
function cutOff({ request, reply }: Watched): void {
  if (reply.raw.headersSent) {
    request.raw.socket.destroy()
    return
  }
  const { status, detail } = errors.tooSlow()
  reply.hijack()
  reply.raw
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    .end(JSON.stringify({ detail }))
}
