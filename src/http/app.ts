/** The HTTP service: hooks for every request, and the routes. */
import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isUnstorable } from '../db/sqlstate.ts'
import type { Ctx, Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import type { Endpoint } from '../kernel/resource.ts'
import { codeOf, messageOf } from '../lib/thrown.ts'
import { accountPages } from './account-pages.ts'
import { authenticator } from './auth.ts'
import { bodyPace } from './body-pace.ts'
import { docs } from './docs.ts'
import { answerOf } from './error-answer.ts'
import { health } from './health.ts'
import { rateLimits } from './limits.ts'
import { metrics } from './metrics.ts'
import { mount } from './mount.ts'
import { stopping } from './stopping.ts'
import { readTimeouts, unreadAnswers } from './unread-answers.ts'
import { refuseUnreadable } from './unreadable.ts'
import type { WebClient } from './web/client.ts'
import { web } from './web/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    /** the account of the request, for the log and the limits */
    accountId: string | undefined
    /** the caller; mount.ts sets it before the body is read */
    ctx: Ctx
  }
}

/** Replaces Fastify's compilers: no route declares a schema of Fastify. */
const noCompiler = () => () => {
  throw new Error('A route declares a schema of Fastify; declare it on the endpoint instead.')
}

/** `undescribed`: endpoints with a protocol of their own, which the OpenAPI document does not describe. */
export async function buildApp(
  services: Services,
  endpoints: readonly Endpoint[],
  undescribed: readonly Endpoint[],
  webClient: WebClient,
): Promise<FastifyInstance> {
  const { config } = services
  const app = fastify({
    logger: false,
    bodyLimit: config.limits.bodyBytes,
    trustProxy: trustedProxies(config.trustProxy),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Headers are small and arrive at once; Node's default keeps a connection without a request open for 90 s.
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
    // The client's request id is used if it is safe in a log line.
    genReqId: request => {
      const requestId = request.headers['x-request-id']
      return typeof requestId === 'string' && /^[\w.-]{1,128}$/.test(requestId) ? requestId : randomUUID()
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 2000,
      querystringParser: text => parseQuery(text),
    },
    clientErrorHandler: refuseUnreadable,
    // Endpoints check and write their JSON themselves: loading Fastify's compilers takes 50 ms of every start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) => {
      const { status, body, headers } = answerOf(error)
      void (reply as FastifyReply).code(status).headers(headers).send(body)
    },
  })

  // Bodies stay unparsed until the endpoint is known, so that its schema reports what is wrong with them.
  app.removeAllContentTypeParsers()
  await app.register(multipart, { limits: { fileSize: Infinity } })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: config.corsOrigins.includes('*') ? true : config.corsOrigins,
      // The default has only the first three: a page could create records, but not change them.
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'ETag',
        'X-Request-ID',
        'X-Operation-ID',
        'Retry-After',
        'Idempotency-Replayed',
        'Preference-Applied',
      ],
    })
  }

  app.decorateRequest('accountId', undefined)
  app.decorateRequest('ctx')
  // Hooks of every request are plain functions: each async one costs a promise and a turn of the event loop's queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    done()
  })
  bodyPace(app, config.limits)
  unreadAnswers(app, readTimeouts(config.limits.requestTimeoutMs))
  limitConnections(app, services)
  app.addHook('onResponse', (request, reply, done) => {
    if (services.log.isLevelEnabled('info')) services.log.info(requestLine(request, reply), 'request')
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    // A client that disconnects during its request is not an error of the service, and its answer is not read.
    const isAborted = request.raw.destroyed && !request.raw.complete
    const { status, body, headers } = answerOf(isAborted ? errors.requestAborted() : error)
    // A schema should have refused a value that the database refuses.
    const source = { req: request.id, route: request.routeOptions.url }
    if (status === 503 || status === 507)
      services.log.warn(
        { ...source, status, code: codeOf(error), reason: messageOf(error) },
        'temporarily unavailable',
      )
    else if (status >= 500 || isUnstorable(error)) services.log.error({ err: error, ...source }, 'failed')
    reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
  app.setNotFoundHandler(async () => {
    throw errors.routeNotFound()
  })
  // Before the body is read: the service must not buffer a body for an unknown path.
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.is404 ? errors.routeNotFound() : undefined),
  )

  // The limits cover the routes that are registered after them.
  await rateLimits(app, services)
  metrics(app, services)
  health(app, services, stopping(app, services))
  const auth = await authenticator(services)
  mount(app, services, auth, [...endpoints, ...undescribed])
  docs(app, endpoints)
  accountPages(app, webClient)
  web(app, webClient)
  return app
}

const requestLine = (request: FastifyRequest, reply: FastifyReply) => ({
  req: request.id,
  method: request.method,
  route: request.routeOptions.url ?? '(none)',
  status: reply.statusCode,
  account: request.accountId,
  ip: request.ip,
  ms: Math.round(reply.elapsedTime * 10) / 10,
})

const trustedProxies = (nearest: number | string[]) =>
  typeof nearest === 'number' ? (_address: string, hop: number) => hop < nearest : nearest

function limitConnections(app: FastifyInstance, { config, log }: Services): void {
  const { connections } = config.limits
  if (connections === 0) return
  app.server.maxConnections = connections
  let warnedAt = Number.NEGATIVE_INFINITY
  app.server.on('drop', () => {
    if (Date.now() - warnedAt < 60_000) return
    warnedAt = Date.now()
    log.warn({ connections }, 'KITH_MAX_CONNECTIONS is reached: further connections are closed')
  })
}

/**
 * Enough for JSON answers; HTML pages set a content policy that lets them load their own styles. Computed once:
 * building them for every request was visible in the profile of a read.
 */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Like URLSearchParams, but several values of a name become an array, and invalid escapes stay unchanged. */
function parseQuery(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null)
  if (text === '') return result
  for (const [name, value] of new URLSearchParams(text)) {
    const previous = result[name]
    if (previous === undefined) result[name] = value
    else if (Array.isArray(previous)) previous.push(value)
    else result[name] = [previous, value]
  }
  return result
}
