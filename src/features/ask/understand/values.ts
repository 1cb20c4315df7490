/** The account's values as leaves of the chart: whole, or by one word of them. */
import type { Condition } from '../../records/query/spec.ts'
import type { AccountWords, KnownValue } from '../account/account-words.ts'
import { isEntity, type Lexicon } from '../lexicon/types.ts'
import { isHead, reasonsWith, titlesWith } from './loose.ts'
import type { About } from './meaning.ts'

type Put = (category: string, meaning: unknown, extra?: number) => void

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
    if (
      Object.hasOwn(lexicon.titles, word.replace(/s$/, '')) ||
      titles.some(({ value }) => isHead(word, value))
    )
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
