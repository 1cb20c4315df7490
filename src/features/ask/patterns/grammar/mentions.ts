/** What of the account a question names: values of fields, and records by their names. */
import type { Ctx } from '../../../../kernel/context.ts'
import { fold } from '../../../search/words.ts'
import type { Field, Kind } from '../fields/index.ts'
import { addAbsent } from './absent-countries.ts'
import { addPartial, recordsCalled } from './called.ts'
import { isChoice } from './choices.ts'
import { addColleagues } from './colleagues.ts'
import { capitalsIn } from './common-words.ts'
import { placesFor, withCountries } from './places.ts'
import { around, GRAMMAR, isTooLong, tidy } from './question.ts'
import { stagesFor } from './stage-words.ts'
import { valueKey } from './value-key.ts'
import type { Known, Vocabulary } from './vocabulary.ts'

export interface Mention {
  said: string
  /** fields that have this value */
  values: Known[]
  /** records that are called so, of the likeliest kind */
  records: { kind: Kind; ids: string[]; names: string[] } | undefined
  negated: boolean
  /** the word before it, which may say what it is: "stage Proposal", "at Acme" */
  before: string
  after: string
  /** it stands after "owned by" or the like: a colleague, never a customer */
  owning: boolean
  /** a country that no record is in */
  isAbsent?: boolean
  /** where it stands, in words */
  at: number
}

export interface Read {
  /** the question with `¤` for what was understood */
  text: string
  mentions: Mention[]
}

const MAX_WORDS = 7

export async function mentionsIn(
  ctx: Ctx,
  question: string,
  vocabulary: Vocabulary,
  types: readonly string[],
): Promise<Read> {
  const words = tidy(withCountries(question)).trim().split(' ')
  if (isTooLong(question)) return { text: ` ${words.join(' ')} `, mentions: [] }
  const grams = new Map<string, { from: number; to: number }[]>()
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_WORDS); to++) {
      const gram = words.slice(from, to).join(' ')
      grams.set(gram, [...(grams.get(gram) ?? []), { from, to }])
    }
  }
  const named = await recordsCalled(
    ctx,
    [...grams.keys()].filter(gram => !GRAMMAR.has(gram)),
    types,
  )
  const capitals = capitalsIn(question, fold)
  const taken: (Mention | undefined)[] = words.map(() => undefined)
  const mentions: Mention[] = []
  const longestFirst = [...grams].flatMap(([gram, places]) => places.map(place => ({ gram, ...place })))
  longestFirst.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  for (const { gram, from, to } of longestFirst) {
    if (
      taken.slice(from, to).some(Boolean) ||
      (to - from === 1 &&
        GRAMMAR.has(gram) &&
        !isStageName(words, from, gram, vocabulary) &&
        !isChoice(words, from, vocabulary, capitals))
    )
      continue
    const values = isNamingAField(words, from, to, vocabulary)
      ? []
      : valuesFor(gram, vocabulary).filter(saidOf(words))
    const records = named.get(gram)
    if (values.length === 0 && !records) continue
    const mention = { said: gram, values, records, ...around(words, from, to) }
    mentions.push(mention)
    taken.fill(mention, from, to)
  }
  addColleagues(words, taken, mentions, vocabulary, capitals, true)
  await addPartial(ctx, words, taken, mentions, types, capitals)
  addColleagues(words, taken, mentions, vocabulary, capitals, false)
  addAbsent(words, taken, mentions, vocabulary)
  negateLists(words, mentions)
  const text = words
    .map((word, i) => (taken[i] ? (taken[i] === taken[i - 1] ? '' : '¤') : word))
    .filter(Boolean)
  return { text: ` ${text.join(' ')} `, mentions }
}

/** "not in Germany or France", "except Acme and Globex": what is said of the first holds for the whole list. */
function negateLists(words: readonly string[], mentions: readonly Mention[]): void {
  const inOrder = [...mentions].sort((a, b) => a.at - b.at)
  for (const [i, mention] of inOrder.entries()) {
    const before = inOrder[i - 1]
    if (!before?.negated || !isAlike(before, mention)) continue
    const between = words.slice(before.at + before.said.split(' ').length, mention.at).join(' ')
    if (/^(?:(?:or|nor)(?: (?:in|at|from|by|with|for|the|of|on|stage))*|and(?: the)?)$/.test(between))
      mention.negated = true
  }
}

/** Values of one field, or names of one kind of record: they make a list. */
export const isAlike = (a: Mention, b: Mention): boolean =>
  (a.records !== undefined && a.records.kind === b.records?.kind) ||
  a.values.some(one => b.values.some(other => one.kind === other.kind && one.field === other.field))

/** "Price" is why a deal was lost only where one was lost. */
const saidOf = (words: readonly string[]) => {
  const isLost = words.some(word => /^(?:los[tse]|losing|loss(?:es)?|lose)$/.test(word))
  return ({ field }: Known) => field !== 'lost_reason' || isLost
}

