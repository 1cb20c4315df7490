/** `POST /api/query` and `POST /api/<group>/query`. */

import { endpoint } from '../../kernel/endpoint.ts'
import { relocate } from '../../kernel/errors.ts'
import { pageOf, pathOf } from '../../kernel/general-endpoints.ts'
import { listRecords } from '../../kernel/list-query.ts'
import type { Endpoint, Resource } from '../../kernel/resource.ts'
import {
  boolean,
  datetime,
  dict,
  int,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  text,
  withDefault,
} from '../../kernel/schema/index.ts'
import type { Kinds } from './relations.ts'
import { MAX_LIMIT, runQuery } from './run.ts'
import { whereConditions, whereSchema } from './selection.ts'
import { BUCKETS } from './spec.ts'

const measure = object(
  {
    kind: oneOf(['list', 'count', 'sum', 'avg', 'median', 'min', 'max']),
    field: optional(
      text({ max: 200, description: 'The number that is added up or compared; not for list and count' }),
    ),
  },
  { title: 'QueryMeasure' },
)

const queryBody = object(
  {
    entity: text({ max: 50, examples: ['deal', 'company', 'contact', 'activity', 'note'] }),
    where: optional(whereSchema),
    measure: optional(measure),
    group_by: optional(
      list(
        object({ field: text({ max: 200 }), bucket: optional(oneOf(BUCKETS)) }, { title: 'QueryGroupKey' }),
        { max: 3 },
      ),
    ),
    having: optional(
      object(
        { op: oneOf(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']), value: number() },
        { title: 'QueryHaving' },
      ),
    ),
    order: optional(
      list(
        object(
          { by: text({ max: 200 }), direction: optional(oneOf(['asc', 'desc'])) },
          { title: 'QueryOrder' },
        ),
        {
          max: 3,
        },
      ),
    ),
    limit: optional(int({ min: 0, max: MAX_LIMIT, description: 'Records or groups; 50 when absent' })),
  },
  { title: 'Query' },
)

const figure = {
  value: nullable(number()),
  currency: nullable(text({ description: 'Of amounts of deals, which are not added up across currencies' })),
  count: int({ min: 0, description: 'How many records are behind the figure' }),
}

const result = object(
  {
    entity: text(),
    total: int({ min: 0, description: 'How many records fulfil the conditions' }),
    items: optional(
      list(dict(), { description: 'The records of a list, as their own endpoints answer them' }),
    ),
    figures: optional(list(object(figure, { title: 'QueryFigure' }))),
    groups: optional(
      list(object({ key: list(anyScalar()), ...figure }, { title: 'QueryGroup' }), {
        description: 'One for each combination of the values of `group_by`',
      }),
    ),
  },
  { title: 'QueryResult' },
)

function anyScalar(): Schema<string | number | boolean | null> {
  return nullable(text()) as Schema<string | number | boolean | null>
}

const general = (kinds: Kinds): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/api/query',
    tag: 'Query',
    permission: 'signed-in',
    summary: 'Run a query over the records of the account',
    description:
      'Lists records, counts them, adds up a number or groups them. `POST /api/search/ask` returns the query of a computed answer in `data.query`, in this form.',
    strict: true,
    body: queryBody,
    response: result,
    run: (ctx, request) => runQuery(ctx, kinds, request.body),
  })

const groupBody = object({
  where: optional(whereSchema),
  search: optional(text({ max: 1000 })),
  sort_by: optional(text()),
  sort_order: optional(oneOf(['asc', 'desc'])),
  page: withDefault(int({ min: 1 }), 1),
  page_size: withDefault(int({ min: 1, max: 1000 }), 50),
  cursor: optional(text()),
  deleted: optional(boolean()),
  deleted_after: optional(datetime()),
  deleted_before: optional(datetime()),
})

/** `POST /api/query`, and `POST /api/<group>/query` for each of these resources. */
export function queryEndpoints(resources: readonly Resource[], kinds: Kinds): Endpoint[] {
  return [
    general(kinds),
    ...resources.map(
      (resource): Endpoint =>
        endpoint({
          method: 'POST',
          path: `${pathOf(resource)}/query`,
          tag: resource.tag,
          permission: `${resource.name}:read`,
          summary: `Find ${resource.tag.toLowerCase()} by nested conditions`,
          strict: true,
          body: groupBody,
          response: pageOf(resource),
          run: async (ctx, request) => {
            const { where, ...params } = request.body
            const conditions = await whereConditions(ctx, kinds, resource.record, where)
            return listRecords(ctx, resource.record, params, conditions).catch(relocate(['body']))
          },
        }),
    ),
  ]
}
