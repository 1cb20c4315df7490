/** What a question means → its answer, computed by the query. */
import type { Ctx } from '../../kernel/context.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { described, type Wording } from '../records/query/describe.ts'
import type { Kinds } from '../records/query/relations.ts'
import { runQuery } from '../records/query/run.ts'
import type { Query } from '../records/query/spec.ts'
import type { Words } from './account/words.ts'
import { compareAnswer, shareAnswer } from './answers/compare.ts'
import { everyAnswer } from './answers/every.ts'
import { fieldAnswer, lastContact } from './answers/field.ts'
import { figureAnswer, groupAnswer, winRate } from './answers/figures.ts'
import type { Answering } from './answers/format.ts'
import { listAnswer } from './answers/list.ts'
import { contentOf } from './likelihood.ts'
import { type Answer, refusal, withinScopes } from './prose/answer.ts'
import type { Understood } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'

/** Undefined when it reads what the caller may not, or what is not asked for. */
export async function computedAnswer(
  ctx: Ctx,
  kinds: Kinds,
  words: Words,
  { meaning, alternatives }: Understood,
  types: readonly string[],
): Promise<Answer | undefined> {
  const readings = [meaning, ...alternatives]
  if (!readings.every(reading => mayRead(ctx, kinds, reading, types))) return undefined
  const run: Answering['run'] = (query, columns = []) => runQuery(ctx, kinds, query, { columns })
  return withinScopes(async () => (await agreedBy({ ...words, run }, readings)) ?? whichOne(readings, words))
}

/** The answer of the first reading, if the others have the same one: then it does not matter which is meant. */
export async function agreedBy(
  answering: Answering,
  [first, ...others]: readonly Meaning[],
): Promise<Answer | undefined> {
  const answer = first && (await answerTo(answering, first))
  const content = answer && contentOf(answer)
  for (const other of others) {
    if (content === undefined || contentOf(await answerTo(answering, other)) !== content) return undefined
  }
  return answer
}

const queryOf = (meaning: Meaning): Query => (meaning.kind === 'every' ? meaning.exceptions : meaning.query)

function mayRead(ctx: Ctx, kinds: Kinds, meaning: Meaning, types: readonly string[]): boolean {
  const { entity } = queryOf(meaning)
  const group = kinds.get(entity)?.group
  return types.includes(entity) && group !== undefined && hasScope(ctx.caller.scopes, `${group}:read`)
}

export async function answerTo(answering: Answering, meaning: Meaning): Promise<Answer> {
  if (meaning.kind === 'every') return everyAnswer(answering, meaning)
  if (meaning.kind === 'win rate') return winRate(answering, meaning)
  if (meaning.kind === 'compare') return compareAnswer(answering, meaning)
  if (meaning.kind === 'share') return shareAnswer(answering, meaning)
  const { query, show, last } = meaning
  if (last) return lastContact(answering, query, last)
  if (show) return fieldAnswer(answering, query, show, meaning.isEach ?? false)
  if (query.group_by) return groupAnswer(answering, query, meaning.isNumber ?? false)
  if (query.measure && 'field' in query.measure) return figureAnswer(answering, query, query.measure)
  const answer = await listAnswer(answering, query, meaning.isYesNo ?? false)
  return meaning.isUnknown && answer.data?.count === 0 ? refusal('data') : answer
}

/** Two readings are about as likely: the caller chooses. */
function whichOne(readings: readonly Meaning[], wording: Wording): Answer {
  const queries = readings.map(queryOf)
  const texts = queries.map((query, i) => `(${i + 1}) ${described(query, 2, wording).replace(/^2 /, '')}`)
  return {
    answer: `${wording.say('This can be read in several ways')}: ${texts.join('; ')}. ${wording.say('Which one do you mean?')}`,
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
