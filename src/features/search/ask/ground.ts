/**
 * Whether the records hold the answer. A vector tells what a text is about, not what it says; so a passage must be
 * near to what is asked beside the names, and near to those words of the question that it does not have itself.
 */
import { cosine } from '../../../ai/vectors.ts'
import { embeddedText } from '../embed.ts'
import type { Found } from '../rank.ts'
import type { Findings } from '../search.ts'
import type { Term } from '../terms.ts'
import { fold, STOP_WORDS } from '../words.ts'
import { holdsNames, namesIn, withoutNames } from './names.ts'

/**
 * How well a passage must fit to be an answer, found by the run in bench/quality: below these, nine of ten questions
 * that the records do not answer are refused. Who names a record is likelier to ask for what is there.
 */
const CUT_OFF = { asked: 0.69, alone: 0.62, named: 0.5, vectorsOnly: 0.38, wordsOnly: 0.75 }
/** The first of the records stands so far before the second that nothing else can be meant. */
const FAR = 0.035
/** One of the first few must fit; those that nearly do are then cited beside it. */
const FIRST = 3
const NEARLY = 0.12
const COMPARED = 8

/** The records that answer, best first; none when there is no answer in them. */
export async function grounded(question: string, findings: Findings, topK: number): Promise<Found[]> {
  const names = namesIn(question, findings.terms)
  if (names.some(name => name.matches.size === 0)) return []
  const about = findings.found
    .filter(one => holdsNames(one.passage, names) && (isTold(one) || names.length > 0))
    .slice(0, Math.max(topK, COMPARED))
  // "tell me about Acme" asks for all of it
  if (names.length > 0 && asksForAll(question, names)) return theNamedFirst(question, about).slice(0, topK)
  const { fits, cutOff } = await fitsOf(question, about, names, findings)
  const [first, second] = about
  const isAlone = cutOff === CUT_OFF.asked && first && (!second || first.score - second.score >= FAR)
  const fit = fits.slice(0, FIRST).some(one => one >= cutOff) || (isAlone && fits[0]! >= CUT_OFF.alone)
  if (!fit) return []
  return about.filter((_, i) => fits[i]! >= cutOff - NEARLY).slice(0, topK)
}

const ASKING = new Set(
  'tell give show details detail info information about know summary overview everything'.split(' '),
)

const asksForAll = (question: string, names: readonly Term[]): boolean =>
  withoutNames(question, new Set(names.flatMap(name => [name.word, ...name.matches.keys()])))
    .split(/[^\p{L}\p{N}]+/u)
    .map(fold)
    .every(word => word === '' || STOP_WORDS.has(word) || ASKING.has(word))

function theNamedFirst(question: string, about: readonly Found[]): Found[] {
  const isNamed = ({ passage }: Found) => fold(question).includes(fold(passage.name))
  return [...about.filter(isNamed), ...about.filter(one => !isNamed(one))]
}

/** A list of fields answers only who asks with its words. */
const isTold = ({ passage, share, exact }: Found) => passage.written || exact || share >= 0.5

/** Compared without the names: that both speak of Acme does not make one the answer to the other. */
async function fitsOf(
  question: string,
  about: readonly Found[],
  names: readonly Term[],
  findings: Findings,
): Promise<{ fits: number[]; cutOff: number }> {
  const embedder = findings.meaning?.embedder
  if (!embedder) return { fits: about.map(one => (one.exact ? 1 : one.share)), cutOff: CUT_OFF.wordsOnly }
  const words = new Set(names.flatMap(name => [name.word, ...name.matches.keys()]))
  const rest = withoutNames(question, words)
  const texts = about.map(one => withoutNames(embeddedText(one.passage), words))
  const [asked, ...vectors] = await embedder.embed([rest, ...texts], true)
  const cosines = vectors.map(vector => cosine(asked!, vector))
  const matches = await embedder.match?.(rest, texts)
  return matches
    ? {
        fits: cosines.map((value, i) => value + matches[i]!.unsaid),
        cutOff: names.length > 0 ? CUT_OFF.named : CUT_OFF.asked,
      }
    : { fits: cosines, cutOff: CUT_OFF.vectorsOnly }
}
