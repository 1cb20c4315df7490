/**
 * The thread in which recordings are decoded and recognised, one piece at a time. Each recording has at most one
 * request in hand, and requests are served in their order: two recordings take turns.
 */
import { parentPort } from 'node:worker_threads'
import { cutter, type Piece } from './cut.ts'
import { type Audio, openAudio } from './decode.ts'
import type { Format } from './formats.ts'
import { loadMoonshine } from './moonshine.ts'
import { type Segment, SpeechFailed } from './recognizer.ts'
import { RATE } from './resample.ts'

export type Request =
  | { id: number; open: { path: string; format: Format['name']; ffmpeg: boolean } }
  | { id: number; next: true }
  | { id: number; close: true }

export type Answer =
  | { id: number; opened: true }
  /** `at`: how many seconds have been heard; `duration` as the file says */
  | { id: number; segment: Segment | undefined; at: number; duration: number | undefined; done: boolean }
  | { id: number; failed: string }
  | { id: number; error: string }

const MAX_SECONDS = 4 * 3600

interface Open {
  audio: Audio
  pieces: AsyncGenerator<{ piece: Piece | undefined; at: number }>
}

const recordings = new Map<number, Open>()
const loading = loadMoonshine()
loading.catch(() => {})

async function* piecesOf(audio: Audio): Open['pieces'] {
  const cut = cutter()
  let heard = 0
  for await (const chunk of audio.chunks) {
    heard += chunk.length / RATE
    if (heard > MAX_SECONDS) throw new SpeechFailed('This recording is longer than four hours')
    // so that progress is told in a long silence, too
    const pieces = cut.push(chunk)
    if (pieces.length === 0) yield { piece: undefined, at: heard }
    for (const piece of pieces) yield { piece, at: heard }
  }
  if (heard === 0) throw new SpeechFailed('This file is damaged: no sound can be read from it')
  for (const piece of cut.flush()) yield { piece, at: heard }
  yield { piece: undefined, at: heard }
}

/** Silence is gone through at one go, up to this many seconds of it. */
const SILENT_SECONDS = 120

async function next(id: number): Promise<Answer> {
  const { audio, pieces } = recordings.get(id)!
  const { duration } = audio
  let from: number | undefined
  let at = 0
  for (;;) {
    const found = await pieces.next()
    if (found.done) {
      await close(id)
      return { id, segment: undefined, at, duration, done: true }
    }
    at = found.value.at
    from ??= at
    const { piece } = found.value
    if (piece) {
      const text = await (await loading).words(piece.samples)
      const round = (seconds: number) => Math.round(seconds * 100) / 100
      const segment = text === '' ? undefined : { start: round(piece.start), end: round(piece.end), text }
      return { id, segment, at, duration, done: false }
    }
    if (at - from > SILENT_SECONDS) return { id, segment: undefined, at, duration, done: false }
  }
}

async function close(id: number): Promise<void> {
  const open = recordings.get(id)
  recordings.delete(id)
  await open?.pieces.return(undefined).catch(() => {})
  open?.audio.close()
}

async function serve(request: Request): Promise<Answer | undefined> {
  const { id } = request
  if ('open' in request) {
    await loading
    const { path, format, ffmpeg } = request.open
    const audio = await openAudio(path, format, ffmpeg)
    recordings.set(id, { audio, pieces: piecesOf(audio) })
    return { id, opened: true }
  }
  if ('next' in request) return next(id)
  await close(id)
  return undefined
}

let turn: Promise<unknown> = Promise.resolve()

parentPort!.on('message', (request: Request) => {
  turn = turn
    .then(() => serve(request))
    .catch(async (error): Promise<Answer> => {
      await close(request.id)
      const isTheirs = error instanceof SpeechFailed
      return isTheirs ? { id: request.id, failed: error.message } : { id: request.id, error: String(error) }
    })
    .then(answer => answer && parentPort!.postMessage(answer))
})
