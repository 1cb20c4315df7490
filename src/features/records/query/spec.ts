/**
 * The query language: what `POST /api/query` takes, what a question means and what the assistant's tools send.
 * A Query names no ids of the schema (tables, columns); fields are those of the records as the API answers them.
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
 * `stage.type`). A step into several records means that at least one of them fulfils the condition.
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

/** How many of the related records fulfil `where`: at least one, all of them, none, or a number compared. */
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
  /** a field, or `measure` for the figure of each group */
  by: FieldPath | 'measure'
  direction?: 'asc' | 'desc'
}

export interface Query {
  /** `deal`, `company`, `contact`, `activity`, `note`, … as in `entity_type` */
  entity: string
  where?: Condition
  /** `{kind: 'list'}` when absent */
  measure?: Measure
  group_by?: readonly GroupKey[]
  /** keeps the groups whose figure compares so */
  having?: { op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; value: number }
  order?: readonly Order[]
  limit?: number
}

/** Steps into related records, one inside another. */
export const MAX_DEPTH = 4
export const MAX_CONDITIONS = 200
