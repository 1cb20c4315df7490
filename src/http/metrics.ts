/** Prometheus metrics. Routes are labelled by their pattern, so that ids do not become labels. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import { jobMetrics } from '../worker/metrics.ts'

export function metrics(app: FastifyInstance, services: Services): void {
  const registry = new Registry()
  // The default of 10 ms wakes an idle process a hundred times a second: 0.45 % of a core. The lag is the time between
  // two samples, so a free event loop reports about 0.1 s.
  collectDefaultMetrics({ register: registry, prefix: 'kith_', eventLoopMonitoringPrecision: 100 })
  const duration = new Histogram({
    name: 'kith_http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'kith_database_connections',
    help: 'Connections to the database by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const stats = services.engine.stats()
      this.set({ state: 'total' }, stats.total)
      this.set({ state: 'idle' }, stats.idle)
      this.set({ state: 'waiting' }, stats.waiting)
    },
  })
  if (services.config.databaseReadUrl !== undefined)
    new Counter({
      name: 'kith_database_replica_statements_total',
      help: 'Statements that the replica served instead of the primary',
      registers: [registry],
      collect() {
        this.reset()
        this.inc(services.engine.stats().onReplica)
      },
    })
  jobMetrics(registry, services)

  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? '(none)', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  // Requests that overlap share a result: each counts the jobs in the database.
  let current: Promise<string> | undefined
  const sharedText = () => {
    current ??= registry.metrics().finally(() => {
      current = undefined
    })
    return current
  }
  const { metricsToken } = services.config
  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== undefined && !isBearer(request.headers.authorization, metricsToken))
      throw errors.notAuthenticated()
    return reply.type(registry.contentType).send(await sharedText())
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const isBearer = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? ''), digest(token))
