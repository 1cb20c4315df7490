/**
 * Answers from what the records say, in their own words: the passages that are about the question, whether they
 * really are, and where they disagree. Nothing is put into words that do not stand in a record.
 */
import { embeddersOf } from '../../../ai/embeddings.ts'
import { cosine } from '../../../ai/vectors.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { embeddedText } from '../embed.ts'
import type { Term } from '../keyword.ts'
import { sentencesOf } from '../passages.ts'
import { type Findings, type Found, find } from '../search.ts'
import { snippetOf } from '../snippet.ts'
import { fold, STOP_WORDS, wordsOf } from '../words.ts'
import { type Answer, citationOf, refusal } from './answer.ts'
import { conflictsAmong, type Statement } from './conflicts.ts'

const MODEL = 'extractive'
/**
 * How well a passage must fit to be an answer: its cosine and its likeness word by word, together, to what the
 * question asks beside the names in it. Found by the run in bench/quality: below these, nine of ten questions that
 * the records do not answer are refused. Who names a record is likelier to ask for what is there.
 */
const CUT_OFF = { asked: 0.7, named: 0.52, vectorsOnly: 0.38, wordsOnly: 0.75 }
const MAX_SENTENCES = 40
const COMPARED = 8

export interface Evidence extends Found {
  sentences: Statement[]
  /** how well it fits the question */
  fit: number
}

export async function extract(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  topK: number,
): Promise<Answer> {
  const findings = await find(ctx, question, 'hybrid', { types })
  const evidence = await grounded(ctx, question, findings, topK)
  if (evidence.length === 0) return refusal(MODEL)
  const citations = evidence.map((one, i) =>
    citationOf(one.passage, i + 1, snippetOf(one.passage.body, findings.terms), one.score),
  )
  const conflicts = conflictsAmong(
    evidence.map((one, i) => ({ index: i + 1, passage: one.passage, sentences: one.sentences })),
  )
  return {
    answer: textOf(evidence, conflicts),
    citations,
    conflicts,
    grounded: true,
    model: MODEL,
    data: null,
  }
}

/** The passages that answer, best first; none when the records do not hold the answer. */
export async function grounded(
  ctx: Ctx,
  question: string,
  findings: Findings,
  topK: number,
): Promise<Evidence[]> {
  const names = namesIn(question, findings.terms)
  if (names.some(name => name.matches.size === 0)) return []
  const about = findings.found.filter(one => holdsNames(one, names)).slice(0, Math.max(topK, COMPARED))
  const fits = await fitsOf(ctx, question, about, names, findings)
  const cutOff = !findings.meaning
    ? CUT_OFF.wordsOnly
    : fits.byWords
      ? names.length > 0
        ? CUT_OFF.named
        : CUT_OFF.asked
      : CUT_OFF.vectorsOnly
  const near = about.flatMap((one, i) =>
    fits.values[i]! >= cutOff ? [{ ...one, fit: fits.values[i]! }] : [],
  )
  const best = near[0]
  if (!best) return []
  const kept = near.filter(one => one.score >= best.score * 0.6).slice(0, topK)
  return withSentences(ctx, kept, findings)
}

/** Compared without the names: that both speak of Acme does not make one the answer to the other. */
async function fitsOf(
  ctx: Ctx,
  question: string,
  about: readonly Found[],
  names: readonly Term[],
  findings: Findings,
) {
  const embedder = embeddersOf(ctx.services.config).find(({ model }) => model === findings.meaning?.model)
  if (!embedder) return { byWords: false, values: about.map(one => (one.exact ? 1 : one.share)) }
  const words = new Set(names.flatMap(name => [name.word, ...name.matches.keys()]))
  const rest = withoutNames(question, words)
  const texts = about.map(one => withoutNames(embeddedText(one.passage), words))
  const [asked, ...vectors] = await embedder.embed([rest, ...texts], true)
  const cosines = vectors.map(vector => cosine(asked!, vector))
  if (!embedder.match) return { byWords: false, values: cosines }
  const likenesses = await embedder.match(rest, texts)
  return { byWords: true, values: cosines.map((value, i) => value + likenesses[i]!) }
}

