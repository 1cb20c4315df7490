/** Whether the records' texts contain the answer: the reader finds out for each passage that is near. */
import { cosine } from '../../../ai/vectors.ts'
import { zip } from '../../../lib/values.ts'
import { embeddedText } from '../../search/embed.ts'
import { aboutNames, holdsNames, type Named, withoutNames } from '../../search/names.ts'
import type { Found } from '../../search/rank.ts'
import { type Findings, oneEach } from '../../search/search.ts'
import { fold, STOP_WORDS, wordsOf } from '../../search/words.ts'
import { bearsOut, isYesNo } from './yes-or-no.ts'

interface Says {
  answer: 'yes' | 'no'
  isSure: boolean
}

/** How a passage is measured, and which measure makes it an answer. */
interface Scale {
  /** of each passage; -Infinity for one that cannot be the answer */
  fits: number[]
  /** of each passage: what it answers to a question of yes or no */
  says?: readonly (Says | undefined)[]
  sure: number
  possible: number
  /** a passage this much below the best one is cited beside it */
  near: number
  /** a fit as a number from 0 to 1 */
  score(fit: number): number
}

/**
 * The reader's margin in logits, plus 2 times the cosine. On 26 blind sets, which the reader was not trained on, 230 of 246
 * questions that a text answers and 3 of 129 that none answers are sure from 4 on (models/reader).
 */
const READ = { sure: 4, possible: 0, near: 2, cosine: 2 }
/** Without the reader: the cosine of two vectors, and the share of the words. */
const VECTORS_ONLY = { sure: 0.38, possible: 0.33, near: 0.12 }
const WORDS_ONLY = { sure: 0.75, possible: 0.6, near: 0.12 }
/** A yes or no that leads by less, in logits, is not said: the text is quoted as a possible answer. */
const LEAD = 2
/**
 * A question that names a kind of record or a value asks for a list or a figure, and one of a record for its fields. A
 * text answers it only if it has this share of its words, the rare ones counting more: "Have we got any distributor in
 * the UK?" is near to every text about an order from there. On 26 blind sets 9 of the 12 sure texts that did not answer
 * a question about the data have less, and one of 218 that answered.
 */
const SHARED = { unnamed: 0.3, named: 0.2 }
const COMPARED = 16

export interface Evidence {
  /** best first, one of each record; none when nothing comes near to an answer */
  passages: Found[]
  /** whether the best of them answers; else it only may */
  isSure: boolean
  /** what the best of them answers to a question of yes or no */
  says?: 'yes' | 'no'
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
  const { fits, says, sure, possible, near, score } = await scaleOf(question, about, findings)
  const fitting = zip(about, fits)
    .map(([one, fit], i) => ({ ...one, fit, score: score(fit), says: says?.[i] }))
    .sort((a, b) => b.fit - a.fit)
  // a text with none of the words does not answer a question about the data
  const least = names.length > 0 ? SHARED.named : SHARED.unnamed
  const isAbout = (one: Found) => !namesData || one.share >= least
  const best = fitting.find(one => one.fit >= sure && isAbout(one))
  const isSure = best !== undefined && best.says?.isSure !== false
  const passages = isSure
    ? fitting.filter(one => one.fit >= best.fit - near && one.fit >= sure && isAbout(one))
    : fitting.filter(one => one.fit >= possible)
  return {
    passages: oneEach(passages).slice(0, topK),
    isSure,
    ...(isSure && best.says ? { says: best.says.answer } : {}),
  }
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
  if (!embedder)
    return { ...WORDS_ONLY, fits: about.map(one => (one.exact ? 1 : one.share)), score: fit => fit }
  const readings = await embedder.read?.(question, about.map(shownToReader))
  if (!readings) return { ...VECTORS_ONLY, fits: await cosines(question, about, findings), score: fit => fit }
  const asksWhether = isYesNo(question)
  const says = zip(about, readings).map(([{ passage }, { isYesNo, yes }]): Says | undefined => {
    const answer = yes > 0 ? 'yes' : 'no'
    const isSure = Math.abs(yes) >= LEAD && bearsOut(answer, question, passage)
    // "rush surcharge in percent" is at times taken for a question of yes or no
    return asksWhether || (isYesNo && isSure) ? { answer, isSure } : undefined
  })
  const fits = zip(about, readings).map(([{ passage, cosine: near }, { margin, words }], i) =>
    // words of the links are no answer: "Which lawyer represents Zephyr?" is not answered by any contact there
    passage.written && (says[i] || passage.body.includes(words)) ? margin + READ.cosine * near : -Infinity,
  )
  return { ...READ, fits, says, score: fit => 1 / (1 + Math.exp(READ.sure - fit)) }
}

/** The names of the linked records first: people rarely write the customer's name into a note linked to the customer. */
const shownToReader = ({ passage }: Found): string =>
  passage.context === ''
    ? embeddedText(passage)
    : `${passage.context.replaceAll('\n', ', ')}: ${embeddedText(passage)}`

/** Compared without the names: that both speak of Acme does not make them alike. */
async function cosines(question: string, about: readonly Found[], { meaning, named }: Findings) {
  const nameWords = new Set([...named.words, ...wordsOfLinks(question, about)])
  const rest = withoutNames(question, nameWords)
  const texts = about.map(one => withoutNames(embeddedText(one.passage), nameWords))
  const [asked, ...vectors] = (await meaning?.embedder.embed([rest, ...texts], true)) ?? []
  return vectors.map(vector => (asked ? cosine(asked, vector) : 0))
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
