/** What an answer consists of, with or without a language model. */

import { MissingScope } from '../../../kernel/errors.ts'
import type { Query } from '../../records/query/spec.ts'
import type { FoundPassage } from '../../search/load.ts'
import { type Findings, oneEach } from '../../search/search.ts'
import { snippetOf } from '../../search/snippet.ts'

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

/** A passage that is near to the question and does not answer it. */
export type Related = Omit<Citation, 'index'>

export interface Answer {
  answer: string
  citations: Citation[]
  conflicts: Conflict[]
  grounded: boolean
  /** `low`: the passage may answer the question; `none`: there is no answer */
  confidence: 'high' | 'low' | 'none'
  /** of a refusal: the closest passages, best first */
  related: Related[]
  /** what put the words together: `extractive`, `data`, or the language model */
  model: string
  /** the figures behind an answer that was computed */
  data: Record<string, unknown> | null
  /** where a question can be read in several ways: the query of each */
  alternatives?: Query[]
}

export const NO_ANSWER = 'The records do not hold an answer to this.'

export const refusal = (model: string): Answer => ({
  answer: NO_ANSWER,
  citations: [],
  conflicts: [],
  grounded: false,
  confidence: 'none',
  related: [],
  model,
  data: null,
})

/** The question would be computed but for one word that changes its meaning. */
export const notComputed = (word: string): Answer => ({
  ...refusal('data'),
  answer: `This was not computed, because it is not clear what "${word}" means here. Ask it in other words.`,
})

const LACKS_SCOPE = 'This was not computed: the API key lacks the scope'

export const lacksScope = ({ grounded, answer }: Answer): boolean =>
  !grounded && answer.startsWith(LACKS_SCOPE)

/** A query checks the scope of each kind of record that it names; without one of them nothing is computed. */
export async function withinScopes(compute: () => Promise<Answer>): Promise<Answer> {
  try {
    return await compute()
  } catch (error) {
    if (!(error instanceof MissingScope)) throw error
    return {
      ...refusal('data'),
      answer: `${LACKS_SCOPE} ${error.scope}.`,
    }
  }
}

const MAX_RELATED = 3

/** A refusal together with what is closest to the question. */
export function withRelated(refused: Answer, { found, terms }: Findings): Answer {
  const related = oneEach(found)
    .slice(0, MAX_RELATED)
    .map(({ passage, score }) => relatedOf(passage, snippetOf(passage.body, terms), score))
  if (related.length === 0) return refused
  const names = related.map(({ name, entity_type }) => `${name} (${entity_type.replaceAll('_', ' ')})`)
  return { ...refused, answer: `${refused.answer} These are only close: ${names.join('; ')}.`, related }
}

const relatedOf = (passage: FoundPassage, snippet: string, score: number): Related => ({
  entity_type: passage.entity_type,
  entity_id: passage.entity_id,
  name: passage.name,
  snippet,
  updated_at: passage.updated_at,
  score: Math.round(score * 10_000) / 10_000,
})

export const citationOf = (
  passage: FoundPassage,
  index: number,
  snippet: string,
  score: number,
): Citation => ({
  index,
  ...relatedOf(passage, snippet, score),
})
