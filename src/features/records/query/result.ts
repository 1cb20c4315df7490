/** The result of a query, and the state while it runs. */
import type { RawBuilder } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { Stored } from '../../../kernel/resource.ts'
import type { Loc } from '../../../kernel/schema/index.ts'
import type { Kind } from './kinds.ts'
import type { Measure, Order, Query } from './spec.ts'
import type { CustomOf } from './values.ts'

export interface Result {
  entity: string
  /** the number of matching records */
  total: number
  items?: Stored[]
  /** the requested columns of each item */
  cells?: Record<string, unknown>[]
  figures?: Figure[]
  groups?: Group[]
  /** there are more groups than the limit */
  has_more?: boolean
}

/** A figure. Amounts in different currencies are not added up: there is one figure per currency. */
export interface Figure {
  /** a date for `min` and `max` of a date field */
  value: number | string | null
  currency: string | null
  count: number
}

export interface Group extends Figure {
  key: (string | number | boolean | null)[]
}

/** A query as a client sends it: its conditions are checked when they are compiled. */
export type AskedQuery = Omit<Query, 'where' | 'measure' | 'order'> & {
  where?: unknown
  order?: readonly (Omit<Order, 'where'> & { where?: unknown })[]
  measure?: { kind: Measure['kind']; field?: string }
}

export interface Running {
  ctx: Ctx
  kind: Kind
  asked: AskedQuery
  customOf: CustomOf
  /** the matching records as `r` and `o0` */
  source: RawBuilder<unknown>
  /** the path of the query in the request */
  loc: Loc
}
