/** What came out, in words, with the records behind it. */
import type { Answer, Citation } from '../../prose/answer.ts'
import { type Field, TABLES } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { MAX_CITED, type Row } from './select.ts'

/** How many of the cited records are named in the text. */
export const MAX_NAMED = 20

/** "3 deals (open, stage Proposal)" */
export function described(plan: Plan, count: number): string {
  const { one, many } = TABLES[plan.entity]
  const said = [...new Set(plan.conditions.map(condition => condition.said))]
    .filter(text => text !== '')
    .join(', ')
  return `${count} ${count === 1 ? one : many}${said === '' ? '' : ` (${said})`}`
}

export const number = (value: number): string => String(Math.round(value * 100) / 100)

export function shown(field: { type: Field['type'] }, value: unknown, currency: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (field.type === 'money') return `${number(Number(value))}${currency ? ` ${currency}` : ''}`
  if (field.type === 'number') return number(Number(value))
  if (field.type === 'day') return String(value).slice(0, 10)
  if (field.type === 'time')
    return String(value)
      .replace(/T(?:00:00:00\.000|23:59:59(?:\.999)?)Z$/, '')
      .replace('T', ' ')
      .replace(/:\d\d\.\d+Z$/, '')
  return String(value).split('\n').join(', ')
}

export const details = (fields: readonly Field[], row: Row): string =>
  fields
    .map((field, i) => ({ field, value: row[`f${i}`] }))
    .filter(({ value }) => value !== null && value !== '')
    .map(({ field, value }) => `${field.label} ${shown(field, value, row.currency)}`.trim())
    .join(', ')

export const cite = (plan: Plan, list: readonly Row[], fields: readonly Field[]): Citation[] =>
  list.slice(0, MAX_CITED).map((row, i) => ({
    index: i + 1,
    entity_type: plan.entity,
    entity_id: row.id,
    name: row.name,
    snippet: [row.name, details(fields, row)].filter(part => part !== '').join(': '),
    updated_at: row.updated_at,
    score: 1,
  }))

export function named(list: readonly Row[], fields: readonly Field[], order?: Plan['order']): string {
  const counted = order?.type === 'number' && !fields.some(field => field.label === order.label)
  const texts = list.slice(0, MAX_NAMED).map((row, i) => {
    const first = counted ? [`${shown(order, row.ordered, null)} ${order.label}`] : []
    const about = [...first, details(fields, row)].filter(part => part !== '').join(', ')
    return `${row.name}${about === '' ? '' : ` (${about})`} [${i + 1}]`
  })
  return `${texts.join('; ')}${list.length > MAX_NAMED ? '; …' : ''}`
}

export const answer = (text: string, citations: Citation[], data: Record<string, unknown>): Answer => ({
  answer: text,
  citations,
  conflicts: [],
  grounded: true,
  confidence: 'high',
  related: [],
  model: 'data',
  data,
})
