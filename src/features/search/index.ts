/** `/api/search`: finding records by words and by meaning, and the state of the index. */
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { asPage, pageParameters } from '../../kernel/page.ts'
import type { Resource } from '../../kernel/resource.ts'
import {
  dict,
  int,
  list,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { filtered } from './filter.ts'
import { readableTypes } from './load.ts'
import { entityTypes, indexStatus, MODES, questionText, result, results, typeList } from './schemas.ts'
import { find, resultOf } from './search.ts'
import { similar } from './similar.ts'
import { ENTITY_TYPES } from './sources/index.ts'
import { reindex, status } from './status.ts'
import { typeAhead } from './type-ahead.ts'

const tag = 'Search'
const pageOfAll = <T>(items: readonly T[], page: number, size: number) =>
  asPage(items.slice((page - 1) * size, page * size), items.length, page, size)

export const searchEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/search',
    tag,
    permission: 'search:read',
    summary: 'Search while typing',
    description: 'Exact matches of names, addresses, domains and numbers come first, then prefixes.',
    query: object({
      q: questionText,
      entity_types: typeList,
      limit: withDefault(int({ min: 1, max: 50 }), 10),
    }),
    response: results,
    fromReplica: true,
    run: async (ctx, { query }) => {
      const items = await typeAhead(ctx, query.q, readableTypes(ctx, query.entity_types), query.limit)
      return { ...pageOfAll(items, 1, query.limit), mode: 'keyword' }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/search',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Search records',
    description: 'By words, by meaning, or both.',
    body: object({
      query: questionText,
      entity_types: entityTypes,
      mode: withDefault(oneOf(MODES), 'hybrid'),
      filter: optional(
        dict({
          description: 'The filters of lists; kinds of record without such a filter are not searched',
          examples: [{ status: 'lead' }],
        }),
      ),
      ...pageParameters({ max: 100, usual: 20 }),
    }),
    response: results,
    fromReplica: true,
    run: async (ctx, { body }) => {
      const within = await filtered(ctx, resources, readableTypes(ctx, body.entity_types), body.filter)
      const { found, terms, mode } = await find(ctx, body.query, body.mode, within)
      const page = pageOfAll(found, body.page, body.page_size)
      return { ...page, items: page.items.map(one => resultOf(one, terms)), mode }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/search/similar',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Find similar records',
    description:
      'By meaning, most similar first. Records without a vector, as while embeddings are off, are compared by their words. Empty until the record is indexed. Also needs the scope to read the record, such as `notes:read`.',
    body: object({
      entity_type: oneOf(ENTITY_TYPES),
      entity_id: uuid(),
      entity_types: entityTypes,
      limit: withDefault(int({ min: 1, max: 50 }), 10),
    }),
    response: object({ items: list(result) }, { title: 'SimilarRecords' }),
    fromReplica: true,
    run: async (ctx, { body }) => ({
      items: await similar(
        ctx,
        body.entity_type,
        body.entity_id,
        readableTypes(ctx, body.entity_types),
        body.limit,
      ),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/api/search/reindex',
    tag,
    permission: 'search:write',
    role: 'admin',
    summary: 'Rebuild the search index',
    description: 'Until it is done, searches use the present index.',
    status: 202,
    response: object({ status: text({ examples: ['queued'] }) }, { title: 'SearchReindex' }),
    run: async ctx => {
      await reindex(ctx)
      return { status: 'queued' }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/search/status',
    tag,
    permission: 'search:read',
    summary: 'Get the status of the search index',
    description:
      '`indexing` while changes are waiting or the index is being rebuilt. Searches work meanwhile and find what is indexed.',
    response: indexStatus,
    run: ctx => status(ctx),
  }),
]
