/** What phrases mean, and how a condition on one kind of record applies to another. */
import type { Condition, FieldCondition, Order, Query } from '../../records/query/spec.ts'
import { ANY_ENTITY, type EntityName } from '../lexicon/types.ts'

/** A condition and the kind of record it is about. */
export interface About {
  entity: EntityName | typeof ANY_ENTITY
  where: Condition
  /** the date that a following time compares: "won" → closed_at */
  date?: string
  /** a state is said of its own kind of record only: an open deal is not one with an open task */
  isState?: true
  /** how long it has been so, which cannot be turned round */
  isLasting?: true
  /** what a pronoun stands for */
  isThese?: true
  /** said of records that are related to it, not of itself: "which deals does Ann have" */
  isOther?: true
  /** the first of an order, or the one after so many: "our largest open deal" */
  rank?: { order: Order; offset?: number }
}

/** A set of records: "open deals at Acme". */
export interface Records {
  entity: EntityName
  where: readonly Condition[]
  /** the noun is in the plural */
  isMany?: true
  /** two nouns joined by "and": each of them is listed, but who has them has both */
  isListed?: true
  /** "only lost deals": who has only these is not one who has some of them */
  isOnly?: true
}

/** A clause about related records, resolved once the record it describes is known: "with more than two deals". */
export interface Clause {
  kind: 'some' | 'none' | 'every' | 'count'
  of: Records
  /** whom we contacted: whom we did not is said in another way, because of its times */
  isTouch?: true
  /** another set of which there is one, too; of `none` another one without */
  also?: Records
  /** of `every`: what holds for each of them */
  each?: About
  compare?: { op: 'gt' | 'gte' | 'lt' | 'lte' | 'eq'; value: number }[]
}

export interface FieldMeaning {
  entity: EntityName
  field: string
  type: 'number' | 'money' | 'text' | 'date' | 'flag'
}

export const isOf = (entity: EntityName, field: FieldMeaning): boolean => field.entity === entity

/** What a question asks: a query, one field of the records found, or whether all records fulfil a condition. */
export type Meaning =
  | {
      kind: 'query'
      query: Query
      show?: FieldMeaning
      /** the field is shown of each of several records */
      isEach?: true
      /** asked is how many groups there are */
      isNumber?: true
      /** "is there", "is Acme a customer": answered with yes or no */
      isYesNo?: true
      /** "who is the CFO of Acme": that no record says so does not mean that there is none */
      isUnknown?: true
      /** the last contact with a record: asked is when it was, or with whom */
      last?: 'when' | 'who'
    }
  | { kind: 'every'; set: Query; exceptions: Query }
  /** the share of won deals among the closed ones of the query; of groups the one with the best or the worst */
  | { kind: 'win rate'; query: Query; pick?: 'best' | 'worst' }
  /** the same figure of two sides; the query has both */
  | {
      kind: 'compare'
      query: Query
      sides: readonly { is: Condition; query: Query }[]
      /** asked is whether the first is the larger one */
      isYesNo?: true
      /** asked is which is the smaller one */
      isLess?: true
    }
  /** how much of the whole the query is */
  | { kind: 'share'; query: Query; whole: Query }

/** The kind of the records that a relation leads to. */
export const KIND_OF: Readonly<Record<string, EntityName>> = {
  companies: 'company',
  contacts: 'contact',
  deals: 'deal',
  activities: 'activity',
  notes: 'note',
  products: 'product',
}

/** The relation of the query language that leads from one kind to another. */
const RELATIONS: Record<EntityName, Partial<Record<EntityName, string>>> = {
  deal: {
    company: 'companies',
    contact: 'contacts',
    activity: 'activities',
    note: 'notes',
    product: 'products',
  },
  company: { deal: 'deals', contact: 'contacts', activity: 'activities', note: 'notes' },
  contact: { company: 'companies', deal: 'deals', activity: 'activities', note: 'notes' },
  activity: { deal: 'deals', company: 'companies', contact: 'contacts' },
  note: { deal: 'deals', company: 'companies', contact: 'contacts', product: 'products' },
  product: { deal: 'deals', note: 'notes' },
}

export const relationTo = (host: EntityName, other: EntityName): string | undefined => RELATIONS[host][other]

/** The condition as one on `host`: itself, or that a related record fulfils it. */
export function on(host: EntityName, about: About): Condition | undefined {
  if (about.entity === host || about.entity === ANY_ENTITY) return about.isOther ? undefined : about.where
  const relation = RELATIONS[host][about.entity]
  // "deals in Proposal since October" says nothing of their activities
  if (relation === undefined || about.isState || about.entity === 'activity') return undefined
  // a deal without a company is not from Acme either, so the negation is outside the relation
  return 'not' in about.where
    ? { not: { some: relation, where: about.where.not } }
    : { some: relation, where: about.where }
}

