/** Tools that read records, in the account and with the scopes of the caller. */
import type { Tool } from '../../../ai/language-model/index.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { type Issue, uuid } from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { timeline } from '../../records/timeline/index.ts'
import { readableTypes } from '../../search/load.ts'
import { find, resultOf } from '../../search/search.ts'
import { questionOf } from '../../search/words.ts'
import type { Cited } from '../cited.ts'
import { ENTITY_TYPES, resourceOf } from '../proposals/check.ts'
import { queryTool } from './query.ts'
import { brief, detailed, listQuery, shown } from './record-text.ts'

const MAX_HITS = 8
const MAX_LISTED = 25

type Args = Record<string, unknown>

const object = (properties: Record<string, unknown>, required: string[]) => ({
  type: 'object',
  properties,
  required,
})
const string = (description: string) => ({ type: 'string', description })
const textIn = (args: Args, name: string) => questionOf(String(args[name] ?? ''))

export function readingTools(ctx: Ctx, records: Cited): Tool[] {
  const types = readableTypes(ctx, undefined).filter(type => type !== 'chat_message')
  const kinds = ENTITY_TYPES.filter(type => hasScope(ctx.caller.scopes, `${resourceOf(type).name}:read`))
  if (types.length === 0) return []
  const kind = { type: 'string', enum: kinds }
  const filters = {
    entity_type: kind,
    search: string('Words that the name or another text must hold'),
    filters: {
      type: 'object',
      description: 'Filters of the list, e.g. {"status": "lead"} or {"company_id": "<id>"}',
    },
  }
  const general: Tool[] = [
    {
      name: 'search',
      description: 'Finds records by words and by meaning, with the part that fits',
      parameters: object({ query: string('What to look for') }, ['query']),
      async run(args) {
        const { found, terms } = await find(ctx, textIn(args, 'query'), 'hybrid', { types })
        return found.slice(0, MAX_HITS).map(one => {
          const { entity_type, entity_id, name, snippet, score, updated_at } = resultOf(one, terms)
          const plain = snippet.replaceAll('**', '')
          const number = records.numberOf({ entity_type, entity_id, name, snippet: plain, updated_at, score })
          return { number, entity_type, id: entity_id, name, text: plain, updated_at }
        })
      },
    },
    queryTool(ctx, records),
  ]
  if (kinds.length === 0) return general
  return [
    ...general,
    {
      name: 'get',
      description: 'One record with all its fields',
      parameters: object({ entity_type: kind, id: string('Its id') }, ['entity_type', 'id']),
      async run(args) {
        const { resource, type } = readable(ctx, args)
        const record = await resource.operations.get(ctx, idIn(args))
        return { number: shown(records, type, record), record: detailed(record) }
      },
    },
    {
      name: 'list',
      description: `Records of one kind, at most ${MAX_LISTED}, and how many there are`,
      parameters: object(
        {
          ...filters,
          sort_by: string('A field, e.g. created_at'),
          sort_order: { type: 'string', enum: ['asc', 'desc'] },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LISTED },
        },
        ['entity_type'],
      ),
      async run(args) {
        const { resource, type } = readable(ctx, args)
        const limit = Math.min(MAX_LISTED, Math.max(1, Math.trunc(Number(args.limit)) || 10))
        const page = await resource.operations.list(ctx, listQuery(resource, args, limit))
        const items = page.items.map(record => ({ number: shown(records, type, record), ...brief(record) }))
        return { total: page.total, items }
      },
    },
    {
      name: 'count',
      description: 'How many records of one kind there are',
      parameters: object(filters, ['entity_type']),
      async run(args) {
        const { resource } = readable(ctx, args)
        return { total: (await resource.operations.list(ctx, listQuery(resource, args, 1))).total }
      },
    },
    {
      name: 'timeline',
      description: 'What happened to a record, latest first',
      parameters: object({ entity_type: kind, id: string('Its id') }, ['entity_type', 'id']),
      async run(args) {
        const { resource, type } = readable(ctx, args)
        const record = await resource.operations.get(ctx, idIn(args))
        const { items } = await timeline(ctx, record.id, 1, MAX_LISTED)
        return { number: shown(records, type, record), entries: items.map(brief) }
      },
    },
  ]
}

function readable(ctx: Ctx, args: Args): { resource: Resource; type: string } {
  const type = textIn(args, 'entity_type')
  const resource = resourceOf(type)
  const permission = `${resource.name}:read`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
  return { resource, type }
}

function idIn(args: Args): string {
  const issues: Issue[] = []
  const id = uuid().check(args.id, ['id'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  return id
}
