/** An endpoint's declaration → its route: permissions, checks and the response. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Caller,
  type Ctx,
  contextFor,
  type PersonCtx,
  readingContext,
  type ServiceCtx,
  type Services,
  systemDb,
} from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import { etagOf, matchesEtag } from '../kernel/etag.ts'
import { jsonOf } from '../kernel/json-answer.ts'
import { isMergePatch } from '../kernel/merge-patch.ts'
import { openStream } from '../kernel/open-streams.ts'
import { refusedPermission } from '../kernel/permission.ts'
import type { ApiRequest, Credentials, Endpoint } from '../kernel/resource.ts'
import {
  type Issue,
  type ObjectSchema,
  object,
  parseJsonBody,
  type Schema,
  uuid,
} from '../kernel/schema/index.ts'
import {
  declaredParts,
  prefersStrict,
  takesSeveral,
  unknownKeys,
  unknownParameters,
} from '../kernel/strict.ts'
import { property } from '../lib/values.ts'
import type { Authenticator } from './auth.ts'
import { once } from './idempotency.ts'
import { type GuessLimit, guessLimit } from './limits.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

/** The body limit without credentials: sign-in needs a few hundred bytes. */
const PUBLIC_BODY_BYTES = 16 * 1024

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function mount(
  app: FastifyInstance,
  services: Services,
  auth: Authenticator,
  endpoints: readonly Endpoint[],
): void {
  const { bodyBytes, loginsPerMinute } = services.config.limits
  const guesses = guessLimit(loginsPerMinute)
  const methodsOf = new Map<string, string[]>()
  for (const endpoint of endpoints) {
    if (!endpoint.permission) {
      throw new Error(`${endpoint.method} ${endpoint.path} declares no permission, so it is not served.`)
    }
    const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    methodsOf.set(url, [...(methodsOf.get(url) ?? []), endpoint.method])
    app.route({
      method: endpoint.method,
      url,
      exposeHeadRoute: false,
      config: { endpoint },
      ...(endpoint.permission === 'public' ? { bodyLimit: Math.min(PUBLIC_BODY_BYTES, bodyBytes) } : {}),
      // Credentials are checked before the body is read and validated: without them the service buffers nothing
      // and reports nothing about the body.
      onRequest: (request, _reply, done) => {
        const ctx = contextOf(services, auth, endpoint, request)
        if (!(ctx instanceof Promise)) {
          request.ctx = ctx
          return done()
        }
        return ctx.then(loaded => {
          request.ctx = loaded
        })
      },
      handler: handlerOf(auth, guesses, endpoint),
    })
  }
  for (const [url, allowed] of methodsOf) {
    const others = METHODS.filter(method => !allowed.includes(method))
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      onRequest: async () => {
        throw errors.methodNotAllowed(allowed.join(', '))
      },
      handler: async () => {},
    })
  }
}

function handlerOf(auth: Authenticator, guesses: GuessLimit, endpoint: Endpoint) {
  const params = endpoint.params ?? uuidParams(endpoint.path)
  const status = endpoint.status ?? 200
  const json = endpoint.shownOnce ? undefined : jsonOf(endpoint.run)
  // Stored answers belong to an account, so a call without one cannot be replayed.
  const replays =
    endpoint.method === 'POST' &&
    endpoint.permission !== 'public' &&
    !endpoint.personal &&
    !endpoint.replaysItself

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { ctx } = request
    const isStrict = prefersStrict(headerOf(request, 'prefer'))
    if (isStrict) reply.header('preference-applied', 'handling=strict')
    const strict = isStrict || endpoint.strict === true
    const call = checked(endpoint, params, request, reply, () => auth.credentials(request), strict)
    if (endpoint.guess) guesses.count(request.ip, endpoint.guess(call, ctx))
    if (streams(endpoint, call)) reply.raw.once('close', openStream(ctx))
    const key = replays ? call.header('idempotency-key') : undefined
    const run = async (tx: Ctx): Promise<Outcome> =>
      json
        ? { status, headers: {}, body: await json(tx, call) }
        : outcomeOf(await endpoint.run(tx, call), status, endpoint.shownOnce)
    const from = endpoint.fromReplica && key === undefined ? await readingContext(ctx) : ctx
    if (json && key === undefined) return send(reply.code(status), endpoint, call, await json(from, call))
    const outcome = key === undefined ? await run(from) : await once(ctx, key, request, call, run)
    reply.code(outcome.status).headers(outcome.headers)
    return typeof outcome.body === 'string' || Buffer.isBuffer(outcome.body)
      ? send(reply, endpoint, call, outcome.body)
      : reply.send(outcome.body.raw)
  }
}

/** Whether the answer is an event stream. If there is also a plain answer, the client chooses by Accept. */
const streams = ({ response, responseContent }: Endpoint, call: ApiRequest): boolean =>
  responseContent?.['text/event-stream'] !== undefined &&
  (response === undefined || /\btext\/event-stream\b/i.test(call.header('accept') ?? ''))

function send(
  reply: FastifyReply,
  endpoint: Endpoint,
  call: ApiRequest,
  body: string | Buffer,
): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  if (endpoint.single) {
    const etag = etagOf(body)
    reply.header('etag', etag)
    const ifNoneMatch = call.header('if-none-match')
    if (endpoint.method === 'GET' && ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
      return reply.code(304).removeHeader('content-type').send()
    }
  }
  return reply.send(body)
}

