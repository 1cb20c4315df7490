/** What `POST /api/search/ask` returns. */
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
  sometimes,
  text,
  uuid,
} from '../../kernel/schema/index.ts'

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
          'The figures behind an answer that was computed. `query`: what was computed, to be run again by `POST /api/query`. `sides`: of a comparison, the query and the figures of each side. `reading`: of a freely worded question, what it was taken to ask.',
      }),
    ),
    alternatives: sometimes(
      list(dict(), {
        description:
          'Where a question can be read in several ways: the query of each, for `POST /api/query`. The answer asks which one is meant.',
      }),
    ),
  },
  { title: 'Answer' },
)
