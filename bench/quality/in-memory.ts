/** A world of the question sets in memory: its words for the parser, and a plain evaluator of queries over it. */

import { COUNTRIES, placesFor } from '../../src/features/ask/patterns/grammar/places.ts'
import { stagesFor } from '../../src/features/ask/patterns/grammar/stage-words.ts'
import { valueKey } from '../../src/features/ask/patterns/grammar/value-key.ts'
import type { Vocabulary } from '../../src/features/ask/patterns/grammar/vocabulary.ts'
import type { AccountWords, KnownValue } from '../../src/features/ask/understand/account-words.ts'
import type { Condition, FieldCondition, Query } from '../../src/features/records/query/spec.ts'
import { fold } from '../../src/features/search/words.ts'
import type { World } from './strangers/types.ts'
import { today } from './world.ts'

export interface Item {
  id: string
  [field: string]: unknown
}

export interface Memory {
  records: Record<string, Item[]>
  words: AccountWords
}

const STAGE_TYPES: Record<string, string> = { Won: 'won', Lost: 'lost' }

const CHANCE: Record<string, number> = {
  Lead: 10,
  Qualified: 25,
  Proposal: 50,
  Negotiation: 75,
  Won: 100,
  Lost: 0,
}

export function inMemory(world: World): Memory {
  const person = new Map(world.users.map(user => [user.key, { id: user.key, name: user.name }]))
  const owner = (key: string | null | undefined) => (key ? person.get(key) : undefined)
  const created = new Date(today).toISOString()
  const base = { created_at: created, updated_at: created }
  const companies: Item[] = world.companies.map(({ key, tags, metadata, ...rest }) => ({
    ...base,
    ...rest,
    ...custom(metadata),
    id: key,
    tags: tagged(tags),
  }))
  const company = new Map(companies.map(one => [one.id, one]))
  const contacts: Item[] = world.contacts.map(({ key, tags, company: at, owner: by, ...rest }) => ({
    ...base,
    ...rest,
    id: key,
    full_name: `${rest.first_name} ${rest.last_name}`,
    owner_id: by,
    owner: owner(by),
    company: at === null ? undefined : company.get(at),
    companies: at === null ? [] : [company.get(at)].filter(Boolean),
    tags: tagged(tags),
  }))
  const contact = new Map(contacts.map(one => [one.id, one]))
  const deals: Item[] = world.deals.map(
    ({ key, company: at, contact: who, owner: by, stage, close, metadata, ...rest }) => ({
      ...base,
      ...rest,
      ...custom(metadata),
      id: key,
      owner_id: by,
      owner: owner(by),
      stage: { name: stage, type: STAGE_TYPES[stage] ?? 'open' },
      pipeline: { name: 'Sales' },
      expected_close_date: close,
      closed_at: STAGE_TYPES[stage] ? created : null,
      company: company.get(at),
      companies: [company.get(at)].filter(Boolean),
      status: STAGE_TYPES[stage] ?? 'open',
      contacts: who === null ? [] : [contact.get(who)].filter(Boolean),
      weighted_amount:
        rest.amount === null ? null : (rest.amount * (rest.probability ?? CHANCE[stage] ?? 0)) / 100,
      tags: [],
    }),
  )
  const deal = new Map(deals.map(one => [one.id, one]))
  const notes: Item[] = world.notes.map(({ key, on, ...rest }) => {
    const linked = (kind: string, all: ReadonlyMap<string, Item>) =>
      on?.[0] === kind ? [all.get(on[1])].filter(Boolean) : []
    return {
      ...base,
      ...rest,
      id: key,
      companies: linked('company', company),
      contacts: linked('contact', contact),
      deals: linked('deal', deal),
    }
  })
  const present = <T>(list: (T | undefined)[]): T[] => list.filter(one => one !== undefined)
  const activities: Item[] = world.activities.map(activity => ({
    ...base,
    ...activity,
    id: activity.key,
    assignee_id: activity.who,
    when: activity.day,
    falls_due_at: activity.due_date ?? activity.due_at ?? (activity.type === 'task' ? activity.day : null),
    happened_at: activity.status === 'completed' ? activity.day : null,
    planned_at: ['planned', 'in_progress'].includes(activity.status) ? activity.day : null,
    assignee: owner(activity.who),
    is_overdue:
      (activity.status === 'planned' || activity.status === 'in_progress') &&
      activity.day !== null &&
      activity.day < new Date(today).toISOString().slice(0, 10),
    contacts: present(activity.contacts.map(key => contact.get(key))),
    companies: present(activity.companies.map(key => company.get(key))),
    deals: present(activity.deals.map(key => deal.get(key))),
  }))
  for (const one of companies) {
    one.contacts = contacts.filter(other => other.company === one)
    one.deals = deals.filter(other => other.company === one)
    one.activities = activities.filter(other => (other.companies as Item[]).includes(one))
  }
  for (const one of contacts) {
    one.deals = deals.filter(other => (other.contacts as Item[]).includes(one))
    one.activities = activities.filter(other => (other.contacts as Item[]).includes(one))
  }
  for (const one of deals) one.activities = activities.filter(other => (other.deals as Item[]).includes(one))
  const records = { company: companies, contact: contacts, deal: deals, activity: activities, note: notes }
  return { records, words: wordsOf(world, records) }
}

