/** The interface between a local model and its thread. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Model {
  /** the preferred length of a piece, in seconds */
  readonly pieces: { min: number; max: number }
  /**
   * The words in these samples at 16 kHz, empty if there are none, and their language. `names` are likely to occur.
   */
  words(
    samples: Float32Array,
    language: string | null,
    names: readonly string[],
  ): Promise<{ text: string; language: string }>
}

/** Reads a file of weights and checks that it is the expected one. */
export function checkedFile(path: string, hash: string): Buffer {
  const bytes = readFileSync(path)
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Error(`${path} is damaged: its SHA-256 is not that of the model`)
  return bytes
}
