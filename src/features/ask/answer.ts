/** What a question means → its answer, computed by the query. */
import type { Ctx } from '../../kernel/context.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { described, type NameOf } from '../records/query/describe.ts'
import type { Kinds } from '../records/query/relations.ts'
import type { Query } from '../records/query/spec.ts'
import { everyAnswer } from './answers/every.ts'
import { fieldAnswer, lastContact } from './answers/field.ts'
import { figureAnswer, groupAnswer, winRate } from './answers/figures.ts'
import type { Answering } from './answers/format.ts'
import { listAnswer } from './answers/list.ts'
import { type Answer, refusal, withinScopes } from './prose/answer.ts'
import { understand } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'
import { wordsFor } from './words.ts'

/** Undefined when the question is not one about the data, or reads what the caller may not. */
export async function computedAnswer(
  ctx: Ctx,
  kinds: Kinds,
  question: string,
  types: readonly string[],
  now = new Date(),
): Promise<Answer | undefined> {
  const words = await wordsFor(ctx, question, types)
  const understood = understand(question, words, now)
  if (!understood) return undefined
  const readings = [understood.meaning, ...understood.alternatives]
  if (!readings.every(reading => mayRead(ctx, kinds, reading, types))) return undefined
  if (readings.length > 1) return whichOne(readings, words.nameOf)
  return withinScopes(ctx, reading => answerTo({ ...words, ctx: reading, kinds }, understood.meaning))
}

const queryOf = (meaning: Meaning): Query => (meaning.kind === 'every' ? meaning.exceptions : meaning.query)

function mayRead(ctx: Ctx, kinds: Kinds, meaning: Meaning, types: readonly string[]): boolean {
  const { entity } = queryOf(meaning)
  const group = kinds.get(entity)?.group
  return types.includes(entity) && group !== undefined && hasScope(ctx.caller.scopes, `${group}:read`)
}

async function answerTo(answering: Answering, meaning: Meaning): Promise<Answer> {
  if (meaning.kind === 'every') return everyAnswer(answering, meaning)
  if (meaning.kind === 'win rate') return winRate(answering, meaning.query)
  const { query, show, last } = meaning
  if (last) return lastContact(answering, query, last)
  if (show) return fieldAnswer(answering, query, show, meaning.isEach ?? false)
  if (query.group_by) return groupAnswer(answering, query)
  if (query.measure && 'field' in query.measure) return figureAnswer(answering, query, query.measure)
  const answer = await listAnswer(answering, query, meaning.isYesNo ?? false)
  return meaning.isUnknown && answer.data?.count === 0 ? refusal('data') : answer
}

/** Two readings are about as likely: the caller chooses. */
function whichOne(readings: readonly Meaning[], nameOf: NameOf): Answer {
  const queries = readings.map(queryOf)
  const texts = queries.map((query, i) => `(${i + 1}) ${described(query, 2, nameOf).replace(/^2 /, '')}`)
  return {
    answer: `This can be read in several ways: ${texts.join('; ')}. Which one do you mean?`,
    citations: [],
    conflicts: [],
    grounded: false,
    confidence: 'none',
    related: [],
    model: 'data',
    data: null,
    alternatives: queries,
  }
}
