/** How many jobs this process has ended, in which way, and how long they took; the metrics read it. */
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
  const known = counts.get(key) ?? { name, outcome, count: 0, seconds: 0 }
  counts.set(key, { ...known, count: known.count + 1, seconds: known.seconds + ms / 1000 })
}

export const jobCounts = (): JobCount[] => [...counts.values()]
