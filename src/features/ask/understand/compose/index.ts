/**
 * Readings of a question that the chart does not read as a whole: what it recognised in parts of the question is
 * composed to whole meanings, without regard to the order in which it is said. Which of them is meant is decided by a
 * model that compares each with the question (`ask/decide.ts`).
 */
import type { Condition } from '../../../records/query/spec.ts'
import { fold } from '../../../search/words.ts'
import type { AccountWords } from '../../account/account-words.ts'
import { lexiconOf } from '../../lexicon/index.ts'
import type { Lexicon } from '../../lexicon/types.ts'
import { chartOf, MAX_STEPS } from '../chart.ts'
import { withoutCourtesy } from '../courtesy.ts'
import { leavesOf } from '../leaves.ts'
import type { Meaning } from '../meaning.ts'
import { contradictsItself, normalised } from '../normal.ts'
import { RULES } from '../rules/index.ts'
import { MAX_TOKENS, tokensOf } from '../tokens.ts'
import { spelt } from '../typos.ts'
import { onlyOf } from '../values.ts'
import { readingsFrom } from './assemble.ts'
import { blocksOf } from './blocks.ts'
import { hasWhatIsAskedFor, isAskedFor, isVoid, usesAll } from './checks.ts'
import { type Cover, coversOf, isLight } from './cover.ts'
import type { Asked, Composed } from './fragment.ts'
import { alikeIn, hintsIn, nearby } from './nearby.ts'
import { type Parts, partsOf } from './parts.ts'
import { respelt } from './spelling.ts'
import { plainly } from './wording.ts'

export interface Candidate {
  meaning: Meaning
  /** words of the question that it says nothing of */
  left: readonly string[]
  cost: number
}

/** Readings of one choice of blocks. */
const MAX_READINGS = 5
/** Readings among which the cheapest are chosen. */
const MAX_FOUND = 240
/**
 * Readings that are composed at most, also those that leave out a word with a role. 360 questions of six sets took at
 * most 810; one that names a role in each word took 190 ms of processor time without the bound, 48 ms with it (busy).
 */
export const MAX_TRIED = 1000

/** From this cost on a leaf is a guess at a misspelt word. */
const GUESS_COST = 0.6

const YES_NO =
  /^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|any|anything|anyone|anybody|whether|isn|aren|doesn|don|didn|hasn|haven|wasn|weren)$/

const CLAUSE_END = /[.?!;:,()]+| [-–—] /

/** "any stage" says that it does not matter. */
const ANY = /\bany\b(?! (?:stage|status|owner|currency)\b)/

const WHICH = /^(?:who|whose|which|what)$/

/** "Which of our deals is the largest", "the largest of our deals". */
const ONE = /\b(?:is|was|has|does|one)\b|\bof\b(?!.*\b(?:are|were|have)\b)/

/** Of a question of several sentences each may be the whole question, and the others say why it is asked. */
export function compose(said: string, account: AccountWords, now: Date): Candidate[] {
  const question = plainly(withoutCourtesy(said), word => account.values(word).length > 0)
  const found = new Map<string, Candidate>()
  const all = tokensOf(question)
  const put = (candidate: Candidate) => {
    if (!hasWhatIsAskedFor(all, candidate.left)) return
    const key = keyOf(candidate.meaning)
    const known = found.get(key)
    if (!known || known.cost > candidate.cost) found.set(key, candidate)
  }
  const clauses = question.split(CLAUSE_END).map(clause => tokensOf(clause).join(' '))
  const readingsIn = (part: string, maxSteps: number) =>
    composed(part, account, now, maxSteps, meaning => isAskedFor(clauses, meaning))
  for (const candidate of readingsIn(question, MAX_STEPS)) put(candidate)
  const parts = sentencesOf(question)
  for (const part of parts) {
    // also what is said in a few words: "In 2025, did we lose anything?"
    const own = new Set(tokensOf(part))
    const left = all.filter(word => !own.has(word) && !isLight(word))
    // what is asked on a condition is not asked without it, nor one of several things alone: "no call, meeting or task"
    if (left.some(word => CONDITIONS.has(word) || (CHOICES.has(word) && left.some(isActivity)))) continue
    for (const candidate of readingsIn(part, MAX_STEPS / parts.length).slice(0, MAX_OF_PART))
      put({
        ...candidate,
        left: [...candidate.left, ...left],
        cost: candidate.cost + PART_COST + LEFT_COST * left.length,
      })
  }
  return [...found.values()].sort((a, b) => a.cost - b.cost)
}

