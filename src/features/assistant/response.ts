/** The result of an answer, by a model or from the records. */
import type { Tokens } from '../../ai/language-model/index.ts'

/** Stored with a message. */
export type Metadata = Record<string, unknown>

/** The tokens that a language model took. */
export interface Spent {
  tokens?: Tokens | undefined
  /** the model did not count them */
  estimated?: boolean | undefined
}

export interface Response extends Spent {
  metadata: Metadata
  /** set if the answer is incomplete */
  status?: Metadata | undefined
}
