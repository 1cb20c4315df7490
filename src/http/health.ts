/** Is the process alive, and can it serve? Outside /api and without credentials. */
import type { FastifyInstance } from 'fastify'
import { currentVersion, schemaVersion } from '../db/migrate.ts'
import type { Services } from '../kernel/context.ts'

export function health(app: FastifyInstance, services: Services): void {
  const wanted = schemaVersion()
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })

  app.get('/health', async () => ({ status: 'ok' }))

  app.get('/ready', async (_request, reply) => {
    if (stopping) return reply.code(503).send({ status: 'stopping' })
    try {
      const version = await currentVersion(services.engine)
      if (version === wanted) return { status: 'ready', schema_version: version }
      return reply.code(503).send({ status: 'wrong schema version', schema_version: version, wanted })
    } catch (error) {
      services.log.warn({ err: error }, 'the database cannot be reached')
      return reply.code(503).send({ status: 'database unreachable' })
    }
  })
}
