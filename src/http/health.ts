/** Is the process alive, and can it serve? Outside /api and without credentials. */
import type { FastifyInstance } from 'fastify'
import { migrations, schemaState } from '../db/migrate.ts'
import type { Services } from '../kernel/context.ts'
import { messageOf } from '../lib/thrown.ts'
import { last } from '../lib/values.ts'
import type { Stopping } from './stopping.ts'

/** Milliseconds. A probe needs a quick answer, and a slower database cannot serve requests either. */
const PATIENCE_MS = 3000
/** Anybody can call it, without a limit: probes that come within this time share one look at the database. */
const SHARED_MS = 200

export function health(app: FastifyInstance, services: Services, stopping: Stopping): void {
  const files = migrations()
  const wanted = last(files).version

  let latest: { at: number; state: ReturnType<typeof schemaState> } | undefined
  const sharedState = () => {
    const now = performance.now()
    if (latest === undefined || now - latest.at > SHARED_MS)
      latest = { at: now, state: inTime(schemaState(services.engine, files)) }
    return latest.state
  }

  app.get('/health', async () => ({ status: 'ok' }))

  app.get('/ready', async (_request, reply) => {
    stopping.probed()
    if (stopping.begun) return reply.code(503).send({ status: 'stopping' })
    try {
      const { version, isOurs } = await sharedState()
      // Meanwhile the stop may have begun: a late 200 would bring requests back that meet a closed door.
      if (stopping.begun) return reply.code(503).send({ status: 'stopping' })
      if (isOurs) return { status: 'ready', schema_version: version }
      return reply.code(503).send({ status: 'wrong schema version', schema_version: version, wanted })
    } catch (error) {
      services.log.warn({ reason: messageOf(error) }, 'the database cannot be reached')
      return reply.code(503).send({ status: 'database unreachable' })
    }
  })
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}
