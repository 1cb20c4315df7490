/**
 * The query language of `POST /api/query`, of questions and of the assistant's tools. A Query does not refer to tables
 * or columns; its fields are those of the API.
 */

export const COMPARISONS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'is_null',
] as const
export type Comparison = (typeof COMPARISONS)[number]

/**
 * A field of the record (`amount`), a custom field (`cf.tier`) or a field of a related record (`company.country`,
 * `stage.type`). A step into several records means that at least one of them fulfils the condition. To measure, group
 * and sort by, the number of related records is `deals.count`.
 */
export type FieldPath = string

export type Scalar = string | number | boolean

export interface FieldCondition {
  field: FieldPath
  /** `eq` when absent */
  op?: Comparison
  /** a list for `in`, `not_in` and `between`; absent or a boolean for `is_null` */
  value?: Scalar | readonly Scalar[] | null
}

/** Which number of the related records must fulfil `where`: at least one, all, none, or a compared number. */
export type RelatedCondition =
  | { some: string; where?: Condition }
  | { every: string; where: Condition }
  | { none: string; where?: Condition }
  | {
      count: string
      where?: Condition
      op: Exclude<Comparison, 'contains' | 'starts_with' | 'ends_with' | 'is_null'>
      value: number | readonly number[]
    }

export type Condition =
  | { and: readonly Condition[] }
  | { or: readonly Condition[] }
  | { not: Condition }
  | FieldCondition
  | RelatedCondition

export const BUCKETS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Bucket = (typeof BUCKETS)[number]

export type Measure =
  | { kind: 'list' }
  | { kind: 'count' }
  | { kind: 'sum' | 'avg' | 'median' | 'min' | 'max'; field: FieldPath }

/** A field, or the calendar unit of a date field. */
export interface GroupKey {
  field: FieldPath
  bucket?: Bucket
}

export interface Order {
  /** a field, the number of related records (`deals.count`), or `measure` for the figure of each group */
  by: FieldPath | 'measure'
  direction?: 'asc' | 'desc'
  /** which of the related records are counted; all when absent */
  where?: Condition
}

export interface Query {
  /** `deal`, `company`, `contact`, `activity`, `note`, … as in `entity_type` */
  entity: string
  where?: Condition
  /** `{kind: 'list'}` when absent */
  measure?: Measure
  group_by?: readonly GroupKey[]
  /** returns only groups whose figure fulfils the comparison */
  having?: { op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; value: number }
  order?: readonly Order[]
  limit?: number
  /** so many records or groups are left out before the first */
  offset?: number
}

/** Nested steps into related records. */
export const MAX_DEPTH = 4
export const MAX_CONDITIONS = 200
