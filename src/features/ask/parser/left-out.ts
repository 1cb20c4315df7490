/** Words of a question that a reading leaves out, and which of these make it the reading of another question. */

import { stemOf } from '../../search/words.ts'
import { isCountry } from '../account/countries.ts'
import { lexiconOf, wordsOf } from '../lexicon/index.ts'
import { isLight } from '../understand/light.ts'
import { isField } from '../understand/meaning.ts'
import { tokensOf } from '../understand/tokens.ts'
import type { Item } from './items.ts'

/** "the main contact", "our former CFO": without such a word others are meant. */
const ROLE =
  /^(?:main|primary|key|former|ex|deputy|assistant|acting|decision|vice|abroad|overseas|domestic|foreign)$/
/** So many words that the lexicon does not know are what a question is about, unless the reading points to one of them. */
const MAX_UNKNOWN = 2
/** A sure reading that shows a field by none of its words leaves out no more of them. */
const MAX_LEFT_OUT = 1

/** What stands between such a word and a name: "in the Hague", "with our Ms Lind". */
const BEFORE_NAME = /^(?:the|a|an|our|my|mr|mrs|ms|dr)$/
const NAMING =
  /^(?:in|at|with|from|for|by|of|to|called|named|titled|tagged|near|around|like|via|about|vs|than)$/
/** What follows these words and names nothing: "in the calendar", "for the moment", "in pounds". */
const GENERIC =
  /^(?:book|books|calendar|catalogue|catalog|cad|chf|dollars?|eur|euros?|francs?|gbp|ha|institutions?|list|meantime|minute|moment|overview|pls|places?|pounds?|record|report|sum|usd|while|world)$/

export interface Asked {
  roles: readonly string[]
  unknown: readonly string[]
  words: readonly string[]
  /** those of the unknown words that name something: "meetings with Elon Musk", "customers in atlantis" */
  names: readonly string[]
}

export function askedIn(question: string): Asked {
  const tokens = tokensOf(question)
  const known = wordsOf(lexiconOf(tokens))
  const unknown = [
    ...new Set(
      tokens.filter(word => word.length > 2 && /\p{L}/u.test(word) && !isLight(word) && !known.has(word)),
    ),
  ]
  const capitals = capitalsIn(question)
  const follows = (word: string) => {
    if (GENERIC.test(word)) return false
    const before = tokens.slice(0, tokens.indexOf(word)).findLast(one => !BEFORE_NAME.test(one))
    return before !== undefined && NAMING.test(before)
  }
  return {
    roles: tokens.filter(word => ROLE.test(word)),
    words: tokens,
    unknown,
    names: [
      ...unknown.filter(word => (capitals.has(word) && !GENERIC.test(word)) || follows(word)),
      ...tokens.filter(isCountry),
      ...tokens.filter((word, at) => isCountry(`${word} ${tokens[at + 1]}`)),
    ],
  }
}

/** The words with a capital that do not begin a sentence, where others have none. */
function capitalsIn(question: string): ReadonlySet<string> {
  const isShouted = !/\p{Ll}/u.test(question)
  const words = [...question.matchAll(/(?<=[\p{L}\p{N},;:'"(–-]\s+["'(]?)\p{Lu}[\p{L}\p{M}'’-]*/gu)]
  return new Set(isShouted ? [] : words.flatMap(([word]) => tokensOf(word)))
}

type Said = { pointed: readonly Item[]; isSaid: (word: string) => boolean }

function saidBy(tokens: readonly string[], items: readonly Item[], text: string): Said {
  const pointed = tokens.flatMap(token => items[Number(/^@(\d+)$/.exec(token)?.[1] ?? -1)] ?? [])
  const words = [...tokensOf(text), ...pointed.flatMap(({ said }) => said.split(' '))]
  const covered = new Set([...words, ...words.map(stemOf)])
  const isSaid = (word: string) =>
    covered.has(word) || covered.has(stemOf(word)) || (/^(?:main|key)$/.test(word) && covered.has('primary'))
  return { pointed, isSaid }
}

/**
 * Whether a reading is about something else: it leaves out whose role is asked for, or points to no word of the question
 * and leaves out most of it ("for which company is the parking space too small").
 */
export function isOfOthers(
  { roles, unknown }: Asked,
  tokens: readonly string[],
  items: readonly Item[],
  text: string,
): boolean {
  const { pointed, isSaid } = saidBy(tokens, items, text)
  if (!roles.every(isSaid)) return true
  return (
    pointed.every(({ said }) => said === '') && unknown.filter(word => !isSaid(word)).length > MAX_UNKNOWN
  )
}

const isNamed = (item: Item): boolean =>
  item.kind === 'value' && isField(item.where) && item.where.field === 'id'

/** Whether the question has a word of the field that a reading shows; true where it shows none. */
function isFieldSaid(text: string, words: readonly string[]): boolean {
  const [, field] = /^(.+?) of (?:deals|companies|contacts|activities|products)\b/.exec(text) ?? []
  return field === undefined || tokensOf(field).some(word => words.includes(word))
}

/**
 * Whether a reading leaves out a name of the question: "meetings with Elon Musk" are not all meetings. Or whether it may
 * be about something else than the product that it names: the question names it in part only, and asks for something
 * that the reading leaves out ("what do we charge for checking one harness" is not the price of the Summit Rescue
 * Harness). Or about another field than the one that it shows ("when does the contract expire" is not "customer since").
 */
export function isDoubtful(
  { unknown, names, words }: Asked,
  tokens: readonly string[],
  items: readonly Item[],
  text: string,
  mentioned: readonly string[] = [],
): boolean {
  const { pointed, isSaid } = saidBy(tokens, items, text)
  const isPartOfName = pointed.some(one => {
    if (one.kind !== 'value' || one.entity !== 'product') return false
    return tokensOf(one.text).length > one.said.split(' ').length + 1
  })
  const others = unknown.filter(word => !isSaid(word))
  // "the email of Zofia at Little Acorns": the account has Little Acorns, and one Zofia
  const ofNamed = pointed.some(isNamed) ? new Set(mentioned) : new Set()
  if (!names.every(word => isSaid(word) || ofNamed.has(word)) || (isPartOfName && others.length > 0))
    return true
  return others.length > MAX_LEFT_OUT && !isFieldSaid(text, words)
}
