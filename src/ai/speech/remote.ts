/** Any endpoint that speaks OpenAI's `POST /audio/transcriptions`. */

import { openAsBlob } from 'node:fs'
import type { ModelEndpoint } from '../../config.ts'
import { isRecord } from '../../lib/values.ts'
import { boundedJson } from '../bounded-json.ts'
import { type Recognizer, type Recording, type Segment, SpeechFailed, type Transcript } from './recognizer.ts'

const TIMEOUT_MS = 30 * 60_000
const MAX_SEGMENTS = 100_000
const MAX_PROMPT = 800

export const remoteRecognizer = (remote: ModelEndpoint): Recognizer => ({
  provider: remote.model,
  transcribe: recording => ask(remote, recording),
})

async function ask(remote: ModelEndpoint, recording: Recording): Promise<Transcript> {
  const form = new FormData()
  form.set('file', await openAsBlob(recording.path, { type: recording.mimeType }), nameFor(recording))
  form.set('model', remote.model)
  form.set('response_format', 'verbose_json')
  if (recording.language) form.set('language', recording.language.slice(0, 2))
  if (recording.names.length > 0) form.set('prompt', recording.names.join(', ').slice(0, MAX_PROMPT))
  const response = await fetch(`${remote.url}/audio/transcriptions`, {
    method: 'POST',
    headers: remote.key === undefined ? {} : { authorization: `Bearer ${remote.key}` },
    body: form,
    signal: AbortSignal.any([recording.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    redirect: 'error',
  })
  // An error about the recording is permanent; any other may be temporary.
  if ([400, 413, 415, 422].includes(response.status))
    throw new SpeechFailed(`The speech service did not take this recording (${response.status})`)
  if (!response.ok) throw new Error(`the speech endpoint answered ${response.status}`)
  return transcriptOf(await boundedJson(response))
}

/** Such services detect the format by the file extension. */
function nameFor({ mimeType }: Recording): string {
  const endings: Record<string, string> = {
    'audio/wav': 'wav',
    'audio/mpeg': 'mp3',
    'audio/mp4': 'm4a',
    'audio/flac': 'flac',
    'audio/webm': 'webm',
  }
  return `recording.${endings[mimeType] ?? 'ogg'}`
}

function transcriptOf(answer: unknown): Transcript {
  const { text, duration, language, segments } = isRecord(answer) ? answer : {}
  if (typeof text !== 'string') throw new Error('the speech endpoint did not return text')
  const valid = (Array.isArray(segments) ? segments : []).slice(0, MAX_SEGMENTS).flatMap(segmentOf)
  const seconds = Number.isFinite(Number(duration)) ? Number(duration) : (valid.at(-1)?.end ?? 0)
  const whole = text.trim() === '' ? [] : [{ start: 0, end: seconds, text: clean(text) }]
  return {
    segments: valid.length > 0 ? valid : whole,
    duration: seconds,
    language: typeof language === 'string' ? language.slice(0, 35) : null,
  }
}

function segmentOf(segment: unknown): Segment[] {
  const { start, end, text } = isRecord(segment) ? segment : {}
  if (typeof text !== 'string' || !isTime(start) || !isTime(end)) return []
  return text.trim() === '' ? [] : [{ start, end, text: clean(text) }]
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** The database cannot store NUL. */
const clean = (text: string) => text.replaceAll('\0', '').trim()
