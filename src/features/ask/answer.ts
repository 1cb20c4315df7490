/** What a question means → its answer, computed by the query. */
import type { Ctx } from '../../kernel/context.ts'
import { HttpError } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { described, type Wording } from '../records/query/describe.ts'
import { kinds } from '../records/query/kinds.ts'
import { runQuery } from '../records/query/run.ts'
import type { Query } from '../records/query/spec.ts'
import type { Words } from './account/words.ts'
import { compareAnswer, shareAnswer } from './answers/compare.ts'
import { fieldAnswer, lastContact } from './answers/field.ts'
import { figureAnswer, groupAnswer, winRate } from './answers/figures.ts'
import type { Answering } from './answers/format.ts'
import { everyAnswer, listAnswer } from './answers/list.ts'
import { type Decision, decide, type Models } from './decide.ts'
import { type Answer, refusal, withinScopes } from './prose/answer.ts'
import type { Understood } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'

export interface Computed {
  answer: Answer
  meaning: Meaning
  /** else it only may be meant, or it has no answer */
  isSure: boolean
  /** it is so unlikely that a text may answer the question better */
  isDoubted: boolean
}

/** Of 350 answers that no rule read the right ones about which a text speaks, too, have 0.87 or more; the wrong ones 0.83 or less. */
const UNDOUBTED = 0.85

/**
 * Undefined when nothing is computed: no reading is likely, or it reads what the caller may not, or what is not asked
 * for. `models`: without them only what the rules read is.
 */
export async function computedAnswer(
  ctx: Ctx,
  question: string,
  words: Words,
  understood: Understood | undefined,
  types: readonly string[],
  models?: Models,
): Promise<Computed | undefined> {
  const run: Answering['run'] = (query, columns = []) => runQuery(ctx, query, { columns })
  const decision = await decide(question, words, understood, models, async ({ meaning, isByRules }) => {
    if (!mayRead(ctx, meaning, types)) return undefined
    try {
      return await withinScopes(() => answerTo({ ...words, run }, meaning))
    } catch (error) {
      // what the parser wrote may be no query that runs
      if (isByRules || !(error instanceof HttpError)) throw error
      return undefined
    }
  })
  const { meaning, alternatives = [] } = understood ?? {}
  const isOpen = !decision || (decision.reading.isByRules && !decision.isSure)
  if (meaning && alternatives.length > 0 && isOpen)
    return { answer: whichOne([meaning, ...alternatives], words), meaning, isSure: false, isDoubted: false }
  if (!decision) return undefined
  const { reading, isSure, likelihood } = decision
  const isDoubted = !reading.isByRules && likelihood < UNDOUBTED
  return { answer: stated(decision), meaning: reading.meaning, isSure, isDoubted }
}

function stated({ answer, reading, isSure }: Decision): Answer {
  // a reading by the parser is part of the answer, so that a person sees what was computed
  const { text } = reading
  const shown: Answer = reading.isByRules
    ? answer
    : {
        ...answer,
        answer: `${answer.answer} (Read as: ${text}.)`,
        data: { ...answer.data, reading: text },
      }
  if (isSure || !answer.grounded) return shown
  return { ...shown, answer: `Possibly: ${shown.answer}`, grounded: false, confidence: 'low' }
}

const queryOf = (meaning: Meaning): Query => (meaning.kind === 'every' ? meaning.exceptions : meaning.query)

function mayRead({ caller }: Ctx, meaning: Meaning, types: readonly string[]): boolean {
  const { entity } = queryOf(meaning)
  const group = kinds().get(entity)?.group
  return types.includes(entity) && group !== undefined && hasScope(caller.scopes, `${group}:read`)
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
    ...refusal('data'),
    answer: `${wording.say('This can be read in several ways')}: ${texts.join('; ')}. ${wording.say('Which one do you mean?')}`,
    alternatives: queries,
  }
}
