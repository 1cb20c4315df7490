/**
 * Job metrics for Prometheus: queued, running and failed jobs of the whole service, and the jobs that this process has
 * ended.
 */
import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Services, systemDb } from '../kernel/context.ts'
import { unscoped } from '../kernel/statements.ts'
import { jobCounts } from './counts.ts'

export function jobMetrics(registry: Registry, services: Services): void {
  new Gauge({
    name: 'kith_jobs',
    help: 'Jobs by name and state; failed ones remain until they are retried or deleted',
    labelNames: ['name', 'status'],
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ name: string; status: string; count: number }>`
        select name, status, count(*) as count from ${unscoped('jobs')}
        where status in ('queued', 'running', 'failed') group by name, status`
        .execute(systemDb(services))
        // the other metrics must be readable while the database cannot be reached
        .catch(() => ({ rows: [] }))
      this.reset()
      for (const { name, status, count } of rows) this.set({ name, status }, count)
    },
  })
  const ended = { labelNames: ['name', 'outcome'], registers: [registry] }
  new Counter({
    ...ended,
    name: 'kith_jobs_ended_total',
    help: 'Jobs that this process has ended',
    collect() {
      this.reset()
      for (const { name, outcome, count } of jobCounts(services)) this.inc({ name, outcome }, count)
    },
  })
  new Counter({
    ...ended,
    name: 'kith_jobs_seconds_total',
    help: 'Time that this process has spent on the jobs that it has ended',
    collect() {
      this.reset()
      for (const { name, outcome, seconds } of jobCounts(services)) this.inc({ name, outcome }, seconds)
    },
  })
}
