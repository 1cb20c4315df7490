/** What the service stores with an answer, as this screen uses it. */
import type { Schemas } from '@kith/client'

export type Message = Schemas['ChatMessage']
export type Citation = Schemas['Citation']
export type Related = Schemas['RelatedPassage']
export type QuerySpec = Schemas['QueryRequest']

interface Conflict {
  statements: { index: number; text: string; updated_at: string }[]
}

export interface AnswerFacts {
  /** sure, possibly, or refused; undefined for words that answer no question */
  confidence?: 'high' | 'low' | 'none'
  citations: Citation[]
  related: Related[]
  conflicts: Conflict[]
  query?: QuerySpec
  isCutShort: boolean
  error?: string
  feedback?: 'up' | 'down'
}

const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])

/** Messages have free metadata; the assistant writes these parts of it. */
export function factsOf({ metadata }: Message): AnswerFacts {
  const { confidence, error, data, feedback } = metadata
  const { query } = (data ?? {}) as { query?: QuerySpec }
  const rating = (feedback as { rating?: unknown } | undefined)?.rating ?? feedback
  return {
    ...(confidence === 'high' || confidence === 'low' || confidence === 'none' ? { confidence } : {}),
    citations: list(metadata.citations),
    related: list(metadata.related),
    conflicts: list(metadata.conflicts),
    ...(query ? { query } : {}),
    isCutShort: metadata.cut_short === true,
    ...(typeof error === 'string' ? { error } : {}),
    ...(rating === 'up' || rating === 'down' ? { feedback: rating } : {}),
  }
}

/** The assistant is writing it. */
export const isPending = ({ role, metadata }: Message): boolean =>
  role === 'assistant' && metadata.status === 'answering'

/** The ids of the files that a message names. */
export const filesOf = ({ attachments }: Message): string[] => list(attachments.files)
