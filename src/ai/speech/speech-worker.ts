/**
 * The thread in which recordings are decoded and recognised, one piece at a time. Each recording has at most one
 * request in hand, and requests are served in their order: two recordings take turns.
 */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { cutter, type Piece } from './cut.ts'
import { type Audio, openAudio } from './decode.ts'
import type { Format } from './formats.ts'
import type { Model } from './model.ts'
import { loadMoonshine } from './moonshine.ts'
import { type Segment, SpeechFailed } from './recognizer.ts'
import { RATE } from './resample.ts'
import { loadWhisper } from './whisper.ts'
import type { WhisperName } from './whisper-files.ts'

/** Which model the thread is for, given when it is started. */
export type ModelFiles = { name: 'moonshine-tiny' } | { name: WhisperName; folder: string }

export type Request =
  | {
      id: number
      open: {
        path: string
        format: Format['name']
        ffmpeg: boolean
        language: string | null
        names: readonly string[]
      }
    }
  | { id: number; next: true }
  | { id: number; close: true }

export type Answer =
  | { id: number; opened: true }
  /** `at`: how many seconds have been heard; `duration` as the file says */
  | {
      id: number
      segment: Segment | undefined
      at: number
      duration: number | undefined
      /** of the first words, while nobody has said which it is */
      language: string | null
      done: boolean
    }
  | { id: number; failed: string }
  | { id: number; error: string }

const MAX_SECONDS = 4 * 3600
const tooLong = () => new SpeechFailed('This recording is longer than four hours')

interface Open {
  audio: Audio
  language: string | null
  names: readonly string[]
  pieces: AsyncGenerator<{ piece: Piece | undefined; at: number }>
}

const recordings = new Map<number, Open>()
// On Linux this is the priority of the calling thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(3)
const files: ModelFiles = workerData
const loading: Promise<Model> =
  files.name === 'moonshine-tiny' ? loadMoonshine() : loadWhisper(files.name, files.folder)
loading.catch(() => {})

async function* piecesOf(audio: Audio, length: Model['pieces']): Open['pieces'] {
  const cut = cutter(length)
  let heard = 0
  for await (const chunk of audio.chunks) {
    heard += chunk.length / RATE
    if (heard > MAX_SECONDS) throw tooLong()
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
  const open = recordings.get(id)!
  const told = (at: number, done: boolean, segment?: Segment): Answer => ({
    id,
    segment,
    at,
    duration: open.audio.duration,
    language: open.language,
    done,
  })
  let from: number | undefined
  let at = 0
  for (;;) {
    const found = await open.pieces.next()
    if (found.done) {
      await close(id)
      return told(at, true)
    }
    at = found.value.at
    from ??= at
    if (found.value.piece) return told(at, false, await recognise(open, found.value.piece))
    if (at - from > SILENT_SECONDS) return told(at, false)
  }
}

/** The language that is found in the first words is kept for the rest: people rarely change it. */
async function recognise(open: Open, { start, end, samples }: Piece): Promise<Segment | undefined> {
  const { text, language } = await (await loading).words(samples, open.language, open.names)
  const clean = text.replaceAll('\0', '').replace(/\s+/g, ' ').trim()
  if (clean === '') return undefined
  open.language ??= language
  const round = (seconds: number) => Math.round(seconds * 100) / 100
  return { start: round(start), end: round(end), text: clean }
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
    const model = await loading
    const { path, format, ffmpeg, language, names } = request.open
    const audio = await openAudio(path, format, ffmpeg)
    if ((audio.duration ?? 0) > MAX_SECONDS) {
      audio.close()
      throw tooLong()
    }
    recordings.set(id, { audio, language, names, pieces: piecesOf(audio, model.pieces) })
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
