/** The account's own words as leaves of the chart: its fields, and values whole or by one word of them. */
import type { Condition } from '../../records/query/spec.ts'
import { fold } from '../../search/words.ts'
import { type AccountWords, type KnownValue, valueKey } from '../account/account-words.ts'
import { add } from '../lexicon/read.ts'
import { isEntity, type Lexicon, type Phrases } from '../lexicon/types.ts'
import { type About, canHaveOthers, isField } from './meaning.ts'
import { tokensOf } from './tokens.ts'

/** Adds a leaf for a phrase; `end`: for all tokens up to there. */
export type Put = (category: string, meaning: unknown, extra?: number, end?: number) => void

const LOOSE_COST = 0.6

export function putLoose(word: string, { loose }: AccountWords, lexicon: Lexicon, put: Put): void {
  const titles = lexicon.phrases.has(word) ? [] : titlesWith(word, loose, lexicon.titles)
  const whereOf = (field: string): Condition[] => {
    const value = [...new Set(titles.filter(one => one.field === field).map(one => one.value))]
    return value.length === 0 ? [] : [{ field, op: 'in', value }]
  }
  const either = [...whereOf('job_title'), ...whereOf('department')]
  const [only] = either
  if (only) {
    const where: Condition = either.length === 1 ? only : { or: either }
    put('Value', { entity: 'contact', where }, LOOSE_COST)
    if (lexicon.titles.has(word.replace(/s$/, '')) || titles.some(({ value }) => isHead(word, value)))
      put('Noun', { entity: 'contact', where: [where] }, LOOSE_COST + 0.3)
  }
  const reasons = reasonsWith(word, loose, lexicon.reasons)
  if (reasons.length > 0)
    put('Reason', { entity: 'deal', where: { field: 'lost_reason', op: 'in', value: reasons } })
}

/** "customers", "leads", "CFOs", "renewals": values that name the records which have them. */
const NAMING = ['status', 'job_title', 'deal_type', 'tag', 'category', 'connection_strength']
/** Of these only the plural does: "proposals with nothing planned". */
const NAMING_IN_PLURAL = ['stage_id', 'deal_type', 'tag']

/** "distributors", "a hotel": industries that are named by the companies in them. */
const isTrade = ({ field, value }: KnownValue): boolean =>
  field === 'industry' && /[^aeious]s$|[aeo]rs$|ies$|els$/i.test(value) && !/(?:ics|ss)$/i.test(value)

/** Who owns a contact does not own its deals, and a tag of a company is not one of its deals. */
const OWN = ['owner_id', 'assignee_id', 'author_id', 'tag', 'category', 'connection_strength']

type Alike = readonly [KnownValue, ...KnownValue[]]

/** "Europe" stands for several countries, "Ann" for one of those who are called so. */
export function alike(values: readonly KnownValue[]): Alike[] {
  const keyOf = ({ kind, field, value }: KnownValue) =>
    JSON.stringify(field.endsWith('_id') ? [kind, field, value] : [kind, field])
  // Singapore is a country and a city, and whoever is in one is in the other
  const isCity = (one: KnownValue) =>
    one.field === 'city' && values.some(({ kind, field }) => kind === one.kind && field === 'country')
  return [...Map.groupBy(values, keyOf).values()].flatMap(([first, ...others]): Alike[] =>
    first && !isCity(first) ? [[first, ...others]] : [],
  )
}

export function putValue(phrase: string, values: Alike, put: Put): void {
  const [value] = values
  if (!isEntity(value.kind)) return
  const isOwn = OWN.includes(value.field)
  const where = conditionOf(values)
  const about: About = { entity: value.kind, where, ...(isOwn ? { isState: true } : {}) }
  const isPlural = phrase.endsWith('s') && !value.value.toLowerCase().endsWith('s')
  const names = NAMING_IN_PLURAL.includes(value.field)
    ? isPlural
    : NAMING.includes(value.field) || isTrade(value)
  // leads are people or companies before they are deals in the stage Lead
  const many = isPlural || (isTrade(value) && phrase.endsWith('s')) ? { isMany: true } : {}
  if (names)
    put('Noun', { entity: value.kind, where: [where], ...many }, value.field === 'stage_id' ? 0.7 : 0.3)
  // in the plural it is a noun only: "customers in France or leads in Spain" are two sets
  if (!(names && isPlural)) put('Value', about)
}

export function conditionOf([first, ...others]: Alike): Condition {
  const { field, value, isOneOfMany } = first
  if (field === 'tag') return { some: 'tags', where: { field: 'name', op: 'eq', value } }
  if (field === 'category') return { field: 'categories', op: 'contains', value }
  if (isOneOfMany && others.length === 0) return { field, op: 'in', value: [value] }
  const path = field.endsWith('_id') ? `${field.slice(0, -3)}.name` : field
  if (others.length === 0) return { field: path, op: 'eq', value }
  return { field: path, op: 'in', value: [value, ...others.map(other => other.value)] }
}

/**
 * Records that have no other choice than these of a field with several; of one with a single choice what is said
 * already. Undefined where the other choices are not known: an account may have any number of categories.
 */
