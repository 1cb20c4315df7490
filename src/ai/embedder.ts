/** What turns texts into vectors. */

export interface Embedder {
  /** names the vectors: those of two models cannot be compared */
  readonly model: string
  /** `idle`: not needed so far */
  state(): { status: 'idle' | 'ready' | 'failed'; error: string | null }
  /** Unit vectors, in the order of the texts. What a request waits for is `urgent` and goes first. */
  embed(texts: readonly string[], urgent: boolean): Promise<Float32Array[]>
  /** How well each text holds the question, word by word. Finer than two vectors, and too slow for many texts. */
  match?(question: string, texts: readonly string[]): Promise<Match[]>
}

export interface Match {
  /** the mean likeness of each word of the one to the nearest word of the other, both ways */
  likeness: number
  /** the same for those of the question's words that the text does not have itself; 1 when it has them all */
  unsaid: number
  /** each word of the question that tells something, and the likeness of the text's nearest */
  words: ReadonlyMap<string, number>
}

/** There is no model at the moment: words must do. The message is for the people who run the service. */
export class ModelUnavailable extends Error {}
