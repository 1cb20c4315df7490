/** A raw mail (RFC 5322) → its parts, off the event loop and within bounds. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { errors } from '../../kernel/errors.ts'
import type { Mail } from './parse-worker.ts'

const MILLISECONDS = 20_000
const HEAP_MEGABYTES = 256
const WAIT_SECONDS = 5

/** Threads at a time, and mails that wait for one: both hold memory. */
const MAX_THREADS = 2
const MAX_WAITING = 20
let threads = 0
const waiting: (() => void)[] = []

export async function parseMail(raw: Uint8Array): Promise<Mail> {
  if (threads < MAX_THREADS) threads++
  else if (waiting.length >= MAX_WAITING) throw errors.tooManyRequests(WAIT_SECONDS)
  else await new Promise<void>(resolve => waiting.push(resolve))
  try {
    return await parseInThread(raw)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else threads--
  }
}

async function parseInThread(raw: Uint8Array): Promise<Mail> {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: raw,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  try {
    const [mail] = await once(worker, 'message', { signal: AbortSignal.timeout(MILLISECONDS) })
    return mail
  } catch {
    throw errors.invalidValue(['body'], 'this mail cannot be read: send it raw, as RFC 5322 has it', null)
  } finally {
    await worker.terminate()
  }
}
