/**
 * The thread in which one recording is decoded and cut into pieces, on request. Each recording has a thread of its own:
 * demuxers can be made to loop by a crafted file, and then only this thread is ended.
 */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { present } from '../../lib/values.ts'
import { cutter, type Piece } from './cut.ts'
import { type Audio, openAudio } from './decode.ts'
import type { Format } from './formats.ts'
import type { Model } from './model.ts'
import { SpeechFailed } from './recognizer.ts'
import { RATE } from './resample.ts'

export interface DecodeInput {
  path: string
  format: Format['name']
  ffmpeg: boolean
  pieces: Model['pieces']
}

export type DecodeAnswer =
  /** the modules are loaded, the file is about to be opened */
  | { started: true }
  /** the file has been read as far as its first audio track */
  | { demuxed: true }
  /** `at`: how many seconds have been decoded; `duration` as the file says */
  | { piece: Piece | undefined; at: number; duration: number | undefined; done: boolean }
  /** the file cannot be transcribed */
  | { failed: string }
  | { error: string }

const MAX_SECONDS = 4 * 3600
const tooLong = () => new SpeechFailed('This recording is longer than four hours')
/** The maximum length of silence that is skipped in one answer. */
const SILENT_SECONDS = 120

// On Linux this is the priority of the calling thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(3)
const { path, format, ffmpeg, pieces: length }: DecodeInput = workerData
const port = present(parentPort, 'the port to the main thread')
const send = (answer: DecodeAnswer, moved: ArrayBuffer[] = []) => port.postMessage(answer, moved)

async function* piecesOf(audio: Audio): AsyncGenerator<{ piece: Piece | undefined; at: number }> {
  const cut = cutter(length)
  let at = 0
  for await (const chunk of audio.chunks) {
    at += chunk.length / RATE
    if (at > MAX_SECONDS) throw tooLong()
    const pieces = cut.push(chunk)
    // so that progress is reported in a long silence, too
    if (pieces.length === 0) yield { piece: undefined, at }
    for (const piece of pieces) yield { piece, at }
  }
  if (at === 0) throw new SpeechFailed('This file is damaged: no sound can be read from it')
  for (const piece of cut.flush()) yield { piece, at }
  yield { piece: undefined, at }
}

async function open() {
  send({ started: true })
  const audio = await openAudio(path, format, ffmpeg, () => send({ demuxed: true }))
  if ((audio.duration ?? 0) > MAX_SECONDS) {
    audio.close()
    throw tooLong()
  }
  return { audio, pieces: piecesOf(audio) }
}

const opening = open()
opening.catch(() => {})

async function next(): Promise<void> {
  const { audio, pieces } = await opening
  const { duration } = audio
  let from: number | undefined
  let at = 0
  for (;;) {
    const step = await pieces.next()
    if (step.done) return send({ piece: undefined, at, duration, done: true })
    at = step.value.at
    from ??= at
    const { piece } = step.value
    if (piece) {
      const samples = piece.samples.slice()
      return send({ piece: { ...piece, samples }, at, duration, done: false }, [samples.buffer])
    }
    if (at - from > SILENT_SECONDS) return send({ piece, at, duration, done: false })
  }
}

port.on('message', () => {
  next().catch(error =>
    send(error instanceof SpeechFailed ? { failed: error.message } : { error: String(error) }),
  )
})
