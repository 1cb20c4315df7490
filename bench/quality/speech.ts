/**
 * How well and how fast recordings are heard: word error rate on sentences that espeak-ng and flite speak, names that
 * are known and unknown, time and memory for a long recording, what the API's callers notice meanwhile, and how two
 * recordings share the machine.
 *
 * node bench/quality/speech.ts [--part=words|names|long|api|pair] [--voice=…] [--model=whisper-base --dir=…]
 * needs espeak-ng, flite and ffmpeg
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { localRecognizer } from '../../src/ai/speech/local.ts'
import type { Config } from '../../src/config.ts'
import { errorsIn, wordsOf } from '../../test/support/spoken-words.ts'
import { namesHeard } from './speech-names.ts'
import { api, pair } from './speech-service.ts'
import { run, SENTENCES, VOICES } from './speech-voices.ts'

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    voice: { type: 'string' },
    model: { type: 'string', default: 'moonshine-tiny' },
    dir: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    format: { type: 'string', default: 'mp3' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'kith-speech-'))
const recognizer = localRecognizer({
  model: values.model as Config['speech']['model'],
  dir: values.dir,
  ffmpeg: false,
})
const listen = (path: string, onProgress = async () => {}, names: readonly string[] = []) =>
  recognizer.transcribe({
    path,
    fileName: 'speech',
    mimeType: 'audio/wav',
    language: 'en',
    names,
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
  VOICES['flite slt']!(SENTENCES[0]!, join(folder, 'warm.wav'))
  await listen(join(folder, 'warm.wav'))
  for (const [voice, speak] of Object.entries(VOICES)) {
    if (values.voice !== undefined && values.voice !== voice) continue
    const sums = [0, 1, 2].map(() => ({ wrong: 0, words: 0 }))
    const paths = SENTENCES.map((sentence, i) => {
      const path = join(folder, `${voice.replace(/\W/g, '')}-${i}.wav`)
      speak(sentence, path)
      return path
    })
    let seconds = 0
    const began = clock()
    for (const [i, sentence] of SENTENCES.entries()) {
      const heard = await listen(paths[i]!)
      const wanted = wordsOf(sentence)
      const sum = sums[Math.min(2, Math.floor(i / 10))]!
      sum.wrong += errorsIn(wanted, wordsOf(heard.segments.map(({ text }) => text).join(' ')))
      sum.words += wanted.length
      seconds += heard.duration
    }
    const percent = ({ wrong, words }: { wrong: number; words: number }) => round((wrong / words) * 100, 1)
    const [short, long, later] = sums.map(percent)
    const all = sums.reduce((a, b) => ({ wrong: a.wrong + b.wrong, words: a.words + b.words }))
    results[voice] = {
      wer_percent: percent(all),
      short,
      long,
      later,
      ...all,
      ...began(seconds),
    }
  }
  return results
}

const round = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

/** The sentences one after the other with pauses between them, again and again. */
function longRecording(minutes: number, format: string): string {
  const pause = join(folder, 'pause.wav')
  run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '0.7', pause])
  const parts = SENTENCES.map((sentence, i) => {
    const path = join(folder, `part-${i}.wav`)
    VOICES['flite slt']!(sentence, path)
    return `file '${path}'\nfile '${pause}'`
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

/** Each part is told when it is done. */
const tell = (part: object) => console.log(JSON.stringify(part))
const wants = (part: string) => values.part === undefined || values.part === part

try {
  const cores = availableParallelism()
  tell({
    date: new Date().toISOString().slice(0, 10),
    model: values.model,
    cores,
    load: round(loadavg()[0]!, 1),
  })
  if (wants('words')) tell({ voices: await wordErrors() })
  if (wants('names'))
    tell({
      names: await namesHeard(folder, async (path, names) => {
        const { segments } = await listen(path, undefined, names)
        return segments.map(({ text }) => text).join(' ')
      }),
    })
  if (wants('long')) tell({ long: await endurance(Number(values.minutes), values.format) })
  if (wants('api')) tell({ api: await api(folder, longRecording(3, 'mp3')) })
  if (wants('pair')) tell({ pair: await pair(folder, longRecording(2, 'mp3')) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
