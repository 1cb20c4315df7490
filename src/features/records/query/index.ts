/** `POST /api/query` and `POST /api/<group>/query`. */

import type { Ctx } from '../../../kernel/context.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { errors, relocate } from '../../../kernel/errors.ts'
import { pageOf, pathOf } from '../../../kernel/general-endpoints.ts'
import { listRecords } from '../../../kernel/list-query.ts'
import type { Endpoint, Resource } from '../../../kernel/resource.ts'
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
  sometimes,
  text,
  union,
} from '../../../kernel/schema/index.ts'
import { ENTITIES, RELATIONS } from './relations.ts'
import { type AskedQuery, DEFAULT_LIMIT, MAX_LIMIT, runQuery } from './run.ts'
import { whereConditions } from './selection.ts'
import { BUCKETS, COMPARISONS } from './spec.ts'
import { whereSchema } from './where.ts'

const MAX_OFFSET = 10_000

const open = { field: 'status', value: 'open' }
const EXAMPLES = [
  {
    entity: 'deal',
    where: { and: [open, { field: 'company.country', op: 'in', value: ['Germany', 'France'] }] },
    order: [{ by: 'amount', direction: 'desc' }],
    limit: 5,
  },
  {
    entity: 'deal',
    where: open,
    measure: { kind: 'sum', field: 'amount' },
    group_by: [{ field: 'owner.name' }, { field: 'expected_close_date', bucket: 'month' }],
    having: { op: 'gt', value: 10_000 },
  },
  {
    entity: 'company',
    where: { and: [{ some: 'deals' }, { every: 'deals', where: { field: 'status', value: 'won' } }] },
  },
  {
    entity: 'contact',
    where: { none: 'activities', where: { field: 'happened_at', op: 'gte', value: '2026-10-01' } },
    measure: { kind: 'count' },
  },
]

const measure = object(
  {
    kind: oneOf(['list', 'count', 'sum', 'avg', 'median', 'min', 'max']),
    field: optional(text({ max: 200, description: 'The field to measure; not for list and count' })),
  },
  { title: 'QueryMeasure' },
)