const tagged = (tags: readonly string[] | undefined) => (tags ?? []).map(name => ({ name }))
const custom = (metadata: object | undefined) =>
  Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [`cf.${key}`, value]))

const VALUE_FIELDS: Record<string, readonly string[]> = {
  company: ['industry', 'city', 'country', 'status', 'connection_strength'],
  contact: ['city', 'country', 'job_title', 'language', 'lead_source', 'department', 'status'],
  deal: ['deal_type', 'lead_source', 'priority', 'lost_reason'],
}

function wordsOf(world: World, records: Record<string, Item[]>): AccountWords {
  const values = new Map<string, KnownValue[]>()
  const learn = (kind: string, field: string, value: unknown) => {
    if (typeof value !== 'string') return
    for (const key of new Set([fold(value), valueKey(value)])) {
      const known = values.get(key) ?? []
      if (!known.some(one => one.kind === kind && one.field === field)) known.push({ kind, field, value })
      values.set(key, known)
    }
  }
  for (const [kind, list] of Object.entries(records)) {
    for (const item of list) {
      for (const field of VALUE_FIELDS[kind] ?? []) learn(kind, field, item[field])
      for (const [key, value] of Object.entries(item)) if (key.startsWith('cf.')) learn(kind, key, value)
      for (const tag of (item.tags as { name: string }[]) ?? []) learn(kind, 'tag', tag.name)
      for (const category of (item.categories as string[] | undefined) ?? [])
        learn(kind, 'category', category)
    }
  }
  for (const stage of ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost'])
    learn('deal', 'stage_id', stage)
  for (const { name } of world.users) {
    for (const said of [name, name.split(' ')[0]]) {
      for (const [kind, field] of [
        ['deal', 'owner_id'],
        ['contact', 'owner_id'],
        ['activity', 'assignee_id'],
      ] as const) {
        const known = values.get(fold(said ?? '')) ?? []
        values.set(fold(said ?? ''), [...known, { kind, field, value: name }])
      }
    }
  }
  const names = namesOf(records)
  const whole = new Set((records.deal ?? []).map(({ name }) => fold(String(name))))
  const isPart = (phrase: string) => names.get(phrase)?.kind === 'deal' && !whole.has(phrase)
  return {
    values: phrase => {
      const exact = values.get(phrase) ?? values.get(valueKey(phrase)) ?? values.get(`${phrase}s`)
      if (exact) return exact
      const vocabulary = { values, loose: values, fields: {} } as unknown as Vocabulary
      const places = placesFor(phrase, vocabulary)
      if (places.length > 0) return places
      const absent = COUNTRIES.find(one => one.adjective === phrase || one.names.includes(phrase))
      if (absent && phrase !== 'us')
        return ['company', 'contact'].map(kind => ({ kind, field: 'country', value: absent.names[0] ?? '' }))
      return stagesFor(phrase, vocabulary)
    },
    // a part of a name with a value in it is that value, as in the service
    records: phrase =>
      isPart(phrase) && phrase.split(' ').some(word => values.has(word)) ? undefined : names.get(phrase),
    fields: world.fields.map(({ entity_type, key, name, field_type }) => ({
      kind: entity_type,
      key: `cf.${key}`,
      words: fold(name),
      type: field_type === 'number' ? 'number' : 'text',
    })),
    loose: [...values.values()].flat(),
    me: world.users[0]?.key ?? '',
  }
}

/** Whole names, and the first word or two where only one record begins so. */
function namesOf(records: Record<string, Item[]>): Map<string, { kind: string; ids: string[] }> {
  const names = new Map<string, { kind: string; ids: string[] }>()
  const plainly = (text: string) =>
    fold(text)
      .replace(/[^\p{L}\p{N}@.&+-]+/gu, ' ')
      .trim()
  for (const [kind, field] of [
    ['company', 'name'],
    ['contact', 'full_name'],
    ['deal', 'name'],
  ] as const) {
    for (const item of records[kind] ?? []) {
      const name = plainly(String(item[field]))
      const words = name.split(' ')
      const forms =
        kind === 'deal'
          ? [name, ...partsOf(words), `${words.at(-1)}s`]
          : kind === 'company'
            ? [name, ...words.map((_, i) => words.slice(0, i + 1).join(' '))]
            : [name, words[0] ?? '', words.at(-1) ?? '']
      for (const form of new Set(forms)) {
        if (form.length < 3) continue
        const known = names.get(form)
        if (!known) names.set(form, { kind, ids: [item.id] })
        else if (known.kind === kind && !known.ids.includes(item.id)) known.ids.push(item.id)
      }
    }
  }
  return names
}

/** Two words or more that follow each other. */
const partsOf = (words: readonly string[]): string[] =>
  words.flatMap((_, from) => words.slice(from + 1).map((__, i) => words.slice(from, from + 2 + i).join(' ')))

// ---- evaluation

export function matching({ records }: Memory, { entity, where, order, limit }: Query): Item[] {
  const found = (records[entity] ?? []).filter(item => where === undefined || holds(item, where))
  for (const { by, direction } of order ?? []) {
    found.sort((a, b) => (direction === 'desc' ? -1 : 1) * compare(valuesAt(a, by)[0], valuesAt(b, by)[0]))
  }
  const ordered = order?.length ? found.filter(item => present(valuesAt(item, order[0]?.by ?? '')[0])) : found
  return limit === undefined ? ordered : ordered.slice(0, limit)
}

export function figure(items: readonly Item[], measure: Query['measure']): number[] {
  if (!measure || !('field' in measure)) return [items.length]
  const byCurrency = Map.groupBy(items, item => (/amount$/.test(measure.field) ? String(item.currency) : ''))
  return [...byCurrency.values()].flatMap(group => {
    const numbers = group
      .flatMap(item => valuesAt(item, measure.field))
      .filter(present)
      .map(Number)
    if (numbers.length === 0) return []
    const sorted = [...numbers].sort((a, b) => a - b)
    const sum = numbers.reduce((all, one) => all + one, 0)
    const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
    return [
      { sum, avg: sum / numbers.length, median: middle, min: sorted[0]!, max: sorted.at(-1)! }[measure.kind],
    ]
  })
}

export const valuesAt = (item: Item, path: string): unknown[] => {
  if (path in item || path.startsWith('cf.')) return [item[path]]
  const [step = '', ...rest] = path.split('.')
  const next = item[step]
  if (rest.length === 0) return [next]
  const list = Array.isArray(next) ? next : next === undefined || next === null ? [] : [next]
  return list.flatMap(one => valuesAt(one as Item, rest.join('.')))
}

const present = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function holds(item: Item, where: Condition): boolean {
  if ('and' in where) return where.and.every(part => holds(item, part))
  if ('or' in where) return where.or.some(part => holds(item, part))
  if ('not' in where) return !holds(item, where.not)
  if ('field' in where) return holdsFor(item, where)
  const relation =
    'some' in where ? where.some : 'none' in where ? where.none : 'every' in where ? where.every : where.count
  const next = item[relation]
  const list = (Array.isArray(next) ? next : next ? [next] : []) as Item[]
  const inner = where.where
  const found = inner === undefined ? list : list.filter(one => holds(one, inner))
  if ('some' in where) return found.length > 0
  if ('none' in where) return found.length === 0
  if ('every' in where) return found.length === list.length
  return compared(found.length, where.op, where.value)
}

function holdsFor(item: Item, { field, op = 'eq', value }: FieldCondition): boolean {
  const values = valuesAt(item, field)
  if (op === 'is_null') return values.some(present) !== (value ?? true)
  if (op === 'ne') return !holdsFor(item, { field, op: 'eq', value: value ?? null })
  if (op === 'not_in') return !holdsFor(item, { field, op: 'in', value: value ?? null })
  return values.some(one => present(one) && compared(one, op, value))
}

function compared(one: unknown, op: string, value: unknown): boolean {
  if (Array.isArray(one)) return one.some(part => compared(part, op, value))
  const text = (given: unknown) => fold(String(given))
  switch (op) {
    case 'eq':
      return typeof one === 'string' ? text(one) === text(value) : one === value
    case 'ne':
      return one !== value
    case 'in':
      return (value as unknown[]).some(each => compared(one, 'eq', each))
    case 'contains':
      return text(one).includes(text(value))
    case 'gt':
      return compare(one, value) > 0
    case 'gte':
      return compare(one, value) >= 0
    case 'lt':
      return compare(one, value) < 0
    case 'lte':
      return compare(one, value) <= 0
    default:
      throw new Error(`${op} is not evaluated here`)
  }
}

const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}
