/** Counts the jobs that this process has ended, by outcome, and their duration, for the metrics. */
import type { Services } from '../kernel/context.ts'
import { processState } from '../kernel/process-state.ts'

export type Outcome = 'completed' | 'failed' | 'retried' | 'cancelled'

export interface JobCount {
  name: string
  outcome: Outcome
  count: number
  seconds: number
}

const countsOf = processState(() => new Map<string, JobCount>())

export function countJob(services: Services, name: string, outcome: Outcome, ms: number): void {
  const counts = countsOf(services)
  const key = `${name} ${outcome}`
  const total = counts.get(key) ?? { name, outcome, count: 0, seconds: 0 }
  counts.set(key, { ...total, count: total.count + 1, seconds: total.seconds + ms / 1000 })
}

export const jobCounts = (services: Services): JobCount[] => [...countsOf(services).values()]
