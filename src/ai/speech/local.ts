/** The models that run here. */
import { open } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { type Format, formatOf, HEAD_BYTES } from './formats.ts'
import { type Heard, type Recognizer, type Recording, type Segment, SpeechFailed } from './recognizer.ts'
import { type Thread, withThread } from './speech-thread.ts'
import type { ModelFiles } from './speech-worker.ts'
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
      return withThread(files, thread => listen(thread, recording, format, ffmpeg))
    },
  }
}

/** What keeps the chosen model from working, in a sentence for whoever runs the service. */
export function speechProblem({ speech: { remote, model, dir } }: Config): string | undefined {
  const files = remote ? undefined : filesOf(model, dir)
  return files && 'missing' in files ? files.missing : undefined
}

function filesOf(name: Config['speech']['model'], dir: string | undefined): ModelFiles | { missing: string } {
  if (name === 'moonshine-tiny') return { name }
  const found = whisperFolder(name, dir)
  return 'missing' in found ? found : { name, ...found }
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
    let answer = await to.ask({
      id,
      open: { path: recording.path, format, ffmpeg, language: recording.language, names: recording.names },
    })
    for (;;) {
      if ('failed' in answer || 'error' in answer) {
        isOpen = false
        throw 'failed' in answer ? new SpeechFailed(answer.failed) : new Error(answer.error)
      }
      recording.signal.throwIfAborted()
      if ('at' in answer) {
        if (answer.segment) segments.push(answer.segment)
        isOpen = !answer.done
        if (answer.done)
          return { segments, duration: Math.round(answer.at * 100) / 100, language: answer.language }
        const share = answer.duration ? Math.min(1, answer.at / answer.duration) : 0
        await recording.onProgress(segments, share)
      }
      answer = await to.ask({ id, next: true })
    }
  } finally {
    if (isOpen) to.tell({ id, close: true })
  }
}
