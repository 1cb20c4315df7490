/**
 * Whether the records hold the answer. A vector tells what a text is about, not what it says; so a passage must be
 * near to what is asked beside the names, and near to those words of the question that it does not have itself.
 */
import { cosine } from '../../../ai/vectors.ts'
import { zip } from '../../../lib/values.ts'
import { embeddedText } from '../../search/embed.ts'
import { holdsNames, type Named, withoutNames } from '../../search/names.ts'
import type { Found } from '../../search/rank.ts'
import { type Findings, oneEach } from '../../search/search.ts'
import { fold, STOP_WORDS, wordsOf } from '../../search/words.ts'
import { isOfKind } from './answer-kind.ts'
import { elsewhere } from './off-topic.ts'

/**
 * How well a passage must fit to be an answer, found by the runs in bench/quality: below these, nine of ten questions
 * that the records do not answer are refused.
 */
const CUT_OFF = { matched: 1.42, vectorsOnly: 0.38, wordsOnly: 0.75 }
/** So far below the cut-off a passage may still be the answer: it is shown as "Possibly". */
const UNSURE = { matched: 0.15, vectorsOnly: 0.05, wordsOnly: 0.15 }
/** Those that fit almost as well as they must are cited beside one that does. */
const NEARLY = 0.12
/**
 * Who asks about the world is answered only with what says just that: the page on the way to the airport. So is who
 * asks about the house, unless it is about somebody: the page on travel expenses.
 */
const RAISED = { world: 0.8, house: 0.5 }
/**
 * A question that names a kind of record or a value but no record asks for a list or a figure. A text answers it only if
 * it has this share of its words, the rare ones counting more: "Have we got any distributor in the UK?" is near to every
 * text about an order from there.
 */
const SHARED = 0.4
const COMPARED = 16

export interface Evidence {
  /** best first, one of each record; none when nothing comes near to an answer */
  passages: Found[]
  /** whether the best of them answers; else it only may */
  isSure: boolean
  /** all that is known of a record was asked for */
  isAll?: true
}

export async function grounded(
  question: string,
  findings: Findings,
  topK: number,
  namesData: boolean,
): Promise<Evidence> {
  const { names } = findings.named
  if (names.some(name => name.matches.size === 0)) return { passages: [], isSure: false }
  // "tell me about Acme" asks for all of it
  if (names.length > 0 && asksForAll(findings.named)) {
    const about = findings.found.filter(one => holdsNames(one.passage, names))
    return { passages: theNamedFirst(question, about).slice(0, topK), isSure: true, isAll: true }
  }
  const about = findings.passages
    .filter(one => holdsNames(one.passage, names) && (isTold(one) || names.length > 0))
    .slice(0, COMPARED)
  const { fits, cutOff, unsure } = await fitsOf(question, about, findings)
  const fitting = zip(about, fits)
    .map(([one, fit]) => ({ ...one, fit, score: Math.min(1, fit / (2 * cutOff)) }))
    .sort((a, b) => b.fit - a.fit)
  const [best] = fitting
  const isSure =
    best !== undefined && best.fit >= cutOff && (!namesData || names.length > 0 || best.share >= SHARED)
  const enough = isSure ? cutOff - NEARLY : cutOff - unsure
  return { passages: oneEach(fitting.filter(one => one.fit >= enough)).slice(0, topK), isSure }
}

const ASKING = new Set(
  'tell give show details detail info information about know summary overview everything'.split(' '),
)

const asksForAll = ({ rest }: Named): boolean =>
  rest
    .split(/[^\p{L}\p{N}]+/u)
    .map(fold)
    .every(word => word === '' || STOP_WORDS.has(word) || ASKING.has(word))

function theNamedFirst(question: string, about: readonly Found[]): Found[] {
  const isNamed = ({ passage }: Found) => fold(question).includes(fold(passage.name))
  return [...about.filter(isNamed), ...about.filter(one => !isNamed(one))]
}

/** A list of fields answers only who asks with its words. */
const isTold = ({ passage, share, exact }: Found) => passage.written || exact || share >= 0.5

/**
 * What counts beside the likeness: somebody has written it; the more words the question has, the less of its likeness
 * is chance; and who names a record must be told something of it.
 */
const WRITTEN = 0.3
const A_WORD = 0.06
const MOST_WORDS = 6
const NAMED = 0.16

/** Those of the records that the passages hang on, where the question has the whole name. */
function wordsOfTies(question: string, about: readonly Found[]): string[] {
  const asked = new Set(wordsOf(question))
  return about
    .flatMap(({ passage }) => passage.context.split(/ · |\n/))
    .map(wordsOf)
    .filter(words => words.length > 1 && words.every(word => asked.has(word)))
    .flat()
}

/** Compared without the names: that both speak of Acme does not make one the answer to the other. */
async function fitsOf(
  question: string,
  about: readonly Found[],
  { meaning, named }: Findings,
): Promise<{ fits: number[]; cutOff: number; unsure: number }> {
  const embedder = meaning?.embedder
  if (!embedder) {
    const fits = about.map(one => (one.exact ? 1 : one.share))
    return { fits, cutOff: CUT_OFF.wordsOnly, unsure: UNSURE.wordsOnly }
  }
  const nameWords = new Set([...named.words, ...wordsOfTies(question, about)])
  const rest = withoutNames(question, nameWords)
  const texts = about.map(one => withoutNames(embeddedText(one.passage), nameWords))
  const matches = await embedder.match?.(rest, texts)
  if (matches) {
    const words = wordsOf(rest).filter(word => !STOP_WORDS.has(word)).length
    const asked = A_WORD * Math.min(words, MOST_WORDS) - (nameWords.size > 0 ? NAMED : 0)
    const fits = matches.map(({ likeness, unsaid, words: near }, i) => {
      const { written, body } = about[i]!.passage
      return isOfKind(question, body, near) ? unsaid + 2 * likeness + asked + (written ? WRITTEN : 0) : 0
    })
    const place = await elsewhere(embedder, question)
    const raised = place === undefined || (place === 'house' && nameWords.size > 0) ? 0 : RAISED[place]
    return { fits, cutOff: CUT_OFF.matched + raised, unsure: UNSURE.matched }
  }
  const [asked, ...vectors] = await embedder.embed([rest, ...texts], true)
  const fits = vectors.map(vector => cosine(asked!, vector))
  return { fits, cutOff: CUT_OFF.vectorsOnly, unsure: UNSURE.vectorsOnly }
}
