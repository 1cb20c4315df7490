/** Leaves for words that the chart's own leaves do not cover: the account's fields and values by one of their words or by what phrases are like. */
import { fold } from '../../search/words.ts'
import type { AccountWords, Called, DeclaredField, KnownValue } from '../account/account-words.ts'
import { mayName } from '../account/common-words.ts'
import { type Entry, isEntity, type Lexicon } from '../lexicon/types.ts'
import type { Edge } from '../understand/chart.ts'
import { isLight } from '../understand/light.ts'
import type { About } from '../understand/meaning.ts'
import { timeOf } from '../understand/times/index.ts'
import { tokensOf } from '../understand/tokens.ts'
import { conditionOf } from '../understand/values.ts'

const NEAR_COST = 0.5
const MAX_PHRASE = 8
/** Values that are proposed for one word. */
const MAX_VALUES = 4

/** Years and their months without a preposition. */
export const yearsIn = (tokens: readonly string[], now: Date): Edge[] =>
  phrasesIn(tokens).flatMap(({ phrase, from, to }) => yearIn(phrase, from, to, now))

/** "won 2026", "won, October 2026": a year or its month without a preposition. */
function yearIn(phrase: string, from: number, to: number, now: Date): Edge[] {
  const span = /^(?:[a-z]+ )?20\d\d$/.test(phrase) ? timeOf(`in ${phrase}`, now, true) : undefined
  if (!span) return []
  const time = { from: span.from, to: span.to }
  return [{ category: 'Time', from, to, meaning: { past: time, future: time }, cost: 0 }]
}

const phrasesIn = (tokens: readonly string[]): { phrase: string; from: number; to: number }[] =>
  tokens.flatMap((_, from) =>
    Array.from({ length: Math.min(MAX_PHRASE, tokens.length - from) }, (__, i) => ({
      phrase: tokens.slice(from, from + i + 1).join(' '),
      from,
      to: from + i + 1,
    })),
  )

/** What phrases are like in meaning: the more alike, the cheaper. */
export function alikeIn(
  tokens: readonly string[],
  leaves: readonly Edge[],
  { alike }: AccountWords,
  { operators, phrases }: Lexicon,
): Edge[] {
  if (!alike) return []
  const isSuperlative = (at: number) =>
    leaves.some(({ category, from, to }) => RANKED.has(category) && from <= at && at < to && to - from === 1)
  const isOutcome = ({ category, meaning }: Entry) =>
    category === 'State' && (meaning as About).entity === 'deal'
  const isState = (token: string) => phrases.get(token)?.some(isOutcome) ?? false
  // "bouldering only" is like "Bouldering" and "season before" like "Season", and neither means it
  const isDropped = (from: number, to: number, text: string) =>
    tokens
      .slice(from, to)
      .some(
        (token, i) =>
          (operators.includes(token) || SIDE.test(token) || isSuperlative(from + i)) &&
          !tokensOf(text).includes(token),
      )
  const isKnown = (from: number, to: number) =>
    leaves.some(
      leaf => leaf.from <= from && leaf.to >= to && ['Number', 'Time', 'Field'].includes(leaf.category),
    )
  return phrasesIn(tokens).flatMap(({ phrase, from, to }) => {
    if (to - from > 2 || isKnown(from, to)) return []
    return alike(phrase).flatMap(({ field, value, score }) => {
      if (isDropped(from, to, field?.label ?? value?.value ?? '')) return []
      // "undecided bouldering" neither
      if (value && to - from > 1 && tokens.slice(from, to).some(isState)) return []
      const cost = ALIKE_COST - score - 0.2 * (to - from)
      const near = field ? leavesOfField(field) : value ? leavesOfValue([value]) : []
      return near.map(leaf => ({ ...leaf, from, to, cost }))
    })
  })
}

const ALIKE_COST = 1
const SIDE = /^(?:before|after|since|until)$/
/** "the highest tower" is like "Tower height" and means one of them. */
const RANKED = new Set(['Superlative', 'Most', 'Least'])

