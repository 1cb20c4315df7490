/** What the search is asked and what it answers. */
import {
  boolean,
  datetime,
  dict,
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

/** What a person types. It is counted after normalisation, too: all that follows works on the normalised words. */
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
    snippet: text({ description: 'The part of the record that was found; what matches stands between **' }),
    score: number(),
    matched_by: oneOf(['exact', 'keyword', 'semantic', 'hybrid']),
    updated_at: datetime(),
  },
  { title: 'SearchResult' },
)

export const results = object(
  {
    items: list(result),
    total: int(),
    page: int(),
    page_size: int(),
    total_pages: int(),
    mode: oneOf(MODES, { description: 'How it was searched: by words alone while there is no model' }),
  },
  { title: 'SearchResults' },
)

export const citation = object(
  {
    index: int({ description: 'As in the brackets of the answer' }),
    entity_type: text(),
    entity_id: uuid(),
    name: text(),
    snippet: text(),
    updated_at: datetime(),
    score: number(),
  },
  { title: 'Citation' },
)

const related = object(
  {
    entity_type: text(),
    entity_id: uuid(),
    name: text(),
    snippet: text(),
    updated_at: datetime(),
    score: number({ description: 'How close it is; higher is closer' }),
  },
  { title: 'RelatedPassage' },
)

export const answer = object(
  {
    answer: text(),
    citations: list(citation),
    conflicts: list(
      object({ statements: list(object({ index: int(), text: text(), updated_at: datetime() })) }),
      { description: 'Where records disagree, the newest first' },
    ),
    grounded: boolean({
      description: 'Whether the records hold the answer. False for an unsure answer and for a refusal.',
    }),
    confidence: oneOf(['high', 'low', 'none'], {
      description:
        'high: the answer is sure or was computed; low: the cited record may hold the answer, which then begins with "Possibly:"; none: refused',
    }),
    related: list(related, {
      description:
        'Of a refusal: the three passages closest to the question, best first. They do not answer it.',
    }),
    model: text({
      description:
        'data: computed; extractive: the records’ own words; otherwise the language model that put it into words',
    }),
    data: nullable(
      dict({
        description:
          'The figures behind an answer that was computed. `query`: what was computed, to be run again by `POST /api/query`.',
      }),
    ),
    alternatives: optional(
      list(dict(), {
        description:
          'Where a question can be read in several ways: the query of each, for `POST /api/query`. The answer asks which one is meant.',
      }),
    ),
  },
  { title: 'Answer' },
)

/** `entity_types=contact,deal` or the parameter several times. */
export const typeList: Schema<string[]> = {
  optional: true,
  json: { type: 'string', description: `Comma-separated, of ${ENTITY_TYPES.join(', ')}` },
  check(input, loc, issues) {
    const one = oneOf(ENTITY_TYPES as [string, ...string[]])
    const texts = (Array.isArray(input) ? input : [input]).flatMap(part => String(part).split(','))
    return texts.filter(part => part !== '').map((part, i) => one.check(part.trim(), [...loc, i], issues))
  },
}

export const entityTypes = optional(
  list(oneOf(ENTITY_TYPES as [string, ...string[]]), { max: ENTITY_TYPES.length }),
)

export const indexStatus = object({
  status: oneOf(['ready', 'indexing']),
  records: int(),
  passages: int(),
  pending_records: int({
    description: 'Records whose latest changes are not in the index yet, at least',
  }),
  lag_seconds: number({ description: 'How long the oldest of those has been waiting' }),
  reindexing: boolean(),
  embeddings: object({
    status: oneOf(['idle', 'ready', 'failed', 'off'], {
      description: 'failed: searches go by words alone; off: it is turned off',
    }),
    model: nullable(text()),
    embedded: int(),
    pending: int(),
    error: nullable(text()),
  }),
  language_model: nullable(text()),
})
