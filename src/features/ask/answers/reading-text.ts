/** What a question was taken to ask, in plain words with every field named: what a person checks, and what the judge compares with the question. */
import { labelOf } from '../../records/query/describe.ts'
import type { Condition, FieldCondition, Measure, Order, Query } from '../../records/query/spec.ts'
import { KIND_OF, type Meaning } from '../understand/meaning.ts'

export interface Naming {
  nameOf(id: string): string | undefined
  /** what a declared field is called */
  labelOf(field: string): string | undefined
}

const MANY: Readonly<Record<string, string>> = { company: 'companies', activity: 'activities' }
const many = (entity: string): string => MANY[entity] ?? `${entity}s`
const ONE: Readonly<Record<string, string>> = { ...KIND_OF, tags: 'tag' }

const LABELS: Readonly<Record<string, string>> = {
  employee_count: 'number of employees',
  falls_due_at: 'due date',
  when: 'date',
  happened_at: 'date it took place',
  planned_at: 'planned date',
  closed_at: 'date closed',
  created_at: 'date created',
  updated_at: 'date changed',
  stage_entered_at: 'date it entered its stage',
  birthday_day: 'birthday',
  full_name: 'name',
  do_not_contact: 'must not be contacted',
  email_opt_out: 'opted out of email',
  duration_minutes: 'duration in minutes',
  unit_price: 'price',
  weighted_amount: 'amount weighted by probability',
  'company.name': 'company',
  'primary_contact.full_name': 'primary contact',
}

export function readingText(meaning: Meaning, naming: Naming): string {
  const text = (query: Query) => queryText(query, naming)
  switch (meaning.kind) {
    case 'every':
      return `whether all ${text(meaning.set)} are so; exceptions: ${text(meaning.exceptions)}`
    case 'win rate':
      return `win rate of ${text({ entity: meaning.query.entity, ...whereOf(meaning.query) })}${groupText(meaning.query, naming, 1)}${meaning.pick ? `; ${meaning.pick} only` : ''}`
    case 'compare': {
      const [one, other] = meaning.sides.map(side => conditionText(side.is, meaning.query.entity, naming))
      const figure = figureText(meaning.query, naming)
      const such = setText(meaning.query, naming)
      const than = meaning.isLess ? 'less than' : 'more than'
      if (meaning.isYesNo) return `whether the ${figure}: ${one} ${than} ${other}${such}`
      return `compare the ${figure}: ${one} with ${other}${such}${meaning.isLess ? '; which is less' : ''}`
    }
    case 'share':
      return `share of ${text(meaning.query)} among ${text(meaning.whole)}`
    default:
      return askedText(meaning, naming)
  }
}

/** What is said of both sides that are compared. */
function setText({ entity, where }: Query, naming: Naming): string {
  const parts = where && 'and' in where ? where.and.filter(part => !('or' in part)) : []
  return parts.length === 0 ? '' : `; of ${queryText({ entity, where: { and: parts } }, naming)}`
}

const whereOf = ({ where }: Query): Pick<Query, 'where'> => (where ? { where } : {})

function askedText(meaning: Extract<Meaning, { kind: 'query' }>, naming: Naming): string {
  const { query, show } = meaning
  const set = queryText(query, naming)
  const end = `${groupText(query, naming)}${havingText(query)}${orderText(query, naming)}`
  if (meaning.last) return `${meaning.last} of the last contact: ${set}`
  if (show) return `${fieldLabel(show.field, naming)} of ${set}${end}`
  if (meaning.isNumber)
    return `number of different ${fieldLabel(query.group_by?.[0]?.field ?? '', naming)} of ${set}`
  if (meaning.isYesNo) return `whether there are ${set}${end}`
  return query.measure && query.measure.kind !== 'list'
    ? `${measureText(query.measure, naming)} ${set}${end}`
    : `list ${set}${end}`
}

const FIGURES: Readonly<Record<Measure['kind'], string>> = {
  list: 'list',
  count: 'number of',
  sum: 'sum of',
  avg: 'average',
  median: 'median',
  min: 'lowest',
  max: 'highest',
}

function measureText(measure: Measure, naming: Naming): string {
  return 'field' in measure
    ? `${FIGURES[measure.kind]} ${fieldLabel(measure.field, naming)} of`
    : FIGURES[measure.kind]
}

const figureText = ({ measure = { kind: 'count' }, entity }: Query, naming: Naming): string =>
  'field' in measure ? fieldLabel(measure.field, naming) : `number of ${many(entity)}`

function queryText({ entity, where }: Pick<Query, 'entity' | 'where'>, naming: Naming): string {
  const conditions = where ? partsOf(where, entity, naming).join(', ') : ''
  return conditions === '' ? many(entity) : `${many(entity)}: ${conditions}`
}

function groupText({ group_by = [] }: Query, naming: Naming, from = 0): string {
  const keys = group_by
    .slice(from)
    .map(({ field, bucket }) =>
      bucket ? `${bucket} of ${fieldLabel(field, naming)}` : fieldLabel(field, naming),
    )
  return keys.length === 0 ? '' : `; by ${keys.join(' and ')}`
}

