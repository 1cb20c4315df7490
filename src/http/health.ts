/** Health checks: whether the process is alive, and whether it can serve. Outside /api, without credentials. */
import type { FastifyInstance } from 'fastify'
import { migrations, schemaState } from '../db/migrate.ts'
import type { Services } from '../kernel/context.ts'
import { messageOf } from '../lib/thrown.ts'
import { last } from '../lib/values.ts'
import type { Stopping } from './stopping.ts'

/** A probe needs a quick answer, and a slower database cannot serve requests either. */
const TIMEOUT_MS = 3000

export function health(app: FastifyInstance, services: Services, stopping: Stopping): void {
  const files = migrations()
  const expected = last(files).version

  // Any client can call /ready, without a limit: probes during a check of the database share its result.
  let current: ReturnType<typeof schemaState> | undefined
  const sharedState = () => {
    current ??= inTime(schemaState(services.engine, files)).finally(() => {
      current = undefined
    })
    return current
  }

  app.get('/health', async () => ({ status: 'ok' }))

  app.get('/ready', async (_request, reply) => {
    stopping.probed()
    if (stopping.begun) return reply.code(503).send({ status: 'stopping' })
    try {
      const { version, isOurs } = await sharedState()
      // The stop may have begun meanwhile: after a late 200 a load balancer would send requests that are refused.
      if (stopping.begun) return reply.code(503).send({ status: 'stopping' })
      if (isOurs) return { status: 'ready', schema_version: version }
      return reply
        .code(503)
        .send({ status: 'wrong schema version', schema_version: version, wanted: expected })
    } catch (error) {
      services.log.warn({ reason: messageOf(error) }, 'the database cannot be reached')
      return reply.code(503).send({ status: 'database unreachable' })
    }
  })
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}