/** The account's fields, values and names of which a word is a form of one word. */
export function nearby(tokens: readonly string[], leaves: readonly Edge[], account: AccountWords): Edge[] {
  const isKnown = (at: number, ...categories: string[]) =>
    leaves.some(({ category, from, to }) => from <= at && at < to && categories.includes(category))
  // "the capital" does not name a record, not even one that is called "Capital"
  const named = (token: string) => (mayName(token, new Set()) ? account.near(token).map(namedBy) : [])
  // a word that is repeated is looked up once
  const fieldsOf = once((token: string) => fieldsNear(token, account))
  const valuesOf = once((token: string) => valuesNear(token, account))
  return tokens.flatMap((token, at) => {
    if (isLight(token) || isKnown(at, 'Number', 'Time')) return []
    const fields = isKnown(at, 'Field') ? [] : fieldsOf(token)
    // "contacts whose title is Owner": a value may be called as a field
    const values = isKnown(at, 'Value')
      ? []
      : isKnown(at, 'Field')
        ? valueCalled(token, account)
        : valuesOf(token)
    const edge = (cost: number) => (leaf: Leaf) => ({ ...leaf, from: at, to: at + 1, cost })
    return [
      ...fields.map(edge(NEAR_COST - 0.2)),
      ...[...values, ...named(token)].map(edge(NEAR_COST)),
      ...phraseOf(token, at, fields),
    ]
  })

  /** "metres a year" for "Yearly volume (metres)": two words of a label beside each other. */
  function phraseOf(token: string, at: number, leaves: readonly Leaf[]): Edge[] {
    const next = tokens.findIndex((other, i) => i > at && !isLight(other))
    const other = tokens[next]
    if (other === undefined || other === token) return []
    const meanings = new Set(fieldsOf(other).map(({ meaning }) => JSON.stringify(meaning)))
    return leaves
      .filter(({ category, meaning }) => category === 'Field' && meanings.has(JSON.stringify(meaning)))
      .map(leaf => ({ ...leaf, from: at, to: next + 1, cost: 0 }))
  }
}

function once(lookup: (token: string) => Leaf[]): (token: string) => Leaf[] {
  const known = new Map<string, Leaf[]>()
  return token => {
    const leaves = known.get(token) ?? lookup(token)
    known.set(token, leaves)
    return leaves
  }
}

interface Leaf {
  category: string
  meaning: unknown
}

/** Fields of which the word is a form of one word. */
const fieldsNear = (token: string, { fields }: AccountWords): Leaf[] =>
  fields
    .filter(({ label }) => initialsOf(label) === token || wordsIn(label).some(word => areAlike(word, token)))
    .flatMap(leavesOfField)

function leavesOfField({ kind, key, type }: DeclaredField): Leaf[] {
  if (!isEntity(kind)) return []
  const field: Leaf = { category: 'Field', meaning: { entity: kind, field: key, type } }
  const where = { field: key, op: 'eq', value: true }
  return type === 'flag'
    ? [field, { category: 'State', meaning: { entity: kind, where, isState: true } }]
    : [field]
}

function valuesNear(token: string, { known }: AccountWords): Leaf[] {
  const values = known.filter(
    ({ field, value }) =>
      !field.endsWith('_id') &&
      !/^\d/.test(value) &&
      (initialsOf(value) === token.replace(/(?<=..)s$/, '') ||
        wordsIn(spokenAs(field, value)).some(word => areAlike(word, token))),
  )
  const groups = [...Map.groupBy(values, ({ kind, field }) => `${kind}.${field}`).values()]
  return groups.slice(0, MAX_VALUES).flatMap(leavesOfValue)
}

const valueCalled = (token: string, { known }: AccountWords): Leaf[] =>
  leavesOfValue(
    known.filter(({ field, value }) => field === 'job_title' && fold(value) === token).slice(0, 1),
  )

/** "HR" for Human Resources, "PM" for Project manager. */
function initialsOf(value: string): string | undefined {
  const words = value.split(/[^\p{L}\p{N}]+/u).filter(word => /^\p{L}/u.test(word))
  return words.length > 1 ? fold(words.map(word => word[0]).join('')) : undefined
}

function leavesOfValue(values: readonly KnownValue[]): Leaf[] {
  const about = aboutOf(values)
  return about ? [{ category: 'Value', meaning: about }] : []
}

const namedBy = ({ kind, ids }: Called): Leaf => ({
  category: 'Value',
  meaning: { entity: kind, where: { field: 'id', op: 'in', value: ids } },
})

const languages = new Intl.DisplayNames(['en'], { type: 'language' })

/** A language is stored as a code: "catalan speakers". */
const spokenAs = (field: string, value: string): string =>
  field === 'language' && /^[a-z]{2}$/i.test(value) ? (languages.of(value) ?? value) : value

function aboutOf([first, ...others]: readonly KnownValue[]): About | undefined {
  if (!first || !isEntity(first.kind) || others.length >= MAX_VALUES) return undefined
  return { entity: first.kind, where: conditionOf([first, ...others]) }
}

const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 2 || /\d/.test(word))

/** tuning, tuned: "tun"; mines, mining: "min" */
const stemOf = (word: string): string => word.replace(/(?<=\p{L}{3})(?:ings?|ed|ers?|es|e|s)$/u, '')

/** Forms of one word: brewing, brewery, breweries. */
function areAlike(a: string, b: string): boolean {
  if (a === b) return true
  if (a.length > 3 && b.length > 3 && stemOf(a) === stemOf(b)) return true
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return (
    shared >= 4 && (shared === Math.min(a.length, b.length) || shared >= 0.55 * Math.max(a.length, b.length))
  )
}
