/** What an answer consists of, whoever put it together. */
import type { FoundPassage } from '../load.ts'

export interface Citation {
  index: number
  entity_type: string
  entity_id: string
  name: string
  snippet: string
  updated_at: string
  score: number
}

export interface Conflict {
  /** what the records say, the newest first; `index` is that of the citation */
  statements: { index: number; text: string; updated_at: string }[]
}

export interface Answer {
  answer: string
  citations: Citation[]
  conflicts: Conflict[]
  grounded: boolean
  /** what put the words together: `extractive`, `data`, or the language model */
  model: string
  /** the figures behind an answer that was computed */
  data: Record<string, unknown> | null
}

export const NO_ANSWER = 'The records do not hold an answer to this.'

export const refusal = (model: string): Answer => ({
  answer: NO_ANSWER,
  citations: [],
  conflicts: [],
  grounded: false,
  model,
  data: null,
})

export const citationOf = (
  passage: FoundPassage,
  index: number,
  snippet: string,
  score: number,
): Citation => ({
  index,
  entity_type: passage.entity_type,
  entity_id: passage.entity_id,
  name: passage.name,
  snippet,
  updated_at: passage.updated_at,
  score: Math.round(score * 10_000) / 10_000,
})
