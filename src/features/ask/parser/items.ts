/**
 * What a question may name: values, names and fields of the account, times and numbers. The parser points to these;
 * everything else that a reading consists of are words of the query language.
 */
import type { Condition } from '../../records/query/spec.ts'
import { fold } from '../../search/words.ts'
import { countryOf } from '../account/countries.ts'
import type { Words } from '../account/words.ts'
import { lexiconOf } from '../lexicon/index.ts'
import { ANY_ENTITY, type EntityName, isEntity } from '../lexicon/types.ts'
import type { Edge } from '../understand/chart.ts'
import { leavesOf } from '../understand/leaves.ts'
import { type About, type FieldMeaning, isField, type Records } from '../understand/meaning.ts'
import type { Quantity } from '../understand/numbers.ts'
import type { Time } from '../understand/rules/shared.ts'
import { MAX_TOKENS, tokensOf } from '../understand/tokens.ts'
import { spelt } from '../understand/typos.ts'
import { conditionOf, onlyOf } from '../understand/values.ts'
import { alikeIn, nearby, yearsIn } from './nearby.ts'
import { corrected, withKnown } from './spelling.ts'

/** `only`: that a record has no other of the choices. */
export type Item = { said: string; text: string } & (
  | { kind: 'value'; entity: EntityName; where: Condition; only?: Condition }
  | { kind: 'field'; field: FieldMeaning }
  | { kind: 'time'; time: Time }
  | { kind: 'number'; value: number }
)

const MAX_OF: Record<Item['kind'], number> = { value: 24, field: 14, time: 4, number: 4 }

/** Fields whose few values are words of the query language. */
const CHOSEN = new Set(['status', 'priority', 'type', 'stage.type', 'billing_period', 'direction'])

export function itemsOf(question: string, all: Words, now: Date): Item[] {
  const words = tokensOf(question)
  if (words.length === 0 || words.length > MAX_TOKENS) return []
  const lexicon = lexiconOf(words)
  const written = words.map(token => spelt(token, lexicon))
  const tokens = corrected(written, all, lexicon, now)
  const account = tokens.every((token, at) => token === written[at]) ? all : withKnown(all)
  const leaves = leavesOf(tokens, lexicon, account, now)
  const edges = [
    ...leaves,
    ...yearsIn(tokens, now),
    ...nearby(tokens, leaves, account),
    ...alikeIn(tokens, leaves, account, lexicon),
    ...others(tokens, account),
  ]
  const found = new Map<string, Found>()
  for (const edge of edges) {
    const said = written.slice(edge.from, edge.to).join(' ')
    const item = itemOf(edge, said, account)
    if (!item) continue
    const key = keyOf(item)
    const gain = edge.to - edge.from - edge.cost
    const known = found.get(key)
    if (!known || known.gain < gain) found.set(key, { item, from: edge.from, gain })
  }
  for (const field of account.fields) {
    const meaning = { entity: field.kind, field: field.key, type: field.type }
    const item = itemOf({ category: 'Field', meaning }, '', account)
    if (!item) continue
    const key = keyOf(item)
    if (!found.has(key)) found.set(key, { item, from: 99, gain: -1 })
  }
  for (const { kind, ...value } of account.nearest ?? []) {
    if (!isEntity(kind)) continue
    const meaning = { entity: kind, where: conditionOf([{ kind, ...value }]) }
    const item = itemOf({ category: 'Value', meaning }, '', account)
    if (item && !found.has(keyOf(item))) found.set(keyOf(item), { item, from: 99, gain: -2 })
  }
  const counts = { value: 0, field: 0, time: 0, number: 0 }
  return withoutPartlySaid([...found.values()])
    .sort((a, b) => b.gain - a.gain)
    .filter(({ item }) => ++counts[item.kind] <= MAX_OF[item.kind])
    .sort((a, b) => a.from - b.from || b.gain - a.gain)
    .map(({ item }) => item)
}

interface Found {
  item: Item
  from: number
  gain: number
}

/** "Lead" is not the choice "Lead wall", and in "lead wall" it is not the choice "Lead". */
function withoutPartlySaid(found: readonly Found[]): Found[] {
  const isWhole = ({ item }: Found) => tokensOf(valueText(item) ?? '').join(' ') === item.said
  const whole = found.filter(one => valueText(one.item) !== undefined && isWhole(one))
  const isPartOf = (one: Found, other: Found) =>
    one.from >= other.from && other.item.said.length > one.item.said.length
      ? ` ${other.item.said} `.includes(` ${one.item.said} `)
      : one.item.said === other.item.said && !isWhole(one)
  return found.filter(
    one =>
      one.item.said === '' ||
      !whole.some(
        other => other !== one && fieldOf(other.item) === fieldOf(one.item) && isPartOf(one, other),
      ),
  )
}

