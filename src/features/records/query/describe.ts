/** A query in words: "3 deals (open, amount over 10000, company: country Germany)". */
import type { Condition, FieldCondition, Query } from './spec.ts'

/** The names of records by their ids, for conditions on ids. */
export type NameOf = (id: string) => string | undefined

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  company: ['company', 'companies'],
  activity: ['activity', 'activities'],
}

export function counted(entity: string, count: number): string {
  const [one, many] = NOUNS[entity] ?? [entity.replaceAll('_', ' '), `${entity.replaceAll('_', ' ')}s`]
  return `${count} ${count === 1 ? one : many}`
}

export function described(
  { entity, where }: Pick<Query, 'entity' | 'where'>,
  count: number,
  nameOf: NameOf,
): string {
  const conditions = where ? parts(where, nameOf).join(', ') : ''
  return `${counted(entity, count)}${conditions === '' ? '' : ` (${conditions})`}`
}

const parts = (where: Condition, nameOf: NameOf): string[] =>
  'and' in where ? where.and.flatMap(part => parts(part, nameOf)) : [conditionText(where, nameOf)]

export function conditionText(where: Condition, nameOf: NameOf): string {
  const inner = (condition: Condition) => parts(condition, nameOf).join(', ')
  if ('and' in where) return inner(where)
  if ('or' in where) return where.or.map(part => conditionText(part, nameOf)).join(' or ')
  if ('not' in where) return `not (${inner(where.not)})`
  if ('field' in where) return fieldText(where, nameOf)
  const such = where.where ? `: ${inner(where.where)}` : ''
  // "Acme" reads better than "companies: Acme"
  if ('some' in where && where.where && 'field' in where.where && where.where.field === 'id')
    return inner(where.where)
  if ('some' in where) return such === '' ? `with ${where.some}` : `${where.some}${such}`
  if ('none' in where) return `without ${where.none}${such}`
  if ('every' in where) return `all ${where.every}${such}`
  return `${COMPARED[where.op] ?? where.op} ${valueText(where.value)} ${where.count}${such}`.trim()
}

const COMPARED: Readonly<Record<string, string>> = {
  eq: '',
  ne: 'not',
  gt: 'over',
  gte: 'at least',
  lt: 'under',
  lte: 'at most',
  in: '',
  not_in: 'none of',
  between: 'between',
  contains: 'containing',
  starts_with: 'beginning with',
  ends_with: 'ending in',
}

function fieldText({ field, op = 'eq', value }: FieldCondition, nameOf: NameOf): string {
  if (field === 'id')
    return [value]
      .flat()
      .map(id => nameOf(String(id)) ?? 'one that was named')
      .join(' or ')
  const label = labelOf(field)
  const isPerson = field === 'owner_id' || field === 'assignee_id' || field === 'created_by'
  if (isPerson && op === 'eq')
    return nameOf(String(value)) === 'me'
      ? field === 'created_by'
        ? 'created by me'
        : 'mine'
      : `${label} ${nameOf(String(value)) ?? value}`
  if (isPerson && op === 'is_null' && value !== false) return 'nobody’s'
  if (op === 'is_null') return value === false ? `with ${label}` : `without ${label}`
  // for a boolean field the label alone is enough
  if (op === 'eq' && value === true) return label
  const isState = field === 'status' || field === 'type' || field === 'currency'
  const compared = COMPARED[op] ?? op
  return [isState ? '' : label, isTime(value) ? (TIMES[op] ?? compared) : compared, valueText(value)]
    .filter(Boolean)
    .join(' ')
}

const TIMES: Readonly<Record<string, string>> = { gte: 'from', lt: 'before', gt: 'after', lte: 'until' }

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)

const valueText = (value: FieldCondition['value']): string => [value].flat().join(' or ')

/** `cf.water_hardness` → water hardness, `stage.name` → stage, `is_overdue` → overdue */
export const labelOf = (field: string): string =>
  field
    .replace(/^cf\./, '')
    .replace(/^is_/, '')
    .replace(/^company\.(?!name)/, '')
    .replace(/^stage_entered_at$/, 'in its stage since')
    .replace(/\.name$/, '')
    .replace(/_(?:id|at)$/, '')
    .replace(/[._]/g, ' ')
