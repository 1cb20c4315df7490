/** Random conditions on the records of an account, with their wording. */
import type { Item } from '../../../../src/features/ask/testing/evaluate.testing.ts'
import type { Condition } from '../../../../src/features/records/query/spec.ts'
import { below, pick, random } from './random.ts'
import { EMPTY, NUMBERS, RELATED, STATES, TEXT } from './words.ts'

export interface Said {
  words: string
  where: Condition
}
export interface World {
  items: Item[]
  labels: Map<string, string>
  names: Map<string, string>
}

export function valuesIn({ items }: World, entity: string, field: string): string[] {
  const own = items
    .filter(({ kind }) => kind === entity)
    .map(item => (field === 'stage.name' ? (item.stage as { name: string })?.name : item[field]))
  return [...new Set(own.filter((value): value is string => typeof value === 'string' && value.length < 40))]
}

export function conditionIn(world: World, entity: string, depth: number): Said | undefined {
  const kind = below(depth > 0 ? 6 : 5)
  if (kind === 0 || kind === 1) {
    const [field, ...wordings] = pick(TEXT[entity] ?? []) ?? []
    const value = field === undefined ? undefined : pick(valuesIn(world, entity, field))
    if (field === undefined || value === undefined) return undefined
    const words = pick(wordings).replace('{}', value)
    const where: Condition = { field, op: 'eq', value }
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
  const related = pick(RELATED[entity] ?? [])
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
