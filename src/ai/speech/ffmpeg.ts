/** ffmpeg, if it is installed: it decodes in parallel with the model, on another core. */
import { spawn, spawnSync } from 'node:child_process'
import type { Format } from './formats.ts'
import { RATE } from './resample.ts'

/** The format is passed explicitly, so that no file can make ffmpeg read a playlist and open its entries. */
const DEMUXERS: Record<Format['name'], string> = {
  wav: 'wav',
  mp3: 'mp3',
  m4a: 'mov',
  ogg: 'ogg',
  flac: 'flac',
  webm: 'matroska',
}

let installed: boolean | undefined

export function hasFfmpeg(): boolean {
  installed ??= spawnSync('ffmpeg', ['-version'], { stdio: 'ignore', timeout: 10_000 }).status === 0
  return installed
}

/** undefined: ffmpeg is not installed, or it cannot decode this file. */
export async function ffmpegSamples(
  path: string,
  format: Format['name'],
): Promise<AsyncIterable<Float32Array> | undefined> {
  if (!hasFfmpeg()) return undefined
  const args = ['-nostdin', '-v', 'quiet', '-threads', '1', '-protocol_whitelist', 'file,pipe']
  const input = ['-f', DEMUXERS[format], '-i', `file:${path}`, '-map', '0:a:0', '-vn', '-sn', '-dn']
  const output = ['-ac', '1', '-ar', String(RATE), '-f', 'f32le', 'pipe:1']
  const process = spawn('ffmpeg', [...args, ...input, ...output], { stdio: ['ignore', 'pipe', 'ignore'] })
  process.on('error', () => process.stdout.destroy())
  const bytes = process.stdout[Symbol.asyncIterator]()
  const first = await bytes.next().catch(() => ({ done: true as const, value: undefined }))
  if (first.done) return undefined
  return samples(first.value, bytes, () => process.kill('SIGKILL'))
}

async function* samples(first: Buffer, bytes: AsyncIterator<Buffer>, stop: () => void) {
  let rest: Buffer = Buffer.alloc(0)
  try {
    for (let chunk: Buffer | undefined = first; chunk; ) {
      const whole: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const count = Math.floor(whole.length / 4)
      const values = new Float32Array(count)
      for (let i = 0; i < count; i++) values[i] = whole.readFloatLE(i * 4)
      rest = whole.subarray(count * 4)
      yield values
      const next: IteratorResult<Buffer> = await bytes.next()
      chunk = next.done ? undefined : next.value
    }
  } finally {
    stop()
  }
}
