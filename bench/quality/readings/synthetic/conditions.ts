/** Random conditions on the records of an account, with their wording. */
import type { Item } from '../../../../src/features/ask/testing/evaluate.testing.ts'
import type { FieldMeaning } from '../../../../src/features/ask/understand/meaning.ts'
import { onDate } from '../../../../src/features/ask/understand/rules/comparisons.ts'
import { timeOf } from '../../../../src/features/ask/understand/times/index.ts'
import type { Condition } from '../../../../src/features/records/query/spec.ts'
import { onlyIn, quantifiedIn, untouchedIn } from './quantified.ts'
import { below, pick, random } from './random.ts'
import { DATES, EMPTY, NUMBERS, RELATED, STATES, TEXT, TIMES } from './words.ts'

export interface Said {
  words: string
  where: Condition
}
export interface World {
  items: Item[]
  labels: Map<string, string>
  names: Map<string, string>
  /** fields with several choices */
  choices: { kind: string; field: string; label: string; choices: readonly string[] }[]
}

export function valuesIn({ items }: World, entity: string, field: string): string[] {
  const own = items
    .filter(({ kind }) => kind === entity)
    .map(item => (field === 'stage.name' ? (item.stage as { name: string })?.name : item[field]))
  return [...new Set(own.filter((value): value is string => typeof value === 'string' && value.length < 40))]
}

export function conditionIn(world: World, entity: string, depth: number): Said | undefined {
  if (random() < 0.25) {
    const isOther = entity === 'company' || entity === 'contact'
    if (isOther && random() < 0.75) return random() < 0.7 ? quantifiedIn() : untouchedIn()
    const only = onlyIn(world, entity)
    if (only) return only
  }
  const kind = below(depth > 0 ? 9 : 7)
  if (kind === 0 || kind === 1) {
    const [field, ...wordings] = pick(TEXT[entity] ?? []) ?? []
    const value = field === undefined ? undefined : pick(valuesIn(world, entity, field))
    if (field === undefined || value === undefined) return undefined
    const other = random() < 0.15 ? pick(valuesIn(world, entity, field)) : value
    const isEither = other !== value
    const words = pick(wordings).replace('{}', isEither ? `${value} or ${other}` : value)
    const where: Condition = isEither
      ? { field, op: 'in', value: [value, other] }
      : { field, op: 'eq', value }
    return random() < 0.15
      ? { words: `${pick(['not', 'except those', 'but not'])} ${words}`, where: { not: where } }
      : { words, where }
  }
  if (kind === 2) {
    const entry = pick(NUMBERS[entity] ?? [])
    if (!entry) return customIn(world, entity)
    const [field, more, less] = entry
    const isMore = random() < 0.6
    const scale = field === 'amount' ? 1000 : field === 'annual_revenue' ? 1_000_000 : 1
    const value = (1 + below(20)) * 5 * scale
    return {
      words: pick(isMore ? more : less).replace('{}', numberText(value)),
      where: { field, op: isMore ? 'gt' : 'lt', value },
    }
  }
  if (kind === 3) {
    const empty = pick(EMPTY[entity] ?? [])
    if (!empty || random() < 0.5) return customIn(world, entity)
    const [field, ...wordings] = empty
    return { words: pick(wordings), where: { field, op: 'is_null', value: true } }
  }
  if (kind === 4) {
    const state = pick(STATES[entity] ?? [])
    return state && { words: pick(state.slice(1) as string[]), where: state[0] }
  }
  if (kind === 5) return datedIn(entity)
  if (kind === 6) return taggedIn(world, entity)
  const related = pick(RELATED[entity] ?? [])
  if (related && kind === 7) return countedIn(related[0])
  const inner = related && conditionIn(world, related[1], 0)
  if (!related || !inner) return undefined
  const isNone = random() < 0.2
  const words = pick(related.slice(2)).replace('{}', inner.words)
  return isNone && /^with /.test(words)
    ? {
        words: words.replace(/^with /, pick(['without ', 'with no ', 'that lack '])),
        where: { none: related[0], where: inner.where },
      }
    : { words, where: { some: related[0], where: inner.where } }
}

/** A date of the record, compared with a time. */
function datedIn(entity: string): Said | undefined {
  const [field, type, such, ...wordings] = pick(DATES[entity] ?? []) ?? []
  const words = pick(TIMES)
  const now = new Date()
  const [past, future] = [timeOf(words, now, true), timeOf(words, now, false)]
  if (!field || !type || !past || !future) return undefined
  const meaning: FieldMeaning = { entity: type, field, type: 'date' }
  const about = onDate(meaning, { past, future })
  if (!about) return undefined
  const where: Condition = such ? { and: [such, about.where] } : about.where
  return { words: pick(wordings).replace('{}', words), where }
}

function taggedIn({ items }: World, entity: string): Said | undefined {
  const tags = items.filter(({ kind }) => kind === entity).flatMap(({ tags }) => tags)
  const value = pick(tags)?.name
  if (value === undefined) return undefined
  const where: Condition = { some: 'tags', where: { field: 'name', op: 'eq', value } }
  return random() < 0.2
    ? { words: pick([`not tagged ${value}`, `without the tag ${value}`]), where: { not: where } }
    : { words: pick([`tagged ${value}`, `with the ${value} tag`, `marked as ${value}`, `(${value})`]), where }
}

/** So many related records, or none at all. */
function countedIn(relation: string): Said {
  const value = 1 + below(4)
  const [op, words] = pick([
    ['gt', `with more than ${value} ${relation}`],
    ['gt', `having over ${value} ${relation}`],
    ['gte', `with at least ${value} ${relation}`],
    ['gte', `that have ${value} or more ${relation}`],
    ['lt', `with fewer than ${value} ${relation}`],
    ['eq', `with exactly ${value} ${relation}`],
    ['none', `without any ${relation}`],
    ['none', `with no ${relation} at all`],
    ['none', `that have no ${relation} yet`],
    ['some', `with ${relation}`],
  ] as const)
  if (op === 'none') return { words, where: { none: relation } }
  if (op === 'some') return { words, where: { some: relation } }
  return { words, where: { count: relation, op, value } }
}

/** A field of the account's own, by its label. */
function customIn(world: World, entity: string): Said | undefined {
  const item = pick(world.items.filter(({ kind }) => kind === entity))
  const field = item && pick(Object.keys(item).filter(key => key.startsWith('cf.')))
  if (!field) return undefined
  const [label, value] = [world.labels.get(field)?.toLowerCase() ?? field, item[field]]
  if (typeof value === 'number') {
    const isMore = random() < 0.6
    return {
      words: `${pick(['with', 'having', 'whose'])} ${label} ${isMore ? pick(['over', 'above', 'of more than']) : pick(['under', 'below', 'of less than'])} ${numberText(value)}`,
      where: { field, op: isMore ? 'gt' : 'lt', value },
    }
  }
  if (typeof value === 'boolean')
    return {
      words: pick([`with ${label}`, `that have ${label}`, `where ${label} is ticked`]),
      where: { field, op: 'eq', value: true },
    }
  return typeof value === 'string'
    ? {
        words: pick([
          `with ${label} ${value}`,
          `on ${value}`,
          `whose ${label} is ${value}`,
          `(${label}: ${value})`,
        ]),
        where: { field, op: 'eq', value },
      }
    : undefined
}

const numberText = (value: number): string => {
  if (value >= 1_000_000 && random() < 0.5) return `${value / 1_000_000}${pick(['m', ' million'])}`
  if (value >= 1000 && random() < 0.6) return random() < 0.6 ? `${value / 1000}k` : value.toLocaleString('en')
  return String(value)
}
