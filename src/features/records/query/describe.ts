/** A query in words: "3 deals (open, amount over 10000, company: country Germany)". */
import type { Condition, FieldCondition, Query } from './spec.ts'

/** The names of records by their ids, for conditions on ids. */
export type NameOf = (id: string) => string | undefined

/** What a description needs beside the query. `say`: its English words in the language of the reader. */
export interface Wording {
  nameOf: NameOf
  say(words: string): string
}

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  company: ['company', 'companies'],
  activity: ['activity', 'activities'],
}

export function counted(entity: string, count: number, { say }: Pick<Wording, 'say'>): string {
  const [one, many] = NOUNS[entity] ?? [entity.replaceAll('_', ' '), `${entity.replaceAll('_', ' ')}s`]
  return `${count} ${say(count === 1 ? one : many)}`
}

export function described(
  { entity, where }: Pick<Query, 'entity' | 'where'>,
  count: number,
  wording: Wording,
): string {
  const conditions = where ? parts(where, wording).join(', ') : ''
  return `${counted(entity, count, wording)}${conditions === '' ? '' : ` (${conditions})`}`
}

const parts = (where: Condition, wording: Wording): string[] =>
  'and' in where ? where.and.flatMap(part => parts(part, wording)) : [conditionText(where, wording)]

export function conditionText(where: Condition, wording: Wording): string {
  const { say } = wording
  const inner = (condition: Condition) => parts(condition, wording).join(', ')
  if ('and' in where) return inner(where)
  if ('or' in where) return where.or.map(part => conditionText(part, wording)).join(` ${say('or')} `)
  if ('not' in where) return `${say('not')} (${inner(where.not)})`
  if ('field' in where) return fieldText(where, wording)
  const such = where.where ? `: ${inner(where.where)}` : ''
  // "Acme" reads better than "companies: Acme"
  if ('some' in where && where.where && 'field' in where.where && where.where.field === 'id')
    return inner(where.where)
  if ('some' in where) return such === '' ? `${say('with')} ${say(where.some)}` : `${say(where.some)}${such}`
  if ('none' in where) return `${say('without')} ${say(where.none)}${such}`
  if ('every' in where) return `${say('all')} ${say(where.every)}${such}`
  return `${say(COMPARED[where.op] ?? where.op)} ${valueText(where.value, wording)} ${say(where.count)}${such}`.trim()
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

function fieldText({ field, op = 'eq', value }: FieldCondition, wording: Wording): string {
  const { nameOf, say } = wording
  if (field === 'id')
    return [value]
      .flat()
      .map(id => nameOf(String(id)) ?? say('one that was named'))
      .join(` ${say('or')} `)
  const label = say(labelOf(field))
  const isPerson = field === 'owner_id' || field === 'assignee_id' || field === 'created_by'
  if (isPerson && op === 'eq')
    return nameOf(String(value)) === 'me'
      ? field === 'created_by'
        ? say('created by me')
        : say('mine')
      : `${label} ${nameOf(String(value)) ?? value}`
  if (isPerson && op === 'is_null' && value !== false) return say('nobody’s')
  if (op === 'is_null') return `${say(value === false ? 'with' : 'without')} ${label}`
  // for a boolean field the label alone is enough
  if (op === 'eq' && value === true) return label
  const isState = field === 'status' || field === 'type' || field === 'currency'
  const compared = COMPARED[op] ?? op
  const sign = say(isTime(value) ? (TIMES[op] ?? compared) : compared)
  return [isState ? '' : label, sign, valueText(value, wording, isState)].filter(Boolean).join(' ')
}

const TIMES: Readonly<Record<string, string>> = { gte: 'from', lt: 'before', gt: 'after', lte: 'until' }

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)

const valueText = (value: FieldCondition['value'], { say }: Wording, isState = false): string =>
  [value]
    .flat()
    .map(one => (isState ? say(String(one)) : String(one)))
    .join(` ${say('or')} `)

/** `cf.water_hardness` → water hardness, `stage.name` → stage, `is_overdue` → overdue */
export const labelOf = (field: string): string =>
  field
    .replace(/^cf\./, '')
    .replace(/^is_/, '')
    .replace(/^company\.(?!name)/, '')
    .replace(/\.count$/, '')
    .replace(/^stage_entered_at$/, 'in its stage since')
    .replace(/\.(?:full_)?name$/, '')
    .replace(/_(?:id|at)$/, '')
    .replace(/[._]/g, ' ')
