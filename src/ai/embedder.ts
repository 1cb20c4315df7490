/** What turns texts into vectors. */

export interface Embedder {
  /** names the vectors: those of two models cannot be compared */
  readonly model: string
  /** `idle`: not needed so far */
  state(): { status: 'idle' | 'ready' | 'failed'; error: string | null }
  /** Unit vectors, in the order of the texts. What somebody waits for is `urgent` and goes first. */
  embed(texts: readonly string[], urgent: boolean): Promise<Float32Array[]>
  /**
   * How well each text holds the question, word by word: the mean, over the question's words, of the likeness of the
   * nearest word of the text. Finer than two vectors, and too slow for more than a few texts.
   */
  match?(question: string, texts: readonly string[]): Promise<number[]>
}

/** There is no model at the moment: words must do. The message is for the people who run the service. */
export class ModelUnavailable extends Error {}
