/** A Query in words, and as the list that shows its records. */
import { FIELDS } from '#data/fields.ts'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { formatDate, formatNumber, humanize } from '#lib/format.ts'
import type { QuerySpec } from './answers.ts'

type Condition = Readonly<Record<string, unknown>>

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  between: 'is between',
  contains: 'contains',
  starts_with: 'begins with',
  ends_with: 'ends with',
  is_null: 'is empty',
}

const MEASURES: Readonly<Record<string, string>> = {
  count: 'Number of',
  sum: 'Sum of',
  avg: 'Average of',
  median: 'Median of',
  min: 'Smallest',
  max: 'Largest',
}

const isKind = (entity: string): entity is Kind => Object.hasOwn(GROUP_OF_KIND, entity)

const pluralOf = (entity: string): string => (isKind(entity) ? GROUP_OF_KIND[entity] : `${entity}s`)

function labelOf(entity: string, path: string): string {
  const fields = entity in FIELDS ? FIELDS[entity as keyof typeof FIELDS] : []
  const own = fields.find(({ key }) => key === path)
  if (own) return own.label.toLowerCase()
  return humanize(path.replace(/^cf\./, '').replaceAll('.', ' ')).toLowerCase()
}

/** The question has named the record. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'number') return formatNumber(value)
  const text = String(value)
  if (UUID.test(text)) return 'the named one'
  return isTime(text) ? formatDate(text) : text
}

export function conditionText(entity: string, condition: Condition): string {
  for (const word of ['and', 'or'] as const) {
    const parts = condition[word]
    if (!Array.isArray(parts)) continue
    const texts = parts.map((part: Condition) => conditionText(entity, part))
    return word === 'or' ? `(${texts.join(' or ')})` : texts.join(' and ')
  }
  if (condition.not) return `not (${conditionText(entity, condition.not as Condition)})`
  if (typeof condition.field === 'string') return fieldText(entity, condition)
  return relatedText(condition)
}

/** "one of the deals: status is open", "none of the activities". */
function relatedText(condition: Condition): string {
  const [how = '', relation] = Object.entries(condition).find(([key]) => RELATED.includes(key)) ?? []
  const name = humanize(String(relation)).toLowerCase()
  const size =
    how === 'count'
      ? `the number of ${name} ${OPERATORS[String(condition.op)]} ${textOf(condition.value)}`
      : `${RELATION_WORDS[how]} the ${name}`
  if (!condition.where) return size
  const text = conditionText('', condition.where as Condition)
  return `${size}${text.startsWith('is ') ? ' ' : ': '}${text}`
}

const RELATION_WORDS: Readonly<Record<string, string>> = {
  some: 'one of',
  every: 'each of',
  none: 'none of',
}

const RELATED = ['some', 'every', 'none', 'count']

/** Of times, which are not above or below each other. */
const TIMES: Readonly<Record<string, string>> = {
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
}

const isTime = (value: unknown): boolean => /^\d{4}-\d\d-\d\d/.test(String(value))

function fieldText(entity: string, { field, op = 'eq', value }: Condition): string {
  if (field === 'id') return 'is the named one'
  const label = labelOf(entity, String(field))
  if (op === 'is_null') return `${label} is ${value === false ? 'not ' : ''}empty`
  const word = (isTime(value) ? TIMES[String(op)] : undefined) ?? OPERATORS[String(op)] ?? String(op)
  return `${label} ${word} ${textOf(value)}`
}

/** "Sum of amount: deals where status is open, by stage". */
export function queryText({ entity, where, measure, group_by, order, limit }: QuerySpec): string {
  const many = pluralOf(entity)
  const kind = measure?.kind ?? 'list'
  const measured = measure && 'field' in measure && measure.field ? labelOf(entity, measure.field) : ''
  const head =
    kind === 'list'
      ? humanize(many)
      : kind === 'count'
        ? `Number of ${many}`
        : `${MEASURES[kind]} ${measured} of ${many}`
  const condition = where && Object.keys(where).length > 0 ? ` where ${conditionText(entity, where)}` : ''
  const groups = group_by?.map(({ field, bucket }) => bucket ?? labelOf(entity, field)).join(' and ')
  const [first] = order ?? []
  const sorted = first && first.by !== 'measure' ? `, by ${labelOf(entity, first.by)}` : ''
  const most = limit && limit < 50 ? `, the first ${limit}` : ''
  return `${head}${condition}${groups ? `, for each ${groups}` : ''}${sorted}${most}`
}

/** The address of the list with the records behind a figure; undefined where no list has them. */
export function listOf({
  entity,
  where,
  order,
}: QuerySpec): { group: string; search: Record<string, unknown> } | undefined {
  if (!isKind(entity) || entity === 'note') return undefined
  const [first] = order ?? []
  const isField = first && first.by !== 'measure' && !first.by.includes('.')
  return {
    group: GROUP_OF_KIND[entity],
    search: {
      ...(where && Object.keys(where).length > 0 ? { where } : {}),
      ...(isField ? { sort: `${first.direction === 'desc' ? '-' : ''}${first.by}` } : {}),
    },
  }
}
