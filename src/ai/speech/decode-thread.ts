/** A recording as pieces of sound, decoded in a thread that is ended when the file makes it hang. */
import { Worker } from 'node:worker_threads'
import type { DecodeAnswer, DecodeInput } from './decode-worker.ts'
import { SpeechFailed } from './recognizer.ts'

/** Finding the first audio track takes milliseconds, decoding a piece less than a second. */
export const TIMEOUTS = { demuxMs: 15_000, pieceMs: 120_000 }

export type DecodedPiece = Extract<DecodeAnswer, { at: number }>

/** The last piece has `done`. A file that makes the decoder hang is reported as damaged. */
export async function* decodedPieces(input: DecodeInput): AsyncGenerator<DecodedPiece> {
  const thread = openThread(input)
  try {
    for (;;) {
      const answer = await thread.next()
      yield answer
      if (answer.done) return
    }
  } finally {
    await thread.end()
  }
}

interface Waiting {
  resolve(answer: DecodedPiece): void
  reject(error: Error): void
}

/** Each piece is decoded when it is requested, so that only one is in memory. */
function openThread(workerData: DecodeInput) {
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { execArgv: [], workerData })
  let waiting: Waiting | undefined
  let ended: Error | undefined
  let timer: NodeJS.Timeout | undefined

  const wait = (ms: number) => {
    clearTimeout(timer)
    const hung = () => fail(new SpeechFailed('This file is damaged: it cannot be read'))
    timer = setTimeout(hung, ms)
  }
  function settle(): Waiting | undefined {
    clearTimeout(timer)
    const settled = waiting
    waiting = undefined
    return settled
  }
  function fail(error: Error): void {
    ended ??= error
    settle()?.reject(error)
  }

  worker.on('error', error => fail(new Error(`the decoder's thread ended: ${error.message}`)))
  worker.on('exit', () => fail(new Error("the decoder's thread ended")))
  worker.on('message', (answer: DecodeAnswer) => {
    // The time before this is not counted: on a busy machine a thread starts slowly, whatever the file.
    if ('started' in answer) wait(TIMEOUTS.demuxMs)
    else if ('demuxed' in answer) wait(TIMEOUTS.pieceMs)
    else if ('failed' in answer) fail(new SpeechFailed(answer.failed))
    else if ('error' in answer) fail(new Error(answer.error))
    else settle()?.resolve(answer)
  })

  return {
    next: () =>
      new Promise<DecodedPiece>((resolve, reject) => {
        if (ended) return reject(ended)
        waiting = { resolve, reject }
        wait(TIMEOUTS.pieceMs)
        worker.postMessage('next')
      }),
    async end(): Promise<void> {
      settle()
      await worker.terminate()
    },
  }
}
