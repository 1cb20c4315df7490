/** The progress of a background job, as the service streams it. */
import type { Schemas } from '@kith/client'
import { useEffect, useRef, useState } from 'react'
import { kith } from './client.ts'

export type Job = Schemas['Job']

const ENDED: readonly Job['status'][] = ['completed', 'failed', 'cancelled']
/** Before a stream that was cut off is opened again. */
const PAUSE_MS = 1000

export const hasEnded = ({ status }: Job): boolean => ENDED.includes(status)

/** Each state of the job until it has ended. */
export async function* followJob(job_id: string, signal?: AbortSignal): AsyncGenerator<Job> {
  while (!signal?.aborted) {
    try {
      for await (const { data } of kith.stream('/api/jobs/{job_id}/events', { path: { job_id }, signal })) {
        const job = JSON.parse(data) as Job
        yield job
        if (hasEnded(job)) return
      }
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'KithConnectionError') throw error
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

/** The current state of a job; `onChange` is called with each. */
export function useJob(id: string | null | undefined, onChange?: (job: Job) => void): Job | undefined {
  const [job, setJob] = useState<Job>()
  const report = useRef(onChange)
  report.current = onChange
  useEffect(() => {
    if (!id) return
    const stop = new AbortController()
    const follow = async () => {
      for await (const next of followJob(id, stop.signal)) {
        setJob(next)
        report.current?.(next)
      }
    }
    // a stream that the service refuses leaves what the screen has read
    follow().catch(() => {})
    return () => stop.abort()
  }, [id])
  return job?.id === id ? job : undefined
}
