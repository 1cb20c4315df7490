/** The text of a PDF, read in a thread with limits: no file can block or crash the service. */
import { Worker } from 'node:worker_threads'
import { JobFailed } from '../../../kernel/jobs.ts'
import { MAX_TEXT } from './attached.ts'
import type { PdfAnswer, PdfTask } from './pdf-worker.ts'
import { type ReadText, storableText } from './text.ts'

const BOUNDS = {
  maxPages: 1000,
  maxCharacters: 2 * MAX_TEXT,
  maxArrayBytes: 64 * 1024 ** 2,
  maxTotalBytes: 1024 ** 3,
  heapMegabytes: 256,
  milliseconds: 60_000,
}

const MESSAGES = {
  password: 'This PDF is protected by a password',
  invalid: 'This PDF cannot be read: it is damaged or not a PDF at all',
  'too large': 'This PDF unpacks to more than can be read',
  time: 'This PDF takes too long to read',
  empty: 'There is no text in this PDF: its pages may be pictures',
}

export async function pdfText(
  path: string,
  signal: AbortSignal,
  bounds: Partial<typeof BOUNDS> = {},
): Promise<ReadText> {
  const { heapMegabytes, milliseconds, ...rest } = { ...BOUNDS, ...bounds }
  const answer = await ask({ path, ...rest }, heapMegabytes, milliseconds, signal)
  if ('error' in answer) throw new JobFailed(MESSAGES[answer.error])
  const { text, is_truncated } = storableText(answer.text)
  if (text.trim() === '') throw new JobFailed(MESSAGES.empty)
  return { text, is_truncated: is_truncated || answer.is_truncated }
}

type Outcome = PdfAnswer | { error: 'time' }

function ask(
  task: PdfTask,
  heapMegabytes: number,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: task,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => resolve({ error: 'time' }), milliseconds)
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  worker.once('message', (answer: PdfAnswer) => resolve(answer))
  worker.once('error', (error: NodeJS.ErrnoException) =>
    resolve({ error: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too large' : 'invalid' }),
  )
  worker.once('exit', () => resolve({ error: 'invalid' }))
  return promise.finally(async () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  })
}