const CONDITIONS = new Set(['if', 'unless', 'only', 'except'])
const CHOICES = new Set(['or', 'nor', 'and'])
const isActivity = (word: string): boolean =>
  /^(?:calls?|meetings?|tasks?|e?mails?|visits?|demos?|activities|activity)$/.test(word)
const PART_COST = 0.6
const LEFT_COST = 0.3
const MAX_PARTS = 4
const MAX_OF_PART = 8
const MIN_WORDS = 3

/** Sentences and clauses of a question that has several. */
function sentencesOf(question: string): string[] {
  const parts = question
    .split(/[.?!;:()]+(?=\s|$)|[(),] | [-–—] /)
    .map(part => part.trim())
    .filter(part => part.split(/\s+/).length >= MIN_WORDS)
  return parts.length > 1
    ? parts.slice(0, MAX_PARTS)
    : parts.filter(part => tokensOf(part).length < tokensOf(question).length)
}

function composed(
  question: string,
  account: AccountWords,
  now: Date,
  maxSteps: number,
  isMeant: (meaning: Meaning) => boolean,
): Candidate[] {
  const { covers, asked } = coveredBy(question, account, now, maxSteps)
  return candidatesFrom(covers, asked, isMeant).candidates
}

/** The ways to cover a question with blocks, and how it is worded. */
export function coveredBy(
  question: string,
  said: AccountWords,
  now: Date,
  maxSteps: number,
): { covers: Cover[]; asked: Asked } {
  const words = tokensOf(question)
  const lexicon = lexiconOf(words)
  const written = words.map(token => spelt(token, lexicon))
  const tokens = corrected(written, said, lexicon, now)
  const account = tokens.every((token, at) => token === written[at]) ? said : withKnown(said)
  const begins = question.split(CLAUSE_END).map(part => tokensOf(part)[0] ?? '')
  // "any firms in Norway, which are they"
  const isAny = /^any/.test(tokens[0] ?? '')
  const asked: Asked = {
    // "Acme has more deals than Initech. Correct?"
    isYesNo:
      (YES_NO.test(tokens[0] ?? '') && !(isAny && begins.slice(1).some(word => WHICH.test(word)))) ||
      /^(?:correct|true|right)$/.test(tokens.at(-1) ?? ''),
    isOne: ONE.test(tokens.join(' ')),
    onlyOf: about => onlyOf(about, account),
    mayBeYesNo: begins.some(word => word !== 'any' && YES_NO.test(word)) || ANY.test(tokens.join(' ')),
    now,
  }
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return { covers: [], asked }
  const leaves = leavesOf(tokens, lexicon, account, now)
  const near = [...nearby(tokens, leaves, account), ...alikeIn(tokens, leaves, account, lexicon)]
  const { edges } = chartOf(tokens.length, [...leaves, ...near], RULES, maxSteps)
  const hints = hintsIn(tokens, leaves, lexicon, now)
  return { covers: coversOf(tokens, blocksOf([...edges, ...hints]), lexicon), asked }
}

/** Also values whose name was misspelt: they were not among what the question was found to name. */
const withKnown = (account: AccountWords): AccountWords => ({
  ...account,
  values: text => {
    const own = account.values(text)
    return own.length > 0 ? own : account.known.filter(({ value }) => fold(value) === text)
  },
})

