/** The models that run here. */
import { open } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { decodedPieces } from './decode-thread.ts'
import { type Format, formatOf, HEAD_BYTES } from './formats.ts'
import { type Recognizer, type Recording, type Segment, SpeechFailed, type Transcript } from './recognizer.ts'
import { type Thread, withThread } from './speech-thread.ts'
import type { Answer, ModelFiles, Request } from './speech-worker.ts'
import { whisperFolder } from './whisper-files.ts'

let nextId = 0

export function localRecognizer({
  model,
  dir,
  ffmpeg,
}: Pick<Config['speech'], 'model' | 'dir' | 'ffmpeg'>): Recognizer {
  return {
    provider: `${model}-int8`,
    async transcribe(recording) {
      const files = filesOf(model, dir)
      if ('missing' in files) throw new SpeechFailed(files.missing)
      if (model === 'moonshine-tiny' && !/^en(g|glish)?\b/i.test(recording.language ?? 'en'))
        throw new SpeechFailed('The model that comes with the service understands English only')
      const format = await formatFor(recording.path)
      return withThread(files, thread => transcribe(thread, recording, format, ffmpeg))
    },
  }
}

/** Why the configured model cannot run, as a message for the operator. */
export function speechProblem({ speech: { remote, model, dir } }: Config): string | undefined {
  const files = remote ? undefined : filesOf(model, dir)
  return files && 'missing' in files ? files.missing : undefined
}

function filesOf(name: Config['speech']['model'], dir: string | undefined): ModelFiles | { missing: string } {
  if (name === 'moonshine-tiny') return { name }
  const location = whisperFolder(name, dir)
  return 'missing' in location ? location : { name, ...location }
}

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

async function transcribe(
  thread: Thread,
  recording: Recording,
  format: Format['name'],
  ffmpeg: boolean,
): Promise<Transcript> {
  const segments: Segment[] = []
  // The language of the first piece is used for the rest: speakers rarely change it.
  let { language } = recording
  const loaded = await answered(thread, { id: nextId++, load: true })
  if (!('pieces' in loaded)) throw new Error('the speech model did not report its input size')
  for await (const decoded of decodedPieces({
    path: recording.path,
    format,
    ffmpeg,
    pieces: loaded.pieces,
  })) {
    recording.signal.throwIfAborted()
    const { piece, at, duration, done } = decoded
    if (piece) {
      const { samples, start, end } = piece
      const words = await answered(thread, { id: nextId++, samples, language, names: recording.names })
      if ('text' in words && words.text !== '') {
        language ??= words.language
        segments.push({ start: round(start), end: round(end), text: words.text })
      }
    }
    if (done) return { segments, duration: round(at), language }
    await recording.onProgress(segments, duration ? Math.min(1, at / duration) : 0)
    recording.signal.throwIfAborted()
  }
  throw new Error('the decoder ended without an answer')
}

const round = (seconds: number): number => Math.round(seconds * 100) / 100

async function answered(thread: Thread, request: Request): Promise<Exclude<Answer, { error: string }>> {
  const answer = await thread.ask(request)
  if ('error' in answer) throw new Error(answer.error)
  return answer
}
