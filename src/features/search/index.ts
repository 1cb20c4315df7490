/** `/api/search`: finding records by words and by meaning, answers from them, and the state of the index. */
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
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { ask } from './ask/index.ts'
import { filtered } from './filter.ts'
import { readableTypes } from './load.ts'
import { find, resultOf } from './search.ts'
import { similar } from './similar.ts'
import { ENTITY_TYPES } from './sources.ts'
import { reindex, status } from './status.ts'
import { typeAhead } from './type-ahead.ts'

const tag = 'Search'
const MAX_QUESTION = 1000
const MODES = ['keyword', 'semantic', 'hybrid'] as const

export const result = object(
  {
    entity_type: text({ examples: ENTITY_TYPES }),
    entity_id: uuid(),
    name: text(),
    snippet: text({ description: 'The part of the record that was found; what matches stands between **' }),
    score: number(),
    matched_by: oneOf(['exact', 'keyword', 'semantic', 'hybrid']),
    updated_at: datetime(),
  },
  { title: 'SearchResult' },
)

const results = object(
  {
    items: list(result),
    total: int(),
    page: int(),
    page_size: int(),
    total_pages: int(),
    mode: oneOf(MODES, { description: 'How it was searched: by words alone while there is no model' }),
  },
  { title: 'SearchResults' },
)

const citation = object(
  {
    index: int({ description: 'As in the brackets of the answer' }),
    entity_type: text(),
    entity_id: uuid(),
    name: text(),
    snippet: text(),
    updated_at: datetime(),
    score: number(),
  },
  { title: 'Citation' },
)

const answer = object(
  {
    answer: text(),
    citations: list(citation),
    conflicts: list(
      object({ statements: list(object({ index: int(), text: text(), updated_at: datetime() })) }),
      { description: 'Where records disagree, the newest first' },
    ),
    grounded: boolean({ description: 'Whether the records hold the answer' }),
    model: text({
      description:
        'data: computed; extractive: the records’ own words; otherwise the language model that put it into words',
    }),
    data: nullable(dict({ description: 'The figures behind an answer that was computed' })),
  },
  { title: 'Answer' },
)

/** `entity_types=contact,deal` or the parameter several times. */
const typeList: Schema<string[]> = {
  optional: true,
  json: { type: 'string', description: `Comma-separated, of ${ENTITY_TYPES.join(', ')}` },
  check(input, loc, issues) {
    const one = oneOf(ENTITY_TYPES as [string, ...string[]])
    const texts = (Array.isArray(input) ? input : [input]).flatMap(part => String(part).split(','))
    return texts.filter(part => part !== '').map((part, i) => one.check(part.trim(), [...loc, i], issues))
  },
}

const entityTypes = optional(list(oneOf(ENTITY_TYPES as [string, ...string[]]), { max: ENTITY_TYPES.length }))

const pageOfAll = <T>(items: readonly T[], page: number, size: number) => ({
  items: items.slice((page - 1) * size, page * size),
  total: items.length,
  page,
  page_size: size,
  total_pages: Math.ceil(items.length / size),
})

export const searchEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  {
    method: 'GET',
    path: '/api/search',
    tag,
    permission: 'search:read',
    summary: 'Find records while typing',
    description: 'Whole names, addresses, domains and numbers first, then what begins with what was typed.',
    query: object({
      q: text({ min: 1, max: MAX_QUESTION }),
      entity_types: typeList,
      limit: withDefault(int({ min: 1, max: 50 }), 10),
    }),
    response: results,
    run: async (ctx, { query }) => {
      const items = await typeAhead(ctx, query.q, readableTypes(ctx, query.entity_types), query.limit)
      return { ...pageOfAll(items, 1, query.limit), mode: 'keyword' }
    },
  },
  {
    method: 'POST',
    path: '/api/search',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Search by words, by meaning, or both',
    body: object({
      query: text({ min: 1, max: MAX_QUESTION }),
      entity_types: entityTypes,
      mode: withDefault(oneOf(MODES), 'hybrid'),
      filter: optional(
        dict({
          description: 'Filters as the lists have them; kinds of record without such a filter are left out',
          examples: [{ status: 'lead' }],
        }),
      ),
      page: withDefault(int({ min: 1 }), 1),
      page_size: withDefault(int({ min: 1, max: 100 }), 20),
    }),
    response: results,
    run: async (ctx, { body }) => {
      const within = await filtered(ctx, resources, readableTypes(ctx, body.entity_types), body.filter)
      const { found, terms, mode } = await find(ctx, body.query, body.mode, within)
      const page = pageOfAll(found, body.page, body.page_size)
      return { ...page, items: page.items.map(one => resultOf(one, terms)), mode }
    },
  },
  {
    method: 'POST',
    path: '/api/search/ask',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Answer a question from the records',
    description:
      'Questions about the data (how many, how much, which, who, when) are computed; others are answered with what the records say. Numbers in brackets are those of the citations. `grounded` is false when the records do not hold the answer.',
    body: object({
      question: text({ min: 1, max: MAX_QUESTION }),
      entity_types: entityTypes,
      top_k: withDefault(int({ min: 1, max: 20 }), 5),
      chat_id: optional(uuid({ description: 'The chat in which it is asked' })),
    }),
    response: answer,
    run: (ctx, { body }) => {
      // what was asked and answered before is no evidence, unless it is asked for
      const types = readableTypes(ctx, body.entity_types).filter(
        type => type !== 'chat_message' || body.entity_types?.includes(type),
      )
      return ask(ctx, { question: body.question, types, topK: body.top_k, chatId: body.chat_id })
    },
  },
  {
    method: 'POST',
    path: '/api/search/similar',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Find records that say much the same as a given one',
    body: object({
      entity_type: oneOf(ENTITY_TYPES as [string, ...string[]]),
      entity_id: uuid(),
      entity_types: entityTypes,
      limit: withDefault(int({ min: 1, max: 50 }), 10),
    }),
    response: object({ items: list(result) }),
    run: async (ctx, { body }) => ({
      items: await similar(
        ctx,
        body.entity_type,
        body.entity_id,
        readableTypes(ctx, body.entity_types),
        body.limit,
      ),
    }),
  },
  {
    method: 'POST',
    path: '/api/search/reindex',
    tag,
    permission: 'search:write',
    role: 'admin',
    summary: 'Make the index anew in the background',
    description: 'Until it is done, the present one answers.',
    status: 202,
    response: object({ status: text({ examples: ['queued'] }) }),
    run: async ctx => {
      await reindex(ctx)
      return { status: 'queued' }
    },
  },
  {
    method: 'GET',
    path: '/api/search/status',
    tag,
    permission: 'search:read',
    summary: 'How far the index is',
    response: object({
      status: oneOf(['ready', 'indexing']),
      records: int(),
      passages: int(),
      pending_records: int({
        description: 'Records whose latest changes are not in the index yet, at least',
      }),
      lag_seconds: number({ description: 'How long the oldest of those has been waiting' }),
      reindexing: boolean(),
      embeddings: object({
        status: oneOf(['idle', 'ready', 'failed', 'off'], {
          description: 'failed: searches go by words alone; off: it is turned off',
        }),
        model: nullable(text()),
        embedded: int(),
        pending: int(),
        error: nullable(text()),
      }),
      language_model: nullable(text()),
    }),
    run: ctx => status(ctx),
  },
]