const havingText = ({ having }: Query): string =>
  having ? `; only those with ${SIGNS[having.op] ?? having.op} ${having.value}` : ''

function orderText({ order = [], limit, offset }: Query, naming: Naming): string {
  const texts = order.map(one => orderedBy(one, naming))
  const which = offset ? ` after the first ${offset}` : ''
  const first = limit === undefined ? '' : `; only the first ${limit === 1 ? 'one' : limit}${which}`
  return texts.length === 0 ? first : `; ${texts.join(', ')}${first}`
}

function orderedBy({ by, direction = 'asc', where }: Order, naming: Naming): string {
  const way = direction === 'desc' ? 'highest' : 'lowest'
  const such = where ? ` (${partsOf(where, '', naming).join(', ')})` : ''
  if (by === 'measure') return `${way} figure first`
  if (by.endsWith('.count'))
    return `${direction === 'desc' ? 'most' : 'fewest'} ${by.slice(0, -6)}${such} first`
  return `${isDate(by) ? (direction === 'desc' ? 'latest' : 'earliest') : way} ${fieldLabel(by, naming)} first`
}

const isDate = (field: string): boolean => /(?:_at|_date|^when|birthday)$/.test(field)

function fieldLabel(field: string, naming: Naming): string {
  const declared = naming.labelOf(field)
  if (declared !== undefined) return declared
  const [, company] = /^company\.(?!name$)(.+)$/.exec(field) ?? []
  return company === undefined ? (LABELS[field] ?? labelOf(field)) : `company ${fieldLabel(company, naming)}`
}

function partsOf(where: Condition, entity: string, naming: Naming): string[] {
  if (!('and' in where)) return [conditionText(where, entity, naming)]
  // of records that have none of the other choices
  const only = new Set(
    where.and.flatMap(part => ('field' in part && part.op === 'not_in' ? [part.field] : [])),
  )
  return where.and.flatMap(part => {
    const texts = partsOf(part, entity, naming)
    if (!('field' in part && only.has(part.field))) return texts
    return part.op === 'not_in' ? [] : texts.map(text => `${text} and no other`)
  })
}

function conditionText(where: Condition, entity: string, naming: Naming): string {
  const inner = (condition: Condition, of: string) => partsOf(condition, of, naming).join(', ')
  if ('and' in where) return `(${inner(where, entity)})`
  if ('or' in where) return where.or.map(part => conditionText(part, entity, naming)).join(' or ')
  if ('not' in where) return `not (${inner(where.not, entity)})`
  if ('field' in where) return fieldText(where, entity, naming)
  const relation =
    'some' in where ? where.some : 'none' in where ? where.none : 'every' in where ? where.every : where.count
  const one = ONE[relation] ?? relation
  const own = where.where
  const such = own ? ` (${inner(own, one)})` : ''
  if ('some' in where) {
    if (!own) return `with ${relation}`
    // "company country is Germany" is shorter than "with companies (country is Germany)"
    const isShort = 'field' in own && (relation === 'companies' || relation === 'tags' || own.field === 'id')
    if (isShort)
      return own.field === 'id' || relation === 'tags'
        ? fieldText({ ...own, field: own.field === 'name' ? 'id' : own.field }, one, naming)
        : `company ${inner(own, one)}`
    return `with ${relation}${such}`
  }
  if ('none' in where) return `with no ${relation}${such}`
  if ('every' in where) return `all ${relation}${such}`
  return `with ${SIGNS[where.op] ?? where.op} ${where.value} ${relation}${such}`
}

const SIGNS: Readonly<Record<string, string>> = {
  eq: 'exactly',
  ne: 'not',
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
}
const COMPARED: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'over',
  gte: 'at least',
  lt: 'under',
  lte: 'at most',
  in: 'is',
  not_in: 'is none of',
  contains: 'include',
  between: 'between',
  starts_with: 'begins with',
  ends_with: 'ends with',
}
const TIMES: Readonly<Record<string, string>> = {
  gte: 'from',
  lt: 'before',
  gt: 'after',
  lte: 'until',
  eq: 'on',
}

function fieldText({ field, op = 'eq', value }: FieldCondition, entity: string, naming: Naming): string {
  if (field === 'id') {
    const names = [value].flat().map(id => naming.nameOf(String(id)) ?? String(id))
    return `${entity} ${names.join(' or ')}`
  }
  const label = fieldLabel(field.replace(/_id$/, '.name'), naming)
  if (op === 'is_null') return `${value === false ? 'with' : 'without'} ${label}`
  if (value === true) return label.replace(/^is_/, '')
  if (value === false) return `${label} is no`
  const texts = [value]
    .flat()
    .map(one => (/_id$/.test(field) ? (naming.nameOf(String(one)) ?? String(one)) : String(one)))
  const isDay = /^\d{4}-\d\d-\d\d/.test(texts[0] ?? '')
  const sign = isDay ? (TIMES[op] ?? op) : (COMPARED[op] ?? op)
  return `${label} ${sign} ${texts.map(text => (isDay ? text.slice(0, 10) : text)).join(' or ')}`
}
