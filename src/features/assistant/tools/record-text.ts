/** The list query of a tool call, and the text of a record in its result. */
import { errors } from '../../../kernel/errors.ts'
import { listParameters } from '../../../kernel/list-parameters.ts'
import type { Item, ListQuery, Resource, Stored } from '../../../kernel/resource.ts'
import type { Issue } from '../../../kernel/schema/index.ts'
import type { Cited } from '../cited.ts'

const MAX_VALUE = 300
const MAX_WHOLE = 6000

export function listQuery(resource: Resource, args: Record<string, unknown>, limit: number): ListQuery {
  const filters = typeof args.filters === 'object' && args.filters !== null ? args.filters : {}
  const { search, sort_by, sort_order } = args
  const input = { ...filters, search, sort_by, sort_order, page: 1, page_size: limit, deleted: false }
  const parametersSent = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== null),
  )
  const issues: Issue[] = []
  const parameters = listParameters(resource.record)
  const unknown = Object.keys(filters).find(name => !Object.hasOwn(parameters.fields, name))
  if (unknown !== undefined)
    throw errors.invalidValue(
      ['filters', unknown.slice(0, 100)],
      `there is no such filter, only ${Object.keys(parameters.fields).join(', ')}`,
      null,
    )
  const query = parameters.check(parametersSent, ['filters'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  return query
}

const nameOf = (record: Item): string =>
  String(record.full_name ?? record.name ?? record.subject ?? record.title ?? record.content ?? '').slice(
    0,
    200,
  )

export function shown(records: Cited, type: string, record: Stored): number | undefined {
  const snippet = Object.entries(brief(record))
    .filter(([name, value]) => !['id', 'account_id'].includes(name) && typeof value !== 'object')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
  const { id, updated_at } = record
  return records.numberOf({
    entity_type: type,
    entity_id: id,
    name: nameOf(record),
    snippet,
    updated_at: String(updated_at),
    score: 1,
  })
}

const OMITTED = new Set(['account_id', 'custom_fields', 'is_favorite', 'actor', 'operation_id'])
const filled = (record: object) =>
  Object.entries(record).filter(
    ([name, value]) =>
      !OMITTED.has(name) && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )

const shortened =
  (max: number) =>
  (record: object): Item =>
    Object.fromEntries(
      filled(record).map(([name, value]) => {
        if (typeof value === 'string') return [name, value.slice(0, max)]
        return [name, JSON.stringify(value).length > max ? '…' : value]
      }),
    )

/** A record in the result of a list: short values in full, long texts cut. */
export const brief = shortened(MAX_VALUE)
export const detailed = shortened(MAX_WHOLE)
