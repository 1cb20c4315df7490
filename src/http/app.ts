/** The HTTP service: what every request goes through, and where the endpoints hang. */
import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { isUnstorable } from '../db/sqlstate.ts'
import type { Ctx, Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import type { Endpoint } from '../kernel/resource.ts'
import { codeOf, messageOf } from '../lib/thrown.ts'
import { accountPages } from './account-pages.ts'
import { type Authenticator, authenticator } from './auth.ts'
import { bodyPace } from './body-pace.ts'
import { docs } from './docs.ts'
import { answerOf } from './error-answer.ts'
import { health } from './health.ts'
import { rateLimits } from './limits.ts'
import { metrics } from './metrics.ts'
import { mount } from './mount.ts'
import { stopping } from './stopping.ts'
import { refuseUnreadable } from './unreadable.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    /** whose records it is about, for the log */
    accountId: string | undefined
    /** who calls; mount.ts sets it before the body is read */
    ctx: Ctx
  }
}

export async function buildApp(services: Services, endpoints: readonly Endpoint[]): Promise<FastifyInstance> {
  const { config } = services
  const app = fastify({
    logger: false,
    bodyLimit: config.limits.bodyBytes,
    trustProxy: trustedProxies(config.trustProxy),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Headers are small and come at once: Node's own limits let a connection without a request live for 90 s.
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
    // A client's own id is taken when it is harmless in a log line.
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 2000,
      querystringParser: text => parseQuery(text),
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) => {
      const { status, body, headers } = answerOf(error)
      void (reply as FastifyReply).code(status).headers(headers).send(body)
    },
  })

  // Bodies stay raw until the endpoint's schema is at hand: what is wrong with them is said in its words.
  app.removeAllContentTypeParsers()
  await app.register(multipart, { limits: { fileSize: Infinity } })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: config.corsOrigins.includes('*') ? true : config.corsOrigins,
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
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
  })
  bodyPace(app, config.limits)
  limitConnections(app, services)
  app.addHook('onResponse', async (request, reply) => {
    services.log.info(
      {
        req: request.id,
        method: request.method,
        route: request.routeOptions.url ?? '(none)',
        status: reply.statusCode,
        account: request.accountId,
        ip: request.ip,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
  app.setErrorHandler((error, request, reply) => {
    // A client that goes away in the middle of its request is no failure of ours; nobody reads this answer.
    const isBrokenOff = request.raw.destroyed && !request.raw.complete
    const { status, body, headers } = answerOf(isBrokenOff ? errors.brokenOff() : error)
    // A value that only the database refused should have been refused by a schema.
    const of = { req: request.id, route: request.routeOptions.url }
    if (status === 503 || status === 507)
      services.log.warn({ ...of, status, code: codeOf(error), reason: messageOf(error) }, 'refused for now')
    else if (status >= 500 || isUnstorable(error)) services.log.error({ err: error, ...of }, 'failed')
    reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
  app.setNotFoundHandler(async () => {
    throw errors.routeNotFound()
  })
  // Before the body is read: a path that does not exist must not make the service hold one.
  app.addHook('onRequest', async request => {
    if (request.is404) throw errors.routeNotFound()
  })

  metrics(app, services)
  await rateLimits(app, services)
  health(app, services, stopping(app, services))
  const auth = await authenticator(services)
  mount(app, services, noting(auth), endpoints)
  docs(app, endpoints)
  accountPages(app)
  return app
}

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

/** Notes the account that a request turned out to be for. */
const noting = (auth: Authenticator): Authenticator => ({
  ...auth,
  async authenticate(request, pathAccount) {
    const caller = await auth.authenticate(request, pathAccount)
    request.accountId = caller.accountId
    return caller
  },
})

/**
 * JSON answers need no more than these; pages for people set a content policy that lets them load their own
 * styles. Worked out once: built anew for every request they showed in the profile of a read.
 */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Like URLSearchParams, with several values of a name in an array; what is badly escaped stays as it is. */
function parseQuery(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null)
  if (text === '') return result
  for (const [name, value] of new URLSearchParams(text)) {
    const known = result[name]
    if (known === undefined) result[name] = value
    else if (Array.isArray(known)) known.push(value)
    else result[name] = [known, value]
  }
  return result
}