export function onlyOf(about: About, { fields, known }: AccountWords): About | undefined {
  const { entity, where } = about
  const text = JSON.stringify(where)
  const many = fields.find(
    ({ kind, key, choices }) => choices && kind === entity && text.includes(`"${key}"`),
  )
  if (!many) return canHaveOthers(where) ? onlyTag(about) : about
  const parts = 'and' in where ? where.and : 'or' in where ? where.or : [where]
  if (!parts.every(isField) || parts.some(({ field, op }) => field !== many.key || !/in$/.test(op ?? '')))
    return undefined
  if (parts.some(({ op }) => op === 'not_in')) return about
  const own = new Set(parts.flatMap(({ value }) => [value].flat().map(one => fold(String(one)))))
  const used = known.filter(({ kind, field }) => kind === entity && field === many.key)
  const all = new Set([...(many.choices ?? []), ...used.map(({ value }) => value)])
  const others = [...all].filter(value => !own.has(fold(value)))
  if (others.length === 0) return about
  return { ...about, where: { and: [where, { field: many.key, op: 'not_in', value: others }] } }
}

const onlyTag = (about: About): About | undefined =>
  'some' in about.where && about.where.some === 'tags' && about.where.where
    ? { ...about, where: { and: [about.where, { every: 'tags', where: about.where.where }] } }
    : undefined

const MIN_WORD = 4

/** Job titles and departments that contain the word, or that an abbreviation stands for. */
function titlesWith(
  word: string,
  values: readonly KnownValue[],
  abbreviations: Lexicon['titles'],
): KnownValue[] {
  const key = valueKey(word)
  const long = abbreviations.get(key) ?? []
  if (key.length < MIN_WORD && long.length === 0) return []
  return values.filter(({ kind, field, value }) => {
    if (kind !== 'contact' || (field !== 'job_title' && field !== 'department')) return false
    const title = valueKey(value)
    return title.split(' ').includes(key) || long.includes(title)
  })
}

/** "chefs" are people, as in "Head Chef" and "Chef de Cuisine"; "crews" are none, although there is a crew manager. */
function isHead(word: string, title: string): boolean {
  const words = valueKey(title).split(' ')
  const end = words.findIndex((one, i) => i > 0 && /^(?:of|de|for|and)$/.test(one))
  return words.at(end < 0 ? -1 : end - 1) === valueKey(word)
}

/** "renewals" are deals such as "Acme renewal 2027"; a deal "Game server test" is no server. */
export const isLast = (word: string, name: string): boolean =>
  valueKey(name)
    .replace(/[ \d]+$/, '')
    .split(' ')
    .at(-1) === valueKey(word)

const ENDINGS = /(?:itors?|itions?|itive|iness|ing|ed|es|s|e)$/

/** Reasons for which deals were lost that contain the word, or one that means the same. */
function reasonsWith(
  word: string,
  values: readonly KnownValue[],
  alike: readonly (readonly string[])[],
): string[] {
  const stem = word.replace(ENDINGS, '')
  const start = stem.length >= MIN_WORD ? stem : word
  const starts = alike.find(list => list.some(one => start.startsWith(one))) ?? [start]
  const reasons = values.filter(({ field }) => field === 'lost_reason').map(({ value }) => value)
  return [...new Set(reasons)].filter(reason =>
    fold(reason)
      .split(/[^\p{L}\p{N}]+/u)
      .some(part => starts.some(one => (one.length < MIN_WORD ? part === one : part.startsWith(one)))),
  )
}

/** "because the customer kept it in-house": the reasons that most of its words name, if it says nothing else. */
export function reasonsIn(
  words: readonly string[],
  values: readonly KnownValue[],
  { reasons, words: { CauseWord = [] } }: Lexicon,
): string[] {
  const named = words
    .filter(word => !CauseWord.includes(word))
    .flatMap(word => word.split('-'))
    .map(word => reasonsWith(word, values, reasons))
  if (named.some(list => list.length === 0)) return []
  const all = [...new Set(named.flat())]
  const countOf = (reason: string) => named.filter(list => list.includes(reason)).length
  const most = Math.max(...all.map(countOf))
  return all.filter(reason => countOf(reason) === most)
}

export function accountPhrases(lexicon: Lexicon, { fields, me }: AccountWords): Phrases {
  const phrases: Phrases = new Map()
  for (const about of owned(me)) {
    add(phrases, lexicon.mine, { category: 'Adjective', meaning: about })
    add(phrases, lexicon.me, { category: 'Value', meaning: orNobodys(about) })
  }
  for (const { kind, key, label, type } of fields) {
    if (!isEntity(kind)) continue
    const name = tokensOf(label).join(' ')
    add(phrases, formsOf(name, type), { category: 'Field', meaning: { entity: kind, field: key, type } })
    const where: Condition = { field: key, op: 'eq', value: true }
    if (type === 'flag')
      add(phrases, statesOf(name), { category: 'State', meaning: { entity: kind, where, isState: true } })
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
