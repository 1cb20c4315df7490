/** The phrases of the lexicon, and of the account's own fields, with what they mean. */
import type { Condition } from '../../records/query/spec.ts'
import type { AccountWords } from '../account/account-words.ts'
import { isEntity, type Lexicon } from '../lexicon/types.ts'
import type { About } from './meaning.ts'
import { tokensOf } from './tokens.ts'

export interface Entry {
  category: string
  meaning: unknown
}
export type Phrases = Map<string, Entry[]>

const cached = new WeakMap<Lexicon, Phrases>()

/** Built once for a lexicon: it has about 400 phrases. */
export function phrasesOf(lexicon: Lexicon): Phrases {
  const known = cached.get(lexicon)
  if (known) return known
  const phrases: Phrases = new Map()
  for (const [category, words] of Object.entries(lexicon.words)) {
    for (const word of words) add(phrases, [word], category, word)
  }
  for (const { entity, words, many, where } of lexicon.nouns) {
    const noun = { entity, where: where ? [where] : [] }
    add(phrases, words, 'Noun', noun)
    add(phrases, many, 'Noun', { ...noun, isMany: true })
  }
  for (const { entity, words, verbs = [], where, date } of lexicon.states) {
    const state = { entity, where, isState: true, ...(date ? { date } : {}) }
    add(phrases, words, 'State', state)
    add(phrases, verbs, 'Verb', state)
  }
  for (const { entity, field, words, verbs = [], where = { and: [] } } of lexicon.dates) {
    add(phrases, words, 'Dated', { entity, where, date: field })
    add(phrases, verbs, 'Verb', { entity, where, date: field })
  }
  for (const { entity, field, words, where = { and: [] } } of lexicon.having) {
    add(phrases, words, 'Verb', { entity, where, date: field })
  }
  for (const { types, words } of lexicon.touches) add(phrases, words, 'Touch', types)
  for (const [bucket, words] of Object.entries(lexicon.buckets)) add(phrases, words, 'Bucket', bucket)
  for (const [way, words] of Object.entries(lexicon.directions)) add(phrases, words, 'Direction', way)
  for (const { entity, field, type, words, most = [], least = [] } of lexicon.fields) {
    const meaning = { entity, field, type }
    add(phrases, words, 'Field', meaning)
    add(phrases, withArticle(most), 'Superlative', { field: meaning, direction: 'desc' })
    add(phrases, withArticle(least), 'Superlative', { field: meaning, direction: 'asc' })
  }
  cached.set(lexicon, phrases)
  return phrases
}

export function accountPhrases(lexicon: Lexicon, { fields, me }: AccountWords): Phrases {
  const phrases: Phrases = new Map()
  for (const about of owned(me)) {
    add(phrases, lexicon.mine, 'Adjective', about)
    add(phrases, lexicon.me, 'Value', orNobodys(about))
  }
  for (const { kind, key, label, type } of fields) {
    if (!isEntity(kind)) continue
    const name = tokensOf(label).join(' ')
    add(phrases, formsOf(name, type), 'Field', { entity: kind, field: key, type })
    const where: Condition = { field: key, op: 'eq', value: true }
    if (type === 'flag') add(phrases, statesOf(name), 'State', { entity: kind, where, isState: true })
  }
  return phrases
}

/** "Pallets per week" is also said "pallets a week" and "pallets"; "Machines installed" also "machines are installed". */
function formsOf(name: string, type: string): string[] {
  const all = name.split(' ')
  const last = all.at(-1) ?? ''
  // "by plan" for the field "Care plan", "NPS" for "NPS score"
  if (type === 'text') return all.length > 1 ? [name, `${name}s`, last, `${last}s`] : [name, `${name}s`]
  if (type === 'flag') return [name, `${name}s`]
  const [, things] = /^(?:number|count|amount) of (.+)$/.exec(name) ?? []
  if (things) return [name, things]
  if (all.length > 1 && GENERIC.has(last)) return [name, all.slice(0, -1).join(' ')]
  const [, head, unit] = /^(.+?) (?:per|a|each) (\S+)$/.exec(name) ?? []
  if (head && unit) return [name, head, `${head} a ${unit}`, `${head} each ${unit}`, `${head} every ${unit}`]
  const [, noun, participle] = /^(\S+s) (\S+ed)$/.exec(name) ?? []
  if (noun && participle)
    return [name, noun, ...['are', 'do we have', 'have we'].map(link => `${noun} ${link} ${participle}`)]
  return [name]
}

/** "ISO 27001 certified" is also said "ISO certified" and "certified"; "NDA signed" also "signed an NDA". */
function statesOf(name: string): string[] {
  const words = name.split(' ')
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const plain = before.filter(word => !/\d/.test(word)).join(' ')
  if (!/(?:ed|ted|able|ible|ant|ive|ree)$/.test(last)) return [name]
  const head = before.join(' ')
  const turned = head === '' ? [] : ['', 'a ', 'an ', 'the '].map(article => `${last} ${article}${head}`)
  return [...new Set([name, `${plain} ${last}`.trim(), last, ...turned])]
}

const GENERIC = new Set('size value count score rate rating level amount volume index quantity'.split(' '))

const withArticle = (words: readonly string[]) => words.flatMap(word => [word, `the ${word}`])

function add(phrases: Phrases, words: readonly string[], category: string, meaning: unknown): void {
  for (const word of words) phrases.set(word, [...(phrases.get(word) ?? []), { category, meaning }])
}

/** "did I call": who works alone often leaves empty who did it. */
function orNobodys({ where, ...about }: About): About {
  const field = 'field' in where ? where.field : ''
  return { ...about, where: { or: [where, { field, op: 'is_null', value: true }] } }
}

/** Who owns a record: deals and contacts have an owner, activities an assignee. */
const owned = (me: string): About[] => [
  { entity: 'deal', where: { field: 'owner_id', op: 'eq', value: me }, isState: true },
  { entity: 'contact', where: { field: 'owner_id', op: 'eq', value: me }, isState: true },
  { entity: 'activity', where: { field: 'assignee_id', op: 'eq', value: me }, isState: true },
]
