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

function callerKey(request: FastifyRequest): string {
  const credential = request.headers['x-api-key'] ?? request.headers.authorization
  if (credential === undefined) return request.ip
  // hashed, so that no store or log ever holds the credential itself
  return createHash('sha1').update(String(credential)).digest('base64')
}
