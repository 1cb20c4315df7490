/**
 * Whether the records' texts contain the answer. A question is read by the reader, which marks the answer's words in a
 * passage. Words that ask nothing ("angry about the invoice") describe a text: it must be like them.
 */
import { cosine } from '../../../ai/vectors.ts'
import { zip } from '../../../lib/values.ts'
import { embeddedText } from '../../search/embed.ts'
import { aboutNames, holdsNames, type Named, withoutNames } from '../../search/names.ts'
import type { Found } from '../../search/rank.ts'
import { type Findings, oneEach } from '../../search/search.ts'
import { fold, STOP_WORDS, wordsOf } from '../../search/words.ts'
import { isQuestion } from './is-question.ts'

/** How a passage is measured, and which measure makes it an answer. */
interface Scale {
  /** of each passage; -Infinity for one that cannot be the answer */
  fits: number[]
  sure: number
  possible: number
  /** a passage this much below the best one is cited beside it */
  near: number
}

/**
 * The reader's margin in logits, plus 2 times the cosine. Found on the sets of bench/quality/strangers, which the reader
 * was not trained on: at 1.95, 91 of 100 questions that the records do not answer are refused and 90 of 100 that they do
 * answer are answered.
 */
const READ = { sure: 1.95, possible: 1.3, near: 2, cosine: 2 }
/** Farther than this a passage is about something else: of 16 unsure ones on those sets, 2 were the answer. */
const POSSIBLE_COSINE = 0.28
/** Likeness word by word, the cosine of two vectors, and the share of the words, found on the same sets. */
const LIKE = { sure: 1.42, possible: 1.27, near: 0.12 }
const VECTORS_ONLY = { sure: 0.38, possible: 0.33, near: 0.12 }
const WORDS_ONLY = { sure: 0.75, possible: 0.6, near: 0.12 }
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
  const about = aboutNames(findings.passages, names)
    .filter(one => mayAnswer(one) || names.length > 0)
    .slice(0, COMPARED)
  const { fits, sure, possible, near } = await scaleOf(question, about, findings)
  const fitting = zip(about, fits)
    .map(([one, fit]) => ({ ...one, fit, score: Math.max(0, Math.min(1, fit / (2 * sure))) }))
    .sort((a, b) => b.fit - a.fit)
  // a text with none of the words does not answer a question about the data
  const isAbout = (one: Found) => !namesData || names.length > 0 || one.share >= SHARED
  const isSure = fitting.some(one => one.fit >= sure && isAbout(one))
  const passages = isSure
    ? fitting.filter(one => one.fit >= sure - near && isAbout(one))
    : fitting.filter(one => one.fit >= possible)
  return { passages: oneEach(passages).slice(0, topK), isSure }
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

/** A list of fields answers only a question with its words: questions about fields are computed. */
const mayAnswer = ({ passage, share, exact }: Found) => passage.written || exact || share >= 0.5

async function scaleOf(question: string, about: readonly Found[], findings: Findings): Promise<Scale> {
  const embedder = findings.meaning?.embedder
  if (!embedder) return { ...WORDS_ONLY, fits: about.map(one => (one.exact ? 1 : one.share)) }
  if (isQuestion(question) && embedder.read) {
    const readings = await embedder.read(question, about.map(shownToReader))
    const fits = zip(about, readings).map(([{ passage, cosine: near }, { margin, words }]) =>
      // words of the links are no answer: "Which lawyer represents Zephyr?" is not answered by any contact there
      passage.written && passage.body.includes(words) ? fitOf(margin + READ.cosine * near, near) : -Infinity,
    )
    return { ...READ, fits }
  }
  return likenessOf(question, about, findings)
}

const fitOf = (fit: number, near: number) => (fit < READ.sure && near < POSSIBLE_COSINE ? -Infinity : fit)

/** The names of the linked records first: people rarely write the customer's name into a note linked to the customer. */
const shownToReader = ({ passage }: Found): string =>
  passage.context === ''
    ? embeddedText(passage)
    : `${passage.context.replaceAll('\n', ', ')}: ${embeddedText(passage)}`

/**
 * What counts beside the likeness: that a person wrote the text; the number of words, since the more there are, the less
 * of their likeness is chance; and a name, of which the text must say something.
 */
const WRITTEN = 0.3
const A_WORD = 0.06
const MOST_WORDS = 6
const NAMED = 0.16

/** Compared without the names: that both speak of Acme does not make them alike. */
async function likenessOf(
  question: string,
  about: readonly Found[],
  { meaning, named }: Findings,
): Promise<Scale> {
  const nameWords = new Set([...named.words, ...wordsOfLinks(question, about)])
  const rest = withoutNames(question, nameWords)
  const texts = about.map(one => withoutNames(embeddedText(one.passage), nameWords))
  const matches = await meaning?.embedder.match?.(rest, texts)
  if (matches) {
    const words = wordsOf(rest).filter(word => !STOP_WORDS.has(word)).length
    const asked = A_WORD * Math.min(words, MOST_WORDS) - (nameWords.size > 0 ? NAMED : 0)
    const fits = zip(about, matches).map(
      ([{ passage }, { likeness, unsaid }]) =>
        unsaid + 2 * likeness + asked + (passage.written ? WRITTEN : 0),
    )
    return { ...LIKE, fits }
  }
  const [asked, ...vectors] = (await meaning?.embedder.embed([rest, ...texts], true)) ?? []
  return { ...VECTORS_ONLY, fits: vectors.map(vector => (asked ? cosine(asked, vector) : 0)) }
}

/** Words of the linked records' names, where the question has the whole name. */
function wordsOfLinks(question: string, about: readonly Found[]): string[] {
  const asked = new Set(wordsOf(question))
  return about
    .flatMap(({ passage }) => passage.context.split(/ · |\n/))
    .map(wordsOf)
    .filter(words => words.length > 1 && words.every(word => asked.has(word)))
    .flat()
}
