/** What a model that runs here is to the thread that runs it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Model {
  /** how many seconds of sound it likes to have at a time */
  readonly pieces: { min: number; max: number }
  /**
   * The words in these samples at 16 kHz, empty when there are none, and the language they were taken to be in.
   * `names` are likely to be said.
   */
  words(
    samples: Float32Array,
    language: string | null,
    names: readonly string[],
  ): Promise<{ text: string; language: string }>
}

/** A file of weights, if it is the one that it should be. */
export function checkedFile(path: string, hash: string): Buffer {
  const bytes = readFileSync(path)
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Error(`${path} is damaged: its SHA-256 is not that of the model`)
  return bytes
}
