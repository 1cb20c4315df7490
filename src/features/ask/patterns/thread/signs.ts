/** By what words a question leans on the one before it. */
import { tidy } from '../grammar/question.ts'
import type { Subject } from './memory.ts'

const KIND_WORDS =
  'deals?|opportunit(?:y|ies)|compan(?:y|ies)|accounts?|contacts?|persons?|people|activit(?:y|ies)|tasks?|meetings?|calls?|notes?|records?'

/** Point at what was just named, whatever else the question names. */
const ONE = '(?<=(?:the|which|this|that)(?: \\S+)? )one'
const POINTING = `which of (?:them|those|these)|of (?:them|those|these)|them|those(?: (?:${KIND_WORDS}))?|these(?: (?:${KIND_WORDS}))?|(?:the )?ones|${ONE}|(?:this|that|the same) (?:${KIND_WORDS})|that(?= $)`
/** May also point at something in the question itself. That there is something is no place. */
const STANDING_IN =
  'it|its|they|their|theirs|he|him|his|she|her|hers|(?<! (?:is|are|was|were|be|been|do|does) )there(?! (?:is|are|was|were) )'
/** "contacts that have their birthday": what it stands for comes before it. */
const INSIDE = new RegExp(` (?:${KIND_WORDS}) (?:\\S+ )*(?:its|their|his|her) (?!(?:${KIND_WORDS}) )`)
const LEADING =
  '(?:and|or|but|also|ok|okay|so|then|now|well|actually|no(?= (?:i|what|how|the|not|only|just) )|sorry|rather|instead|i meant?|what about|how about|what of|(?:the )?same for|only|just|please|show me|show|give me|list)'
const LEANING =
  /\b(?:and|or|but|also|no|rather|instead|i meant?|what about|how about|what of|same for|only|just)\b/
/** "in Berlin?", "by stage": no question begins so. */
const FRAGMENT =
  /^ (?:in|at|with|without|for|by|from|since|before|after|until|during|under|over|above|below|of|on) /

const QUESTION_WORDS = / (?:which|what|who|whom|whose|how|when|where|why) /

const isFragment = (text: string) => FRAGMENT.test(text) && !QUESTION_WORDS.test(text)

const bounded = (pattern: string) => new RegExp(`(?<= )(?:${pattern})(?= )`)

export interface Signs {
  /** the question in plain words, a space at each end */
  text: string
  /** the same without what leans on the question before */
  rest: string
  points: boolean
  standsIn: boolean
  /** begins like the second half of a sentence */
  leads: boolean
  /** is a question by itself, whatever it begins with */
  asks: boolean
  namesKind: boolean
  /** asks for fewer of what there was */
  narrows: boolean
  /** asks for nothing but how many */
  counts: boolean
  /** "the second one": which of the records, from 0; -1 is the last */
  nth: number | undefined
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

export function signsIn(question: string): Signs {
  const text = tidy(question)
  const nth = new RegExp(` the (${ORDINALS.join('|')}|last|latter)(?: one| of them)? `).exec(text)
  const leads = new RegExp(`^ (?:${LEADING} )+`).exec(text)
  // "there" is no place in "how many are there"
  const counts =
    /^ (?:and |so |ok )*(?:how many(?: of (?:them|those|these))?(?: (?:are|is|were|do we have))?(?: (?:there|they|those|these|it|that))?|count (?:them|those|these)|what is the number)(?: in total| altogether| in all)? $/.test(
      text,
    )
  let rest = leads ? ` ${text.slice(leads[0].length)}` : text
  if (nth) rest = rest.replace(nth[0], ' ')
  rest = rest.replace(/ (?:else|too|as well|instead)(?= )/g, '')
  for (const pattern of [POINTING, STANDING_IN]) {
    for (let match = bounded(pattern).exec(rest); match; match = bounded(pattern).exec(rest)) {
      rest = `${rest.slice(0, match.index)}${rest.slice(match.index + match[0].length + 1)}`
    }
  }
  return {
    text,
    rest,
    points: bounded(POINTING).test(text) || nth !== null,
    standsIn: bounded(STANDING_IN).test(text) && !INSIDE.test(text),
    asks: QUESTION_WORDS.test(rest),
    namesKind: bounded(KIND_WORDS).test(rest),
    leads: isFragment(text) || (leads !== null && LEANING.test(leads[0])),
    narrows:
      /^ (?:and |ok |now |show |show me |but )*(?:only|just)\b/.test(text) ||
      bounded(`ones|${ONE}|which of (?:them|those|these)`).test(text),
    counts,
    nth: nth ? (nth[1] === 'last' || nth[1] === 'latter' ? -1 : ORDINALS.indexOf(nth[1]!)) : undefined,
  }
}

/** The question with the names of the records where it only pointed at them. */
export function withNames(question: string, subjects: readonly Subject[]): string {
  const names = subjects.map(({ name }) => name).join(' and ')
  const words = question.replace(/^\s*(?:and|but|so|ok|okay|also)\b[\s,]*/i, '')
  const owned = /\b(?:its|their|theirs|his|her|hers)\b/i
  const named =
    /\b(?:it|they|them|he|him|she|those|these|there|(?:this|that) (?:one|deal|company|contact|person))\b/i
  if (owned.test(words)) return words.replace(owned, `${names}'s`)
  if (named.test(words)) return words.replace(named, names)
  return `${words.replace(/[?!.\s]+$/, '')} ${names}?`
}
