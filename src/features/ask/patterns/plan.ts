/** What a question about the data asks for. */
import type { RawBuilder } from 'kysely'
import type { Field, Kind } from './fields/index.ts'

type Sql = RawBuilder<unknown>

export interface Condition {
  where: Sql
  /** for the answer: "stage Proposal", "amount over 10000" */
  said: string
}

export type Measure =
  | { kind: 'list' }
  | { kind: 'count' }
  | { kind: 'any' }
  | { kind: 'sum' | 'average' | 'median'; field: Field; weighted?: boolean }
  | { kind: 'win rate' }
  /** two figures beside each other */
  | { kind: 'compared'; sides: { label: string; plan: Plan }[] }
  | { kind: 'share'; part: Plan; whole: Plan }
  /** one field of one record, or of the few that are called so */
  | { kind: 'field'; fields: Field[] }
  /** who was spoken to last, or when */
  | { kind: 'last contact'; asks: 'who' | 'when' | 'colleague' }

export interface Plan {
  entity: Kind
  measure: Measure
  conditions: Condition[]
  groupBy?: { label: string; value: Sql }
  /** of groups: only the first ones, the last ones when it is negative */
  top?: number
  /** of groups: only those with so many records */
  having?: { op: string; value: number }[]
  order?: {
    by: Sql
    label: string
    type: Field['type']
    descending: boolean
    limit: number
    /** how many stand before it: "the second largest" */
    skip?: number
    /** all of them in this order, also those without a value */
    isWhole?: boolean
  }
  /** fields that the answer shows beside the names */
  shown: Field[]
  /** asks who somebody is: when there is none, the records do not say */
  isUnknown?: boolean
}
