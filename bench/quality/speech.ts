/**
 * How well and how fast recordings are heard: word error rate on sentences that espeak-ng and flite speak, time and
 * memory for a long recording, and what the API's callers notice meanwhile.
 *
 * node bench/quality/speech.ts [--minutes=60] [--format=mp3]   needs espeak-ng, flite and ffmpeg
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { localRecognizer } from '../../src/ai/speech/local.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, format: { type: 'string', default: 'mp3' } },
})

const SENTENCES = [
  'Please call the customer about the renewal of the contract before Friday.',
  'The meeting with the sales team has been moved to Tuesday afternoon.',
  'She asked for a discount of ten percent on the annual plan.',
  'We will send the proposal and the price list by the end of the week.',
  'Their budget was approved and the decision is expected next month.',
  'He is the head of procurement and wants to see a demonstration first.',
  'The invoice was paid late because the purchase order was missing.',
  'They are comparing our product with two other vendors at the moment.',
  'Remind me to follow up with the finance director after the holidays.',
  'The customer reported a problem with the import of their contacts.',
]

const VOICES: Record<string, (text: string, path: string) => void> = {
  'espeak-ng': (text, path) => run('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', path, text]),
  'flite (slt)': (text, path) => run('flite', ['-voice', 'slt', '-t', text, '-o', path]),
  'flite (rms)': (text, path) => run('flite', ['-voice', 'rms', '-t', text, '-o', path]),
  'flite (slt), telephone band': (text, path) => {
    run('flite', ['-voice', 'slt', '-t', text, '-o', `${path}.full.wav`])
    const filter = ['-af', 'highpass=f=300,lowpass=f=3400', '-ar', '8000', '-c:a', 'pcm_mulaw']
    run('ffmpeg', ['-v', 'error', '-y', '-i', `${path}.full.wav`, ...filter, path])
  },
}

const run = (command: string, args: string[]) => {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

const DIGITS = 'zero one two three four five six seven eight nine ten'.split(' ')
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/%|\bper cent\b/g, ' percent')
    .replace(/\b(\d|10)\b/g, number => DIGITS[Number(number)]!)
    .replace(/[^a-z0-9' ]/g, ' ')
    .split(/\s+/)
    .filter(word => word !== '')

/** Words that are wrong, missing or too many. */
function errorsIn(wanted: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, i) => i)
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1]
    for (let j = 0; j < heard.length; j++)
      next.push(Math.min(row[j]! + (word === heard[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row.at(-1)!
}

const folder = mkdtempSync(join(tmpdir(), 'kith-speech-'))
const listen = (path: string, onProgress = async () => {}) =>
  localRecognizer(false).transcribe({
    path,
    fileName: 'speech',
    mimeType: 'audio/wav',
    language: 'en',
    signal: new AbortController().signal,
    onProgress,
  })
/** Time for each second of sound, by the clock and by the processor: the latter also holds on a busy machine. */
function clock(): (seconds: number) => { rtf: number; processor_rtf: number } {
  const began = performance.now()
  const used = process.cpuUsage()
  return seconds => {
    const { user, system } = process.cpuUsage(used)
    return {
      rtf: round((performance.now() - began) / 1000 / seconds, 3),
      processor_rtf: round((user + system) / 1e6 / seconds, 3),
    }
  }
}
const megabytes = () => Math.round(process.memoryUsage().rss / 1e6)

async function wordErrors(): Promise<Record<string, object>> {
  const results: Record<string, object> = {}
  // the first one loads the model
  VOICES['flite (slt)']!(SENTENCES[0]!, join(folder, 'warm.wav'))
  await listen(join(folder, 'warm.wav'))
  for (const [voice, speak] of Object.entries(VOICES)) {
    let wrong = 0
    let total = 0
    let seconds = 0
    const began = clock()
    for (const [i, sentence] of SENTENCES.entries()) {
      const path = join(folder, `${voice.replace(/\W/g, '')}-${i}.wav`)
      speak(sentence, path)
      const heard = await listen(path)
      const wanted = wordsOf(sentence)
      wrong += errorsIn(wanted, wordsOf(heard.segments.map(({ text }) => text).join(' ')))
      total += wanted.length
      seconds += heard.duration
    }
    results[voice] = { wer_percent: round((wrong / total) * 100, 1), words: total, ...began(seconds) }
  }
  return results
}

const round = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

/** The sentences one after the other, again and again. */
function longRecording(minutes: number, format: string): string {
  const parts = SENTENCES.map((sentence, i) => {
    const path = join(folder, `part-${i}.wav`)
    VOICES['flite (slt)']!(sentence, path)
    return `file '${path}'`
  })
  writeFileSync(join(folder, 'list.txt'), parts.join('\n'))
  const path = join(folder, `long.${format}`)
  const once = join(folder, 'once.wav')
  run('ffmpeg', ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', join(folder, 'list.txt'), once])
  const loop = ['-v', 'error', '-y', '-stream_loop', '-1', '-i', once, '-t', String(minutes * 60)]
  run('ffmpeg', [...loop, '-ar', '44100', path])
  return path
}

/** Memory at each tenth of the way. */
async function endurance(minutes: number, format: string) {
  const path = longRecording(minutes, format)
  const rss: number[] = []
  const began = clock()
  let share = 0
  const heard = await listen(path, (async (_segments: unknown, done: number) => {
    if (done < share) return
    share += 0.1
    rss.push(megabytes())
  }) as () => Promise<void>)
  return {
    minutes,
    format,
    ...began(heard.duration),
    segments: heard.segments.length,
    rss_mb_each_tenth: rss,
  }
}

/** The median of small requests before and while a recording is worked on, in a service of its own. */
async function neighbours() {
  const key = 'sk_bench_0123456789abcdef'
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '18977',
      KITH_API_KEY: key,
      KITH_DATA_DIR: join(folder, 'data'),
      KITH_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout!, 'data')
  const url = 'http://127.0.0.1:18977/api'
  const headers = { 'x-api-key': key }
  const median = async (isOver: () => boolean | Promise<boolean>) => {
    const times: number[] = []
    do {
      for (let i = 0; i < 50; i++) {
        const began = performance.now()
        await (await fetch(`${url}/companies`, { headers })).arrayBuffer()
        times.push(performance.now() - began)
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    } while (!(await isOver()))
    return round(times.sort((a, b) => a - b)[times.length >> 1]!, 2)
  }
  let rounds = 0
  await median(() => ++rounds > 2)
  rounds = 0
  const quiet_ms = await median(() => ++rounds > 6)
  const form = new FormData()
  form.set('file', new Blob([readFileSync(longRecording(3, 'mp3'))]), 'long.mp3')
  const { id } = (await (
    await fetch(`${url}/transcriptions`, { method: 'POST', headers, body: form })
  ).json()) as { id: string }
  const state = async () =>
    ((await (await fetch(`${url}/transcriptions/${id}`, { headers })).json()) as { status: string }).status
  const busy_ms = await median(async () => (await state()) === 'completed' || (await state()) === 'failed')
  const status = await state()
  child.kill()
  return { quiet_ms, busy_ms, times: round(busy_ms / quiet_ms, 2), status }
}

/** Each part is told when it is done. */
const tell = (part: object) => console.log(JSON.stringify(part))

try {
  const cores = availableParallelism()
  tell({ date: new Date().toISOString().slice(0, 10), cores, load: round(loadavg()[0]!, 1) })
  tell({ voices: await wordErrors() })
  tell({ long: await endurance(Number(values.minutes), values.format) })
  tell({ api: await neighbours() })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
