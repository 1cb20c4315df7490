/** What a search takes and returns. */

import { pageFields } from '../../kernel/page.ts'
import {
  boolean,
  datetime,
  int,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  rule,
  type Schema,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { ENTITY_TYPES } from './sources/index.ts'
import { isQuestionTooLong, MAX_QUESTION } from './words.ts'

/** The length is also limited after normalisation, because search works on the normalised words. */
export const questionText = rule(text({ min: 1, max: MAX_QUESTION }), question =>
  isQuestionTooLong(question)
    ? `text must have at most ${2 * MAX_QUESTION} characters after normalisation (NFKD)`
    : undefined,
)

export const MODES = ['keyword', 'semantic', 'hybrid'] as const

export const result = object(
  {
    entity_type: text({ examples: ENTITY_TYPES }),
    entity_id: uuid(),
    name: text(),
    snippet: text({ description: 'The matching part of the record; matches are between **' }),
    score: number(),
    matched_by: oneOf(['exact', 'keyword', 'semantic', 'hybrid']),
    updated_at: datetime(),
  },
  { title: 'SearchResult' },
)

export const results = object(
  {
    ...pageFields(result),
    mode: oneOf(MODES, { description: 'The mode that was used; keyword if no model is available' }),
  },
  { title: 'SearchResults' },
)

/** `entity_types=contact,deal` or the parameter several times. */
export const typeList: Schema<string[]> = {
  optional: true,
  json: { type: 'string', description: `Comma-separated, of ${ENTITY_TYPES.join(', ')}` },
  check(input, loc, issues) {
    const one = oneOf(ENTITY_TYPES)
    const texts = (Array.isArray(input) ? input : [input]).flatMap(part => String(part).split(','))
    return texts.filter(part => part !== '').map((part, i) => one.check(part.trim(), [...loc, i], issues))
  },
}

export const entityTypes = optional(list(oneOf(ENTITY_TYPES), { max: ENTITY_TYPES.length }))

export const indexStatus = object(
  {
    status: oneOf(['ready', 'indexing']),
    records: int(),
    passages: int(),
    pending_records: int({
      description: 'The minimum number of records whose latest changes are not in the index yet',
    }),
    lag_seconds: number({ description: 'How long the oldest of those has been waiting' }),
    reindexing: boolean(),
    embeddings: object({
      status: oneOf(['idle', 'ready', 'failed', 'off'], {
        description: 'failed: searches use words only; off: disabled by a setting',
      }),
      model: nullable(text()),
      embedded: int(),
      pending: int(),
      error: nullable(text()),
    }),
    language_model: nullable(text()),
  },
  { title: 'SearchStatus' },
)