/** The one value of a field that an item stands for. */
function valueText(item: Item): string | undefined {
  if (item.kind !== 'value' || !isField(item.where)) return undefined
  const [value, ...others] = [item.where.value].flat()
  return typeof value === 'string' && others.length === 0 ? value : undefined
}

const fieldOf = (item: Item): string | undefined =>
  item.kind === 'value' && isField(item.where) ? `${item.entity} ${item.where.field}` : undefined

/** What the chart knows better: "the French" may be those who speak it, or those in France. */
function others(tokens: readonly string[], account: Words): Edge[] {
  const countries = tokens.flatMap((token, at) => {
    const names = countryOf(token.replace(/^non-?/, ''))
    const values = account.known.filter(
      ({ field, value }) => field === 'country' && names.includes(fold(value)),
    )
    return values.map(({ kind, value }) => ({
      category: 'Value',
      meaning: { entity: kind, where: { field: 'country', op: 'eq', value } },
      from: at,
      to: at + 1,
      cost: OTHER_COST,
    }))
  })
  const words = new Set(tokens)
  // of records with a word in common, those with more words of the question
  const called = [
    ...tokens.flatMap(account.near),
    ...account.mentions.flatMap(({ records }) => records ?? []),
  ]
  const named = called.flatMap(({ kind, ids, names }) =>
    ids.flatMap((id, i) => {
      const own = tokensOf(names[i] ?? '')
      const shared = own.filter(word => words.has(word))
      if (ids.length < 2 || shared.length < 2) return []
      const where = { field: 'id', op: 'in', value: [id] }
      const from = tokens.indexOf(shared[0] ?? '')
      const cost = OTHER_COST - 0.1 * shared.length
      return [{ category: 'Value', meaning: { entity: kind, where }, from, to: from + 1, cost }]
    }),
  )
  return [...countries, ...named]
}

const OTHER_COST = 1

/** What it stands for, however it is said. */
const keyOf = ({ said: _, text: __, ...meaning }: Item): string => JSON.stringify(meaning)

function itemOf(
  { category, meaning }: Pick<Edge, 'category' | 'meaning'>,
  said: string,
  account: Words,
): Item | undefined {
  switch (category) {
    case 'Value':
    case 'Reason':
    case 'Adjective':
    case 'State':
      return valueItem(meaning as About, said, account)
    case 'Noun': {
      const { entity, where } = meaning as Records
      const [only, ...others] = where
      return only && others.length === 0 ? valueItem({ entity, where: only }, said, account) : undefined
    }
    case 'Field': {
      const field = meaning as FieldMeaning
      const own = account.fields.find(({ kind, key }) => kind === field.entity && key === field.field)
      return own && { kind: 'field', field, said, text: `${field.entity} ${own.label}, a ${field.type}` }
    }
    case 'Time':
    case 'Month':
      return { kind: 'time', time: meaning as Time, said, text: said }
    case 'Number':
      return { kind: 'number', value: (meaning as Quantity).value, said, text: said }
    default:
      return undefined
  }
}

function valueItem({ entity, where }: About, said: string, account: Words): Item | undefined {
  if (entity === ANY_ENTITY) return undefined
  const value = toldOf(where, account)
  if (value === undefined) return undefined
  const alone = onlyOf({ entity, where }, account)?.where
  const only = alone && 'and' in alone ? alone.and[1] : undefined
  return { kind: 'value', entity, where, ...(only ? { only } : {}), said, text: `${entity} ${value}` }
}

/** The value as a text for the parser. Undefined for statuses and the like, which have tokens of their own. */
function toldOf(where: Condition, account: Words): string | undefined {
  if ('some' in where && where.some === 'tags' && where.where && 'field' in where.where)
    return `tag ${String(where.where.value)}`
  if ('or' in where) {
    const parts = where.or.map(part => toldOf(part, account))
    return parts.every(part => part !== undefined) ? parts.join(' or ') : undefined
  }
  if (!('field' in where) || CHOSEN.has(where.field)) return undefined
  const { field, value } = where
  if (field === 'id') {
    const names = [value].flat().map(id => account.nameOf(String(id)) ?? '')
    return `called ${names.join(' or ')}`
  }
  const isOwn = field.startsWith('cf.')
  if (typeof value === 'boolean') return isOwn ? labelOf(field, account) : undefined
  if (value === null || value === undefined || typeof value === 'number') return undefined
  return `${isOwn ? labelOf(field, account) : field.replaceAll(/[._]/g, ' ')} ${[value].flat().join(' or ')}`
}

const labelOf = (field: string, { fields }: Words): string =>
  fields.find(({ key }) => key === field)?.label ?? field
