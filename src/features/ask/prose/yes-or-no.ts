/** Questions that are answered with yes or no, and whether a text bears that out. */
import { sentencesOf } from '../../search/passages.ts'
import { STOP_WORDS, stemOf, wordsOf } from '../../search/words.ts'
import { withoutCourtesy } from '../understand/courtesy.ts'

const WHETHER =
  /^\P{L}*(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|has|have|had|may|might|must|whether|if|ist|sind|war|waren|hat|haben|hatte|hatten|kann|können|wird|werden|darf|soll|muss|ob)\b/iu

/** The sentence that asks; what is said before it tells why. */
export const askingOf = (question: string): string =>
  question.split(/(?<=[.!?])\s+/).findLast(sentence => sentence.endsWith('?')) ?? question

/** "From what swell, in metres, is he allowed to refuse?" */
const WHICH = /\b(?:what|which|who|whom|whose|how|why)\b/i

/** Whether yes or no is asked for, at the end at least: "when we go there, is it open?". "A or B?" asks which. */
export function isYesNo(question: string): boolean {
  const asking = withoutCourtesy(askingOf(question))
  const clauses = asking.split(/[,;:]\s+|\s[-–—]\s/)
  const last = WHICH.test(asking) ? '' : (clauses.at(-1) ?? '')
  return [asking, last].some(part => WHETHER.test(part) && !/\b(?:or|oder)\b/i.test(part))
}

const NEGATED =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|refus\w*|reject\w*|exclud\w*|declin\w*|nicht|kein\w*|nie|ohne)\b|n['’]t\b/i
/** Words that may be in a question without being in the text. */
const LIGHT = new Set(
  'get gets got already still ever yet now really actually please anything something'.split(' '),
)
const AMOUNT =
  /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|daily|weekly|monthly|yearly)$/

interface Text {
  name: string
  body: string
  context: string
}

/**
 * Whether the words of a text bear out the yes or no that the reader found in it. Yes: they are those of the question,
 * and negated alike. No: they are negated otherwise, or another figure, day or month stands there. Of questions that
 * people wrote to be difficult the reader swaps yes and no for 1 of 10 even where it is surest ("Does Declan stay?" of
 * "Declan leaves").
 */
export function bearsOut(answer: 'yes' | 'no', question: string, { name, body, context }: Text): boolean {
  const asking = askingOf(question)
  const asked = wordsOf(asking).filter(word => !STOP_WORDS.has(word) && !LIGHT.has(word))
  const isIn = (said: readonly string[]) => (word: string) => said.some(one => areAlike(one, word))
  const missing = asked.filter(word => !isIn(wordsOf(`${name} ${body} ${context}`))(word))
  const nearest = sentencesOf(body)
    .map(sentence => ({ sentence, shared: asked.filter(isIn(wordsOf(sentence))).length }))
    .reduce((best, one) => (one.shared > best.shared ? one : best), { sentence: body, shared: 0 })
  const isNegatedAlike = NEGATED.test(asking) === NEGATED.test(nearest.sentence)
  if (missing.length === 0) return isNegatedAlike === (answer === 'yes')
  return answer === 'no' && isNegatedAlike && missing.every(word => AMOUNT.test(word))
}

const areAlike = (one: string, word: string): boolean =>
  one === word || (word.length > 3 && rootOf(one) === rootOf(word))

const rootOf = (word: string): string => stemOf(word).replace(/e$/, '')
