import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Repeats two sentences with pauses, which gives many segments. */
export function longCall(times: number): Buffer {
  const wav = readFileSync(join(import.meta.dirname, '../../../test/fixtures/audio/call.wav'))
  const pause = Buffer.alloc(2 * 16_000 * 1.5)
  const samples = Buffer.concat(Array.from({ length: times }, () => [wav.subarray(44), pause]).flat())
  const header = Buffer.from(wav.subarray(0, 44))
  header.writeUInt32LE(36 + samples.length, 4)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
