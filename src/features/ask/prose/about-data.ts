/**
 * Questions that are plainly about the data though not every word of them was understood. What a record says is then
 * an answer only if it speaks of what was left over; else it would be quoted for a figure that nobody has computed.
 */
import { fold, STOP_WORDS, wordsOf } from '../../search/words.ts'
import { tokensOf } from '../understand/tokens.ts'
import { askingOf } from './yes-or-no.ts'

const KINDS =
  '(?:deals?|opps?|opportunit(?:y|ies)|pipeline|contacts|companies|accounts|customers|clients|leads|prospects|activities|tasks|to-?dos?|calls|meetings|appointments|notes|owners|reps|stages|pipelines|tags)'
/** A few words before the kind, none that begins another part of the sentence. */
const SOME =
  '(?:(?!(?:did|does|do|is|are|was|were|has|have|had|can|could|will|would|should|at|in|on|to|for|with|about|of|from|by|if|when|who|how|why|where) )\\S+ ){0,3}'

const FIGURES = new RegExp(
  `^ (?:(?:what|show|list) )?(?:(?:is|are|was|were|the|our|my|me) )*(?:how many ${SOME}${KINDS}|how many \\S+ (?:do|does|did) (?:(?:our|the|all) )?${KINDS}|(?:number|count) of ${SOME}${KINDS}|how much ${SOME}(?:pipeline|revenue|deals?)|(?:average|mean|median|total|sum|combined|weighted|win rate|forecast)) `,
)
const LISTS = new RegExp(
  `^ (?:which|what|list|show|all|any|every|find|name|my|our) (?:of )?(?:(?:me|all|the|our|my|of) )*${SOME}${KINDS} `,
)
/** "open deals without a plan" is a list too, "missed calls problem" is not. */
const BARE = new RegExp(
  `^ ${SOME}${KINDS} (?:$|(?:in|at|with|without|for|of|from|by|that|who|which|whose|over|under|above|below|on|not|to|since|before|after|between|closing|due|assigned|owned|created|added|missing|lacking|worth|we|i|marked|tagged|per|except|excluding|still|this|last|next) )`,
)
const RATES = / (?:average|avg|median|percentage|percent|proportion|ratio) /

export interface Asked {
  kind: 'figure' | 'list'
  /** what a figure is asked of: a text that does not even name it does not know the figure */
  of: readonly string[]
}

/** What of our data a question asks for, by its first words. */
export function asksFor(question: string): Asked | undefined {
  const text = ` ${tokensOf(question).join(' ').replace(COURTESY, '')} `
  const kind = new RegExp(`(?<= )${KINDS}(?= )`).exec(text)?.[0]
  if (FIGURES.test(text) || (RATES.test(text) && kind !== undefined))
    return { kind: 'figure', of: kind === undefined ? [] : [kind] }
  return LISTS.test(text) || BARE.test(text) ? { kind: 'list', of: [] } : undefined
}

const COURTESY =
  /^(?:(?:please|hi|hello|hey|ok|so|and|but|(?:can|could|would) you|tell me|do you know|i (?:want|need|d like) to know|quick question) )+/

/** Verbs that may stand in any sentence. */
const LIGHT = new Set(
  `use uses used using need needs want wants like likes say says said tell mention mentioned involve involves involving
  include includes discuss discussed get gets take takes think talk ask asked asking give given put run runs been also
  day days week weeks month months quarter year years next last this today tomorrow only really actually not no never without except but because due since while than too very`.split(
    /\s+/,
  ),
)

/** Whether a text speaks of the words that were not understood: all of them for a figure, half of them for a list. */
export function speaksOf(text: string, left: readonly string[], { kind, of }: Asked): boolean {
  const unknown = left.filter(word => !LIGHT.has(word))
  const words = [...unknown, ...of]
  if (unknown.length === 0) return false
  const textWords = fold(text).split(/[^\p{L}\p{N}]+/u)
  const matched = words.filter(word => textWords.some(one => one.startsWith(stem(word)))).length
  return kind === 'figure' ? matched === words.length : matched * 2 >= words.length
}

/** Whether a text has all of the words that were not understood, and there are some. */
export const saysAll = (text: string, left: readonly string[]): boolean =>
  speaksOf(text, left, { kind: 'figure', of: [] })

export const stem = (word: string): string =>
  word.length <= 4 ? word : word.slice(0, Math.max(4, word.length - 2))

/**
 * Whether a text speaks of what the question asks at all: it has one of its words, and all figures of the sentence that
 * asks. The surcharge within 24 hours is not the one within 48. All 143 texts that answer a question of the blind sets
 * have a word of it. `isYesNo`: the question may name a figure that the text is compared with.
 */
export function isSpokenOf(question: string, { name, body, context }: Spoken, isYesNo: boolean): boolean {
  const words = wordsOf(question).filter(word => !STOP_WORDS.has(word))
  const said = wordsOf(`${name} ${body}`)
  const figures = figuresIn(`${name} ${body} ${context}`)
  return (
    (words.length === 0 || words.some(word => said.some(one => one.startsWith(stem(word))))) &&
    (isYesNo ||
      (askingOf(question).match(/\d[\d,.]*/g) ?? []).every(said =>
        [...figuresIn(said)].every(figure => figures.has(figure)),
      ))
  )
}

export interface Spoken {
  name: string
  body: string
  context: string
}

const IN_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** 1,500 and 1500 are the same, and so are two and 2. */
const figuresIn = (text: string): Set<string> =>
  new Set([
    ...(text.replace(/(?<=\d),(?=\d{3}\b)/g, '').match(/\d+(?:\.\d+)?/g) ?? []),
    ...wordsOf(text).flatMap(word => (IN_WORDS.includes(word) ? [String(IN_WORDS.indexOf(word))] : [])),
  ])