/** The context depends on the endpoint's permission: see PublicEndpoint and PersonalEndpoint. */
function contextOf(
  services: Services,
  auth: Authenticator,
  endpoint: Endpoint,
  request: FastifyRequest,
): Ctx | Promise<Ctx> {
  if (endpoint.permission === 'public') return ofService(services) as Ctx
  if (endpoint.personal) return personal(services, auth, request)
  const pathAccount = property(request.params, 'account_id')
  const caller = auth.authenticate(request, typeof pathAccount === 'string' ? pathAccount : undefined)
  const permitted = (one: Caller): Ctx => {
    // before the refusal, for the log
    request.accountId = one.accountId
    const refusal = refusedPermission(one, endpoint)
    if (refusal) throw refusal
    return contextFor(services, one)
  }
  return caller instanceof Promise ? caller.then(permitted) : permitted(caller)
}

async function personal(services: Services, auth: Authenticator, request: FastifyRequest): Promise<Ctx> {
  const person = await auth.person(request)
  return { ...ofService(services), user: person.userId, caller: person } satisfies PersonCtx as Ctx
}

const ofService = (services: Services): ServiceCtx => ({
  services,
  db: systemDb(services),
  inTransaction: false,
})

const uuidParams = (path: string): ObjectSchema | undefined => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return names.length === 0 ? undefined : object(Object.fromEntries(names.map(name => [name, uuid()])))
}

/** Checks path, query and body together, in this order; malformed JSON is reported alone. */
function checked(
  endpoint: Endpoint,
  params: ObjectSchema | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: () => Promise<Credentials | undefined>,
  strict: boolean,
): ApiRequest {
  const issues: Issue[] = []
  const rawQuery = request.query as ApiRequest['rawQuery']
  const isPatch = isMergePatch(request.headers['content-type'] ?? '')
  if (isPatch && endpoint.body && !endpoint.mergePatch) throw errors.mergePatchRefused()
  // The result of a patch is checked once it is merged.
  const bodySchema = isPatch && endpoint.body ? patchBody : endpoint.body
  const pathValues = params?.check(request.params, ['path'], issues) ?? {}
  const query = endpoint.query?.check(lastOfEach(rawQuery, endpoint.query), ['query'], issues) ?? {}
  if (strict) issues.push(...unknownParameters(endpoint, rawQuery))
  const call: ApiRequest = Object.assign(new Connected(reply), {
    params: pathValues,
    query,
    body: endpoint.rawBody
      ? bodySchema?.check(request.body, ['body'], issues)
      : bodySchema && !endpoint.multipart
        ? checkBody(endpoint, bodySchema, request, issues, strict)
        : undefined,
    isMergePatch: isPatch,
    rawQuery,
    header: (name: string) => headerOf(request, name),
    credentials,
    raw: request.raw,
    parts: () =>
      strict && endpoint.body ? declaredParts(request.parts(), endpoint.body.json) : request.parts(),
  })
  if (issues.length > 0) throw errors.invalid(issues)
  return call
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Any object, unchanged. */
const patchBody: Schema<unknown> = {
  json: {},
  optional: false,
  check(input, loc, issues) {
    object({}).check(input, loc, issues)
    return input
  },
}

/** The last value of a repeated parameter counts, unless the parameter takes several. */
function lastOfEach(query: ApiRequest['rawQuery'], schema: ObjectSchema): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined
    if (!field) continue
    result[name] = Array.isArray(value) && !takesSeveral(name, field.json) ? value.at(-1) : value
  }
  return result
}

function checkBody(
  endpoint: Endpoint,
  schema: Schema<unknown>,
  request: FastifyRequest,
  issues: Issue[],
  strict: boolean,
): unknown {
  const value = bodyOf(request)
  if (value !== null) {
    const checkedValue = schema.check(value, ['body'], issues)
    const { body, response } = endpoint
    if (strict && body) issues.push(...unknownKeys(body.json, value, ['body'], response?.json))
    return checkedValue
  }
  if (endpoint.bodyOptional) return schema.check({}, ['body'], issues)
  issues.push({ type: 'missing', loc: ['body'], msg: 'Field required', input: null })
  return undefined
}

/** The parsed body. No body and the JSON text `null` are the same, as in FastAPI. */
function bodyOf(request: FastifyRequest): unknown {
  // The content type parser leaves bodies as bytes (app.ts).
  const raw = request.body
  if (!Buffer.isBuffer(raw) || raw.length === 0) return null
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) return raw.toString()
  const parsed = parseJsonBody(raw)
  if (!parsed.ok) throw errors.invalid([parsed.issue])
  return parsed.value
}

/**
 * The part of a request that depends on its connection. `signal` is a getter of a class: that of a single object is a
 * part of its hidden class, which V8 keeps in the old space until a full collection, and with it everything that the
 * request refers to, 4 KB of a get.
 */
class Connected {
  readonly #reply: FastifyReply

  constructor(reply: FastifyReply) {
    this.#reply = reply
  }

  get signal(): AbortSignal {
    return disconnectSignal(this.#reply)
  }
}

/** Listens to the response, not to its connection, which serves further requests and would accumulate listeners. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
