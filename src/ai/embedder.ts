/** The interface of the models that turn texts into vectors. */
import type { Line } from './parser.ts'
import type { Reading } from './reader.ts'

export interface Embedder {
  /** the name of the model; vectors of two models cannot be compared */
  readonly model: string
  /** `idle`: not used so far */
  state(): { status: 'idle' | 'ready' | 'failed'; error: string | null }
  /** Unit vectors, in the order of the texts. `urgent`: a request waits for them, so they go first. */
  embed(texts: readonly string[], urgent: boolean): Promise<Float32Array[]>
  /** How well each text matches the question, word by word. More precise than two vectors, and too slow for many texts. */
  match?(question: string, texts: readonly string[]): Promise<Match[]>
  /** Whether each text answers the question, and how. */
  read?(question: string, texts: readonly string[]): Promise<Reading[]>
  /** What the question may ask, in tokens, the likeliest first. `items`: what it may name, one line each. */
  parse?(question: string, items: readonly string[]): Promise<Line[]>
}

export interface Match {
  /** the mean similarity of each word to the nearest word of the other text, in both directions */
  likeness: number
  /** the same for those words of the question that do not occur in the text; 1 if all occur */
  unsaid: number
  /** each word of the question that is not a stop word, and the similarity of the nearest word in the text */
  words: ReadonlyMap<string, number>
}

/** There is no model at the moment, so search uses words only. The message is for the operator. */
export class ModelUnavailable extends Error {}