/** A field of the record itself is meant before one of its company, and that before one of other related records. */
export function liftCost(host: EntityName, about: About): number {
  if (about.entity === host || about.entity === ANY_ENTITY) return 0
  return about.entity === 'company' ? 0.5 : 1
}

export const isRelated = (where: Condition | undefined): boolean =>
  where !== undefined && ('some' in where || 'none' in where || 'every' in where || 'count' in where)

export const whole = (where: readonly Condition[]): Condition | undefined =>
  where.length === 0 ? undefined : where.length === 1 ? where[0] : { and: where }

/** Undefined when it contradicts what was said before: no record is both open and won. */
export function narrowed(records: Records, where: Condition | undefined): Records | undefined {
  if (!where) return undefined
  const about = (condition: Condition): About => ({ entity: records.entity, where: condition })
  const contradicts = records.where.some(before => union(about(before), about(where)))
  return contradicts ? undefined : { ...records, where: [...records.where, where] }
}

export function clauseOn(host: EntityName, clause: Clause): Condition | undefined {
  const relation = RELATIONS[host][clause.of.entity]
  if (relation === undefined || clause.of.isListed || clause.of.isOnly) return undefined
  const where = whole(clause.of.where)
  const narrow = where === undefined ? {} : { where }
  if (clause.kind === 'some') {
    const also = clause.also && whole(clause.also.where)
    const first = { some: relation, ...narrow }
    return also ? { and: [first, { some: relation, where: also }] } : first
  }
  if (clause.kind === 'none') {
    const also = clause.also && clauseOn(host, { kind: 'none', of: clause.also })
    return clause.also && !also
      ? undefined
      : also
        ? { and: [{ none: relation, ...narrow }, also] }
        : { none: relation, ...narrow }
  }
  if (clause.kind === 'count') {
    const counts = (clause.compare ?? []).map(compare => ({ count: relation, ...narrow, ...compare }))
    return whole(counts)
  }
  const each = clause.each && on(clause.of.entity, clause.each)
  if (!each) return undefined
  // "whose deals are all won" says nothing of a company without deals, so at least one is asked for
  const every: Condition = where ? { or: [{ not: where }, each] } : each
  return {
    and: [
      { some: relation, ...narrow },
      { every: relation, where: every },
    ],
  }
}

/** A record that has the value can have others, too: tags, categories, a field with several choices. */
export const canHaveOthers = (where: Condition): boolean =>
  isField(where) ? where.op === 'contains' || isOneChoice(where) : 'some' in where && where.some === 'tags'

/** One of the choices of a field with several. `contains` would find "Lead wall" for "Lead", too. */
export const isOneChoice = ({ field, op, value }: FieldCondition): boolean =>
  field.startsWith('cf.') && op === 'in' && Array.isArray(value) && value.length === 1

/** Several values of one field are one condition: Germany or France. */
export function union(a: About, b: About): About | undefined {
  if (a.entity !== b.entity) return undefined
  const [left, right] = [valuesOf(a.where), valuesOf(b.where)]
  if (!left || !right || left.field !== right.field) return undefined
  const where: Condition = {
    field: left.field,
    op: 'in',
    value: [...new Set([...left.values, ...right.values])],
  }
  return { entity: a.entity, where, ...stateOf(a, b) }
}

function valuesOf(where: Condition): { field: string; values: (string | number | boolean)[] } | undefined {
  if (!isField(where) || canHaveOthers(where)) return undefined
  const { field, op = 'eq', value } = where
  if (op === 'in' && Array.isArray(value)) return { field, values: [...value] }
  const isOne = op === 'eq' && value !== null && value !== undefined && !Array.isArray(value)
  return isOne ? { field, values: [value as string | number | boolean] } : undefined
}

const stateOf = (...parts: readonly About[]): { isState?: true } =>
  parts.some(({ isState }) => isState) ? { isState: true } : {}

export const isField = (where: Condition): where is FieldCondition => 'field' in where

export function both(kind: 'and' | 'or', a: About, b: About): About | undefined {
  const entity = a.entity === ANY_ENTITY ? b.entity : a.entity
  if (b.entity !== ANY_ENTITY && b.entity !== entity) return undefined
  const parts = [a.where, b.where]
  // "not won or lost" is neither of them
  if (kind === 'or' && 'not' in a.where && union({ ...a, where: a.where.not }, b)) return undefined
  if (kind === 'or') return union(a, b) ?? { entity, where: { or: parts }, ...stateOf(a, b) }
  // "open and won" of one deal is never true, so that is not what is meant
  return union(a, b) ? undefined : { entity, where: { and: parts }, ...stateOf(a, b) }
}

export const negated = (about: About): About => ({
  entity: about.entity,
  where: { not: about.where },
  ...stateOf(about),
})
