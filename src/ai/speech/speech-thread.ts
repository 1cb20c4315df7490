/** A thread for each model, while there is work. */
import { Worker } from 'node:worker_threads'
import { turnOffTelemetry } from '../../config.ts'
import type { Answer, ModelFiles, Request } from './speech-worker.ts'

/** A piece takes about a second. One that takes this long hangs, and its thread is ended. */
const TIMEOUT_MS = 180_000
/** The model takes some 200 MB, which are freed when it has not been used for a while. */
const IDLE_MS = 60_000

export interface Thread {
  ask(request: Request): Promise<Answer>
}

const threads = new Map<string, Thread>()
let users = 0

/** An unused thread is ended after a while. */
export async function withThread<T>(files: ModelFiles, use: (thread: Thread) => Promise<T>): Promise<T> {
  const thread = threads.get(files.name) ?? openThread(files)
  threads.set(files.name, thread)
  users++
  try {
    return await use(thread)
  } finally {
    users--
  }
}

function openThread(files: ModelFiles): Thread {
  turnOffTelemetry()
  const worker = new Worker(new URL('./speech-worker.ts', import.meta.url), {
    execArgv: [],
    workerData: files,
  })
  // An idle worker must not keep a process alive that wants to exit
  worker.unref()
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let idle: NodeJS.Timeout | undefined
  const self: Thread = {
    ask: request =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        const timer = setTimeout(() => giveUp(new Error('the speech model hangs')), TIMEOUT_MS)
        const settle = () => {
          clearTimeout(timer)
          waiting.delete(request.id)
          if (waiting.size > 0) return
          worker.unref()
          clearTimeout(idle)
          idle = setTimeout(() => users === 0 && giveUp(new Error('idle')), IDLE_MS).unref()
        }
        waiting.set(request.id, {
          resolve: answer => {
            settle()
            resolve(answer)
          },
          reject: error => {
            settle()
            reject(error)
          },
        })
        worker.ref()
        worker.postMessage(request)
      }),
  }

  function giveUp(error: Error): void {
    if (threads.get(files.name) === self) threads.delete(files.name)
    for (const { reject } of [...waiting.values()]) reject(error)
    clearTimeout(idle)
    void worker.terminate()
  }

  worker.on('message', (answer: Answer) => waiting.get(answer.id)?.resolve(answer))
  worker.on('error', error => giveUp(new Error(`the speech model's thread ended: ${error.message}`)))
  worker.on('exit', () => giveUp(new Error("the speech model's thread ended")))
  return self
}