/** In "by lead source" the word lead is no status; nor is it the website that deals come from in "website of Acme". */
function isNamingAField(words: readonly string[], from: number, to: number, vocabulary: Vocabulary): boolean {
  const gram = words.slice(from, to).join(' ')
  if (/^(?:customer|client)s?$/.test(gram) && isEach(words, from, to)) return true
  if (isFieldName(`${gram} ${words[to] ?? ''}`, vocabulary)) return true
  const isOwned =
    /^(?:of|for)$/.test(words[to] ?? '') ||
    (to === words.length &&
      from > 0 &&
      !/^(?:from|by|via|the|through|source|is|a|an|in|all|our|or|and|not)$/.test(words[from - 1]!))
  return isOwned && OWNED.has(gram)
}
const OWNED = new Set(
  'website phone email address city country industry status language department'.split(' '),
)

/** "won per customer", "customers by won amount": a figure for each of them; a status in "the average per customer". */
function isEach(words: readonly string[], from: number, to: number): boolean {
  const after = words.slice(to, to + 8).join(' ')
  const before = words.slice(0, from).join(' ')
  const isOfDeals = OF_DEALS.test(`${before} ${after}`)
  return (
    OF_THEIR_DEALS.test(after) ||
    (/(?:^| )(?:by|per|each|every)$/.test(before) &&
      words[from]!.at(-1) !== 's' &&
      (isOfDeals || !/\b(?:average|avg|mean|median)\b/.test(before))) ||
    (words[from]!.at(-1) === 's' &&
      /^(?:ranked |sorted )?by /.test(after) &&
      OF_DEALS.test(after.slice(after.indexOf('by'))))
  )
}
/** "the customer with the highest won amount"; with the most deals it is still a customer. */
const OF_THEIR_DEALS =
  /^(?:(?:with|that|which|who|has|have|had) )+(?:the )?(?:most|highest|largest|biggest|lowest|smallest|fewest|least) (?:(?:total|overall|weighted|average|open) )*(?:won|lost|pipeline|open (?:amount|value|volume))(?! deals?)(?: |$)/
const OF_DEALS = /\b(?:won|lost|open|pipeline|deals?|opportunit(?:y|ies)|win rate)\b/

const isFieldName = (text: string, { fields }: Vocabulary): boolean =>
  / \S/.test(text) && Object.values(fields).some(list => list.some(field => wholeName(field).test(text)))

const wholeNames = new WeakMap<Field, RegExp>()

/** Compiled once: each of a question's word groups is compared with about 75 fields. */
function wholeName(field: Field): RegExp {
  const compiled = wholeNames.get(field) ?? new RegExp(`^(?:${field.said.source})$`)
  wholeNames.set(field, compiled)
  return compiled
}

/** "in stage New" names the stage, "new deals" does not. */
const isStageName = (words: string[], at: number, gram: string, vocabulary: Vocabulary): boolean =>
  (/^(?:stage|status|phase)$/.test(words[at - 1] ?? '') && vocabulary.values.has(gram)) ||
  (/^(?:stage|phase)$/.test(words[at + 1] ?? '') && vocabulary.values.has(gram))

function valuesFor(gram: string, vocabulary: Vocabulary): Known[] {
  const single = gram.replace(/ies$/, 'y').replace(/s$/, '')
  const key = valueKey(gram)
  if (/^(?:clients?|logos?)$/.test(gram) && !vocabulary.values.has(gram))
    return (vocabulary.values.get('client') ?? vocabulary.values.get('customer') ?? []).filter(
      known => known.kind === 'company',
    )
  const priority = /^(low|medium|high)[- ]priority$|^priority (low|medium|high)$/
    .exec(gram)
    ?.slice(1)
    .find(Boolean)
  const strength =
    /^((?:very )?(?:weak|strong)|good|medium)(?:ly connected| (?:connections?|relationships?))$/.exec(
      gram,
    )?.[1]
  if (strength !== undefined)
    return (['company', 'contact'] as Kind[]).map(kind => ({
      kind,
      field: 'connection_strength',
      value: strength,
    }))
  if (priority !== undefined)
    return (['deal', 'activity'] as Kind[]).map(kind => ({ kind, field: 'priority', value: priority }))
  return (
    vocabulary.values.get(gram) ??
    (single.length >= 3 ? vocabulary.values.get(single) : undefined) ??
    // "elevator companies" are in the industry "Elevators"
    (gram.length >= 5
      ? nonEmpty((vocabulary.values.get(`${gram}s`) ?? []).filter(({ field }) => field === 'industry'))
      : undefined) ??
    (key.length < 3 || GRAMMAR.has(key) || gram.startsWith('the ') ? undefined : vocabulary.loose.get(key)) ??
    nonEmpty(placesFor(gram, vocabulary)) ??
    stagesFor(gram, vocabulary)
  )
}

const nonEmpty = (list: Known[]): Known[] | undefined => (list.length === 0 ? undefined : list)