/** The parts of a query except its entity and conditions. */
const parts = {
  measure: optional(measure),
  group_by: optional(
    list(
      object({ field: text({ max: 200 }), bucket: optional(oneOf(BUCKETS)) }, { title: 'QueryGroupKey' }),
      {
        max: 3,
        description:
          'Fields of the records or of related ones (`company.country`, `contacts.city`, `categories`), or calendar units of dates, in UTC. A record is in each group whose value it has.',
      },
    ),
  ),
  having: optional(
    object({ op: oneOf(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']), value: number() }, { title: 'QueryHaving' }),
  ),
  order: optional(
    list(
      object(
        {
          by: text({ max: 200 }),
          direction: optional(oneOf(['asc', 'desc'])),
          where: optional(whereSchema),
        },
        { title: 'QueryOrder' },
      ),
      {
        max: 3,
        description:
          'Fields to sort by, or numbers of related records (`deals.count`, where `where` limits those that are counted); for groups, one of the group fields, or `measure` for the figure. Empty values come last.',
      },
    ),
  ),
  limit: optional(
    int({ min: 0, max: MAX_LIMIT, description: 'The number of records or groups; default 50' }),
  ),
  offset: optional(
    int({
      min: 0,
      max: MAX_OFFSET,
      description: 'The number of records or groups left out before the first',
    }),
  ),
}

const query = {
  entity: text({
    max: 50,
    description: `The kind of record: one of ${ENTITIES.join(', ')}`,
    examples: ['deal', 'company', 'contact', 'activity', 'note', 'member'],
  }),
  where: optional(whereSchema),
  ...parts,
}

export const querySchema = object(query, { title: 'Query', examples: EXAMPLES })

const paging = {
  page: optional(int({ min: 1, description: 'The page of a list; default 1' })),
  page_size: optional(int({ min: 1, max: MAX_LIMIT, description: 'Records on a page, also beyond `limit`' })),
}
const queryBody = object({ ...query, ...paging }, { title: 'QueryRequest', examples: EXAMPLES })

const figure = {
  value: nullable(union({ float: number(), str: text() }), {
    description: 'A number; a date for min and max of dates; null when no record has the field',
  }),
  currency: nullable(text({ description: 'Of amounts of deals, which are not added up across currencies' })),
  count: int({ min: 0, description: 'How many records have the field; all of them when they are counted' }),
}

export const queryResult = object(
  {
    entity: text(),
    total: int({ min: 0, description: 'The number of matching records' }),
    items: sometimes(
      list(dict(), { description: 'The records of a list, as their own endpoints return them' }),
    ),
    cells: sometimes(list(dict(), { description: 'For a saved view, its columns for each of the items' })),
    figures: sometimes(list(object(figure, { title: 'QueryFigure' }))),
    groups: sometimes(
      list(object({ key: list(anyScalar()), ...figure }, { title: 'QueryGroup' }), {
        description: 'One for each combination of the values of `group_by`',
      }),
    ),
    has_more: sometimes(boolean({ description: 'There are more groups than the limit' })),
    page: sometimes(int({ min: 1, description: 'If the request has page or page_size' })),
    page_size: sometimes(int({ min: 1 })),
    total_pages: sometimes(int({ min: 0 })),
  },
  { title: 'QueryResult' },
)

function anyScalar(): Schema<string | number | boolean | null> {
  return nullable(text()) as Schema<string | number | boolean | null>
}

/** Where a reader of the document learns the language. */
const LANGUAGE = `docs/guides/queries.md is a guide to the language, with examples. Operators are ${COMPARISONS.join(', ')}; eq when absent.`

const general: Endpoint = endpoint({
  method: 'POST',
  path: '/api/query',
  tag: 'Query',
  permission: 'signed-in',
  summary: 'Run a query',
  description: `Lists records, counts them, adds up a number or groups them. ${LANGUAGE} Conditions step into related records up to four times; each kind of record in a query needs its read scope. ${RELATIONS} An invalid query is a 422 with the position in \`loc\`; a query that takes too long is a 503. \`POST /api/search/ask\` returns the query of a computed answer in \`data.query\`, in this form.`,
  strict: true,
  body: queryBody,
  response: queryResult,
  run: (ctx, { body }) => pagedQuery(ctx, body),
})

interface Pages {
  page?: number
  page_size?: number
}

/** Returns a page if the request has `page` or `page_size`. */
async function pagedQuery(ctx: Ctx, { page, page_size, ...asked }: AskedQuery & Pages) {
  const isList = (asked.measure?.kind ?? 'list') === 'list' && !asked.group_by?.length
  const paged = { page: page ?? 1, page_size: page_size ?? DEFAULT_LIMIT }
  if (page === undefined && page_size === undefined) return runQuery(ctx, asked)
  if (!isList)
    throw errors.invalidValue(
      ['body', page === undefined ? 'page_size' : 'page'],
      'only a list has pages',
      page,
    )
  const result = await runQuery(ctx, asked, { paging: paged })
  const rest = Math.max(0, result.total - (asked.offset ?? 0))
  const reachable = Math.min(rest, asked.limit ?? rest)
  return { ...result, ...paged, total_pages: Math.ceil(reachable / paged.page_size) }
}

/** A request with one of these is a query; one without is a list. ONLY_LISTS cannot be combined with them. */
const BEYOND = ['measure', 'group_by', 'having', 'order', 'limit', 'offset'] as const
const ONLY_LISTS = [
  'search',
  'sort_by',
  'sort_order',
  'cursor',
  'deleted',
  'deleted_after',
  'deleted_before',
] as const

const groupBody = object(
  {
    where: optional(whereSchema),
    ...parts,
    search: optional(text({ max: 1000 })),
    sort_by: optional(text()),
    sort_order: optional(oneOf(['asc', 'desc'])),
    ...paging,
    cursor: optional(text()),
    deleted: optional(boolean()),
    deleted_after: optional(datetime()),
    deleted_before: optional(datetime()),
  },
  { title: 'RecordQuery' },
)

/** `POST /api/query`, and `POST /api/<group>/query` for each of these resources. */
export function queryEndpoints(resources: readonly Resource[]): Endpoint[] {
  return [
    general,
    ...resources.map(
      (resource): Endpoint =>
        endpoint({
          method: 'POST',
          path: `${pathOf(resource)}/query`,
          tag: resource.tag,
          permission: `${resource.name}:read`,
          summary: `Query ${resource.tag.toLowerCase()}`,
          description: `With conditions alone, it returns a page like the list, with its search, sorting and cursors. With \`measure\`, \`group_by\`, \`having\`, \`order\`, \`limit\` or \`offset\` the response is that of \`POST /api/query\`, which names the relations of each kind. ${LANGUAGE}`,
          strict: true,
          body: groupBody,
          response: { ...pageOf(resource), json: { anyOf: [pageOf(resource).json, queryResult.json] } },
          run: async (ctx, { body }) => {
            if (BEYOND.some(key => body[key] !== undefined)) {
              const only = ONLY_LISTS.find(key => body[key] !== undefined)
              if (only !== undefined)
                throw errors.invalidValue(
                  ['body', only],
                  `this does not go with ${BEYOND.join(', ')}: use order`,
                  null,
                )
              return pagedQuery(ctx, { entity: resource.record.entityType ?? '', ...body })
            }
            const { where, page = 1, page_size = DEFAULT_LIMIT, ...rest } = body
            const params = { ...rest, page, page_size }
            const conditions = await whereConditions(ctx, resource.record, where)
            return listRecords(ctx, resource.record, params, conditions).catch(relocate(['body']))
          },
        }),
    ),
  ]
}
