/** Counts the jobs that this process has ended, by outcome, and their duration, for the metrics. */
export type Outcome = 'completed' | 'failed' | 'retried' | 'cancelled'

export interface JobCount {
  name: string
  outcome: Outcome
  count: number
  seconds: number
}

const counts = new Map<string, JobCount>()

export function countJob(name: string, outcome: Outcome, ms: number): void {
  const key = `${name} ${outcome}`
  const total = counts.get(key) ?? { name, outcome, count: 0, seconds: 0 }
  counts.set(key, { ...total, count: total.count + 1, seconds: total.seconds + ms / 1000 })
}

export const jobCounts = (): JobCount[] => [...counts.values()]
