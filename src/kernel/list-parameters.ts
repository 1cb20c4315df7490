/** The query parameters of lists: those that every list has, and those of one resource. */
import { sql } from 'kysely'
import { errors } from './errors.ts'
import { fold } from './fold.ts'
import type { Filter, ListQuery, RecordType } from './resource.ts'
import {
  boolean,
  datetime,
  int,
  type JsonSchema,
  object,
  oneOf,
  optional,
  type RecordSchema,
  type Schema,
  text,
  uuid,
  withDefault,
} from './schema/index.ts'
import { rows } from './statements.ts'

/** What follows from a record's declaration; computing it for each list took an eighth of the objects of a request. */
function oncePerRecord<T>(compute: (record: RecordType) => T): (record: RecordType) => T {
  const computed = new WeakMap<RecordType, T>()
  return record => {
    const before = computed.get(record)
    if (before !== undefined) return before
    const value = compute(record)
    computed.set(record, value)
    return value
  }
}

export const MAX_PAGE_SIZE = 1000

/** Ids in a query: `ids=a,b` or `ids=a&ids=b`. */
const idList: Schema<string[]> = {
  optional: true,
  json: { type: 'string', description: 'Comma-separated ids' },
  check(input, loc, issues) {
    const one = uuid()
    const texts = (Array.isArray(input) ? input : [input]).flatMap(part => String(part).split(','))
    return texts.filter(part => part !== '').map((part, i) => one.check(part, [...loc, i], issues))
  },
}

/** The records whose column compares with the value. */
const compares = (column: string, operator: '>=' | '<'): Filter<string> => ({
  schema: datetime(),
  where: (_, value) => sql`r.${sql.ref(column)} ${sql.raw(operator)} ${value}::timestamptz`,
  bindsValue: true,
})

/** The records whose column has the value. */
export const equals = <T>(column: string, schema: Schema<T>, counted?: Filter<T>['counted']): Filter<T> => ({
  schema,
  where: (_, value) => sql`r.${sql.ref(column)} = ${value}`,
  bindsValue: true,
  ...(counted ? { counted } : {}),
})

const commonFilters: Record<string, Filter> = {
  created_after: compares('created_at', '>='),
  created_before: compares('created_at', '<'),
  updated_after: compares('updated_at', '>='),
  updated_before: compares('updated_at', '<'),
  ids: { schema: idList, where: (_, value: string[]) => sql`r.id = any(${value}::uuid[])`, bindsValue: true },
}

/** Filters of the trash. They imply `deleted=true`, because they match no record outside the trash. */
const trashFilters: Record<string, Filter> = {
  deleted_after: compares('deleted_at', '>='),
  deleted_before: compares('deleted_at', '<'),
}

export const TRASH_PARAMETERS = ['deleted', ...Object.keys(trashFilters)]

/** Whether the request lists the trash. */
export function listsTrash(params: Partial<ListQuery>): boolean {
  const trashFilter = Object.keys(trashFilters).find(name => params[name] !== undefined)
  if (trashFilter !== undefined && params.deleted === false) {
    const rule = `${trashFilter} lists the trash: leave out deleted or set it to true`
    throw errors.invalidValue(['query', 'deleted'], rule, false)
  }
  return params.deleted === true || trashFilter !== undefined
}

const categoryFilter: Filter<string> = {
  schema: text({ max: 1000, trim: true }),
  where: (ctx, value) =>
    sql`r.id in (select u.entity_id from ${rows(ctx, 'category_uses')} u where u.name_key = ${fold(value)})`,
}

/** The filters of a list, without those of the trash. */
export function filtersOf(record: RecordType): Record<string, Filter> {
  return {
    ...commonFilters,
    ...('categories' in record.output.fields ? { category: categoryFilter } : {}),
    ...record.filters,
  }
}

/** The filters of a list by their names. */
export const conditionFilters = oncePerRecord((record): readonly (readonly [string, Filter])[] =>
  Object.entries({ ...filtersOf(record), ...trashFilters }),
)

/** The query parameters of a list. */
export function listParameters(record: RecordType): RecordSchema<ListQuery> {
  const filters = conditionFilters(record).map(([name, { schema }]) => [name, optional(schema)] as const)
  return object({
    page: withDefault(int({ min: 1 }), 1),
    page_size: withDefault(int({ min: 1, max: MAX_PAGE_SIZE }), 50),
    ...(record.search ? { search: optional(text({ max: 1000 })) } : {}),
    sort_by: optional(
      text({
        description: `One of ${sortableFields(record).join(', ')}, cf.<key>, and deleted_at for the trash`,
      }),
    ),
    sort_order: optional(oneOf(['asc', 'desc'])),
    cursor: optional(
      text({ description: 'Empty for the first page, then `next_cursor` of the previous page' }),
    ),
    deleted: optional(boolean({ description: 'true lists the trash instead of the other records' })),
    ...Object.fromEntries(filters),
  })
}

/** The PostgreSQL type of an output field that can be sorted by. */
export function sortType(json: JsonSchema | undefined): string | undefined {
  const kinds = (json?.anyOf ?? [json]).filter(kind => kind?.type !== 'null')
  // A value of several types (`domains`: a text or a list) is jsonb, whose order is useless to people.
  if (kinds.length !== 1) return undefined
  const { type, format } = kinds[0] ?? {}
  if (type === 'string' && format === 'date-time') return 'timestamptz'
  if (type === 'string' && format === 'date') return 'date'
  if (type === 'string' && format === 'uuid') return 'uuid'
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'numeric'
  if (type === 'boolean') return 'boolean'
  return undefined
}

/** The fields that a list can be sorted by, with their types in PostgreSQL. */
export const sortableTypes = oncePerRecord((record): ReadonlyMap<string, string> => {
  const types = new Map<string, string>()
  for (const [name, schema] of Object.entries(record.output.fields)) {
    const type = sortType(schema.json)
    if (type !== undefined && !record.links?.[name] && name !== 'account_id') types.set(name, type)
  }
  for (const [column, type] of Object.entries(record.furtherSorts ?? {})) types.set(column, type)
  return types
})

export const sortableFields = (record: RecordType): string[] => [...sortableTypes(record).keys()]