const withoutNames = (text: string, names: ReadonlySet<string>): string =>
  names.size === 0
    ? text
    : text.replace(/[\p{L}\p{N}\p{M}]+(?:['’]s)?/gu, word =>
        wordsOf(word).some(part => names.has(part)) ? '' : word,
      )

/** Words that name something: written with a capital inside the question, or with digits in them. */
function namesIn(question: string, terms: readonly Term[]): Term[] {
  const words = question.split(/\s+/).map(word => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  const names = new Set(
    words.flatMap((word, i) => {
      const capital =
        /^\p{Lu}/u.test(word) && !(i === 0 && !/^\p{Lu}/u.test(words[1] ?? '')) && !KIND_OF_WORD.test(word)
      const code = /\d/.test(word) && /\p{L}/u.test(word)
      return (capital || code) && !COMMON.has(fold(word))
        ? wordsOf(word).filter(part => !STOP_WORDS.has(part))
        : []
    }),
  )
  return terms
    .filter(term => names.has(term.word))
    .map(term => ({ ...term, matches: new Map([...term.matches].filter(([, quality]) => quality >= 0.7)) }))
}
/** Abbreviations, languages and nationalities describe; they do not name. */
const KIND_OF_WORD = /^\p{Lu}{2,5}s?$|(?:ese|ish|ian|ean|ench|erman)$/u
const COMMON = new Set(
  `i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
  september october november december crm ceo cto cfo coo vp hr it roi sla nda api faq poc q1 q2 q3 q4 usd eur gbp english
  german french spanish how what when where which who why does do did is are was can`.split(/\s+/),
)

/** The rarest of the names must be there; of several, half. */
function holdsNames({ passage }: Found, names: readonly Term[]): boolean {
  if (names.length === 0) return true
  const text = fold(`${passage.name}\n${passage.body}\n${passage.context}`)
  const held = names.filter(name => [...name.matches.keys()].some(word => text.includes(word)))
  const rarest = names.reduce((a, b) => (b.idf > a.idf ? b : a))
  return held.includes(rarest) && held.length * 2 >= names.length
}

async function withSentences(
  ctx: Ctx,
  kept: readonly (Found & { fit: number })[],
  findings: Findings,
): Promise<Evidence[]> {
  const sentences = kept.map(({ passage }) => sentencesOf(passage.body))
  const all = sentences.flat().slice(0, MAX_SENTENCES)
  const embedder = embeddersOf(ctx.services.config).find(({ model }) => model === findings.meaning?.model)
  const vectors = embedder ? await embedder.embed(all, true).catch(() => []) : []
  let at = 0
  return kept.map((one, i) => {
    const own = sentences[i]!.map(text => {
      const vector = vectors[at++]
      return {
        text,
        vector,
        fit: vector && findings.meaning ? cosine(vector, findings.meaning.vector) : one.share,
      }
    })
    return { ...one, sentences: own }
  })
}

/** The best record speaks in full; others that fit nearly as well are quoted with their best sentence. */
function textOf(evidence: readonly Evidence[], conflicts: Answer['conflicts']): string {
  const [conflict] = conflicts
  if (conflict) {
    const told = conflict.statements.map(
      ({ index, text, updated_at }) => `${updated_at.slice(0, 10)}: ${text} [${index}]`,
    )
    return `The records disagree. ${told.join(' ')}`
  }
  const [first, ...rest] = evidence
  const others = rest
    .map((one, i) => ({ one, index: i + 2 }))
    .filter(({ one }) => one.score >= first!.score * 0.85)
    .slice(0, 2)
    .map(({ one, index }) => `${bestSentence(one)} [${index}]`)
  return [`${first!.passage.body} [1]`, ...others].join('\n')
}

const bestSentence = ({ sentences, passage }: Evidence): string =>
  sentences.reduce<Statement | undefined>((a, b) => (a && a.fit >= b.fit ? a : b), undefined)?.text ??
  passage.body
