/** What answers have in common: citations, names with details, figures in words. */
import { labelOf, type Wording } from '../../records/query/describe.ts'
import type { Figure, Result } from '../../records/query/result.ts'
import type { Condition, Query } from '../../records/query/spec.ts'
import type { Answer, Citation } from '../prose/answer.ts'

/** How many records are cited, and how many of them the text names. */
export const MAX_CITED = 50
const MAX_NAMED = 20

export interface Answering extends Wording {
  /** runs a query; of a list with these fields beside the records */
  run(query: Query, columns?: readonly string[]): Promise<Result>
  /** what a declared field is called */
  labelOf(field: string): string | undefined
}

const LABELS: Readonly<Record<string, string>> = {
  employee_count: 'employees',
  expected_close_date: 'expected close',
  stage_entered_at: 'in its stage since',
  when: 'on',
}

/** The number of related records: `deals.count`. */
export const isCount = (field: string): boolean => field.endsWith('.count')

export const label = ({ labelOf: declared, say }: Answering, field: string): string =>
  declared(field) ?? say(LABELS[field] ?? labelOf(field))

export const NAME_FIELDS = ['name', 'full_name', 'subject', 'title']
/** What a list shows beside the names. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  deal: ['amount', 'stage.name'],
  activity: ['type', 'due_at'],
}
const UNLABELLED = ['type', 'amount']

/** The records of a query, without what is done with them. */
export const recordsOf = ({ entity, where }: Query): Query => ({ entity, ...(where ? { where } : {}) })

/** Of these records those of which this holds, too. */
export const narrowed = (query: Query, condition: Condition): Query => ({
  ...query,
  where: query.where ? { and: [query.where, condition] } : condition,
})

export interface Listed {
  result: Result
  citations: Citation[]
}

/** The records of a query with what is shown of each of them. */
export async function listed(
  answering: Answering,
  query: Query,
  fields: readonly string[] = [],
): Promise<Listed> {
  const columns = [...new Set([...fields, ...(SHOWN[query.entity] ?? [])])]
  const limited = { ...query, limit: Math.min(query.limit ?? MAX_CITED, MAX_CITED) }
  const result = await answering.run(limited, columns)
  const citations = (result.items ?? []).map((item, i) => {
    const name = String(NAME_FIELDS.map(field => item[field]).find(Boolean) ?? '')
    const details = columns.flatMap(field =>
      detail(answering, field, result.cells?.[i]?.[field], item, fields),
    )
    return {
      index: i + 1,
      entity_type: query.entity,
      entity_id: String(item.id),
      name,
      snippet: details.length === 0 ? name : `${name}: ${details.join(', ')}`,
      updated_at: String(item.updated_at),
      score: 1,
    }
  })
  return { result, citations }
}

function detail(
  answering: Answering,
  field: string,
  value: unknown,
  item: Record<string, unknown>,
  asked: readonly string[],
): string[] {
  const text = shown(field, value, item)
  if (text === undefined) return []
  if (isCount(field)) return [`${text} ${label(answering, field)}`]
  return UNLABELLED.includes(field) && !asked.includes(field)
    ? [field === 'type' ? answering.say(text) : text]
    : [`${label(answering, field)} ${text}`]
}

export function shown(field: string, value: unknown, item: Record<string, unknown>): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (field === 'amount') return `${value} ${item.currency ?? ''}`.trim()
  // of several choices none was chosen
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(', ')
  const text = String(value)
  // a day, or a time to the minute
  return /^\d{4}-\d\d-\d\dT/.test(text)
    ? text.replace(/T(?:00:00:00\.000|23:59:59(?:\.999)?)Z$/, '').replace(/T(\d\d:\d\d).*$/, ' $1')
    : text
}

export function named(citations: readonly Citation[]): string {
  const texts = citations.slice(0, MAX_NAMED).map(({ name, snippet, index }) => {
    const details = snippet.slice(name.length + 2)
    return `${name}${details === '' ? '' : ` (${details})`} [${index}]`
  })
  return `${texts.join('; ')}${citations.length > MAX_NAMED ? '; …' : ''}`
}

export const number = (value: number): string => String(Math.round(value * 100) / 100)

export const figureText = ({ value, currency }: Pick<Figure, 'value' | 'currency'>): string => {
  if (value === null) return 'none'
  const text = typeof value === 'number' ? number(value) : value.slice(0, 10)
  return [text, currency].filter(part => part !== null).join(' ')
}

export const grounded = (
  answer: string,
  citations: Citation[],
  query: Query,
  { total, items, cells: _, ...rest }: Result,
): Answer => ({
  answer,
  citations,
  conflicts: [],
  grounded: true,
  confidence: 'high',
  related: [],
  model: 'data',
  data: {
    ...rest,
    entity_type: query.entity,
    count: total,
    query,
    ...(items
      ? { items: citations.map(({ index, entity_id, name }) => ({ index, id: entity_id, name })) }
      : {}),
  },
})
