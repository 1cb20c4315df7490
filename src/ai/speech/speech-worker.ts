/** The thread of a model: transcribes one piece of sound at a time, in the order of the requests. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { present } from '../../lib/values.ts'
import type { Model } from './model.ts'
import { loadMoonshine } from './moonshine.ts'
import { loadWhisper } from './whisper.ts'
import type { WhisperName } from './whisper-files.ts'

/** Which model the thread is for, given when it is started. */
export type ModelFiles = { name: 'moonshine-tiny' } | { name: WhisperName; folder: string }

export type Request =
  | { id: number; load: true }
  | { id: number; samples: Float32Array; language: string | null; names: readonly string[] }

export type Answer =
  | { id: number; pieces: Model['pieces'] }
  /** `language`: the detected or given language */
  | { id: number; text: string; language: string }
  | { id: number; error: string }

// On Linux this is the priority of the calling thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(3)
const files: ModelFiles = workerData
const loading: Promise<Model> =
  files.name === 'moonshine-tiny' ? loadMoonshine() : loadWhisper(files.name, files.folder)
loading.catch(() => {})

async function serve(request: Request): Promise<Answer> {
  const model = await loading
  const { id } = request
  if ('load' in request) return { id, pieces: model.pieces }
  const { text, language } = await model.words(request.samples, request.language, request.names)
  return { id, text: text.replaceAll('\0', '').replace(/\s+/g, ' ').trim(), language }
}

const port = present(parentPort, 'the port to the main thread')
let turn: Promise<unknown> = Promise.resolve()

port.on('message', (request: Request) => {
  turn = turn
    .then(() => serve(request))
    .catch((error): Answer => ({ id: request.id, error: String(error) }))
    .then(answer => port.postMessage(answer))
})