/** With its misspelt words corrected; none that has a meaning as it is. */
function corrected(tokens: string[], account: AccountWords, lexicon: Lexicon, now: Date): string[] {
  if (lexicon.language !== 'en' || tokens.length > MAX_TOKENS) return tokens
  const leaves = leavesOf(tokens, lexicon, account, now)
  const near = nearby(tokens, leaves, account)
  const isCovered = (at: number) =>
    [...leaves, ...near].some(({ from, to, cost }) => cost < GUESS_COST && from <= at && at < to)
  return respelt(tokens, account, lexicon, (token, at) => isLight(token) || isCovered(at))
}

/** The cheapest first. `tried`: how many readings were composed for them. */
export function candidatesFrom(
  covers: readonly Cover[],
  asked: Asked,
  isMeant: (meaning: Meaning) => boolean,
): { candidates: Candidate[]; tried: number } {
  const candidates: Candidate[] = []
  let tried = 0
  for (const { blocks, left, cost: covered } of covers) {
    if (candidates.length > MAX_FOUND || tried > MAX_TRIED) break
    const parts = partsOf(
      blocks.map(({ block }) => block),
      asked.onlyOf,
    )
    // "if every lost deal had come in" is not asked of the open ones
    if (!parts || (parts.isOpenImplied && left.length > 0)) continue
    const readings = readingsFrom(parts, asked)
    tried += readings.length
    for (const { value, cost } of cheapestOf(readings, parts)) {
      const meaning = ofOne(normalised(value))
      if (isVoid(meaning) || !isMeant(meaning)) continue
      // "does every deal in negotiation have a signed offer" is not whether every deal is in negotiation
      if (meaning.kind === 'every' && left.length > 0) continue
      candidates.push({ meaning, left, cost: covered + cost })
      const refused = withRefusal(meaning)
      if (refused) candidates.push({ meaning: refused, left, cost: covered + cost + 0.05 })
    }
  }
  return { candidates: candidates.sort((a, b) => a.cost - b.cost), tried }
}

/**
 * "bought for more than 100k" is said of one deal, not of a large one and of another one that was won, and "whom have we
 * met in May" of one activity. What no record can be at once, as won and open, is said of two.
 */
function ofOne(meaning: Meaning): Meaning {
  if (meaning.kind !== 'query' || !meaning.query.where) return meaning
  const where = ['deals', 'activities'].reduce(withOne, meaning.query.where)
  return normalised({ ...meaning, query: { ...meaning.query, where } })
}

function withOne(where: Condition, some: string): Condition {
  if ('some' in where && where.where) return { ...where, where: withOne(where.where, some) }
  if (!('and' in where)) return where
  const parts = where.and.map(part => withOne(part, some))
  const said = parts.flatMap(part => ('some' in part && part.some === some && part.where ? [part.where] : []))
  if (said.length < 2 || contradictsItself({ and: said })) return { and: parts }
  const others = parts.filter(part => !('some' in part && part.some === some && part.where))
  return { and: [...others, { some, where: { and: said } }] }
}

const NOT_SET = /\{"not":\{"field":"(cf\.[^"]+)","op":"eq","value":true\}\}/g

/** "not approved" is also said only of those where it was refused, not of those where nothing is known. */
function withRefusal(meaning: Meaning): Meaning | undefined {
  const text = JSON.stringify(meaning)
  const refused = text.replace(NOT_SET, '{"field":"$1","op":"eq","value":false}')
  return refused === text ? undefined : JSON.parse(refused)
}

/** The cheapest readings that use every word with a role of its own. */
function cheapestOf(readings: readonly Composed[], parts: Parts): Composed[] {
  const chosen: Composed[] = []
  for (const reading of readings.toSorted((a, b) => a.cost - b.cost)) {
    if (chosen.length === MAX_READINGS) break
    if (usesAll(parts, reading.value)) chosen.push(reading)
  }
  return chosen
}

/** Readings that are answered in the same words are one. */
function keyOf(meaning: Meaning): string {
  if (meaning.kind !== 'query') return JSON.stringify(meaning)
  const { query, show, isYesNo, isNumber, last } = meaning
  return JSON.stringify([query, show?.field, isYesNo, isNumber, last])
}
