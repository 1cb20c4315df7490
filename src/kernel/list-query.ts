/** What every list offers: paging, cursors, sorting, searching and filtering, as one statement. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from './context.ts'
import { customOrder, keysByValue } from './custom-order.ts'
import {
  type CustomColumn,
  type CustomColumns,
  customColumns,
  customConditions,
  customKey,
} from './custom-values.ts'
import { errors } from './errors.ts'
import type { Filter, Item, ListQuery, Page, RecordType } from './resource.ts'
import {
  boolean,
  datetime,
  int,
  type JsonSchema,
  type ObjectSchema,
  object,
  oneOf,
  optional,
  type Schema,
  text,
  uuid,
  withDefault,
} from './schema/index.ts'
import { rows } from './statements.ts'

type Sql = RawBuilder<unknown>

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

const commonFilters: Record<string, Filter> = {
  created_after: { schema: datetime(), where: (_, value) => sql`r.created_at >= ${value}::timestamptz` },
  created_before: { schema: datetime(), where: (_, value) => sql`r.created_at < ${value}::timestamptz` },
  updated_after: { schema: datetime(), where: (_, value) => sql`r.updated_at >= ${value}::timestamptz` },
  updated_before: { schema: datetime(), where: (_, value) => sql`r.updated_at < ${value}::timestamptz` },
  ids: { schema: idList, where: (_, value: string[]) => sql`r.id = any(${value}::uuid[])` },
}

const categoryFilter: Filter = {
  schema: text(),
  where: (ctx, value) =>
    sql`r.id in (select u.entity_id from ${rows(ctx, 'category_uses')} u where u.name_key = fold(${value}))`,
}

export function filtersOf(record: RecordType): Record<string, Filter> {
  const favorite = record.computed?.is_favorite
  return {
    ...commonFilters,
    ...('categories' in record.output.fields ? { category: categoryFilter } : {}),
    ...(favorite
      ? {
          is_favorite: {
            schema: boolean(),
            // not `= ${value}`, which would be worked out row by row
            where: (ctx: Ctx, value: boolean) => (value ? favorite(ctx) : sql`not ${favorite(ctx)}`),
          },
        }
      : {}),
    ...record.filters,
  }
}

/** The query parameters of a list. */
export function listParameters(record: RecordType): ObjectSchema {
  const filters = Object.entries(filtersOf(record)).map(([name, filter]) => [name, optional(filter.schema)])
  return object({
    page: withDefault(int({ min: 1 }), 1),
    page_size: withDefault(int({ min: 1, max: MAX_PAGE_SIZE }), 50),
    ...(record.search ? { search: optional(text({ max: 1000 })) } : {}),
    sort_by: optional(text({ description: `One of ${sortableFields(record).join(', ')}, or cf.<key>` })),
    sort_order: optional(oneOf(['asc', 'desc'])),
    cursor: optional(text({ description: 'Empty for the first page, then the last answer’s next_cursor' })),
    deleted: withDefault(boolean({ description: 'true lists the trash' }), false),
    ...Object.fromEntries(filters),
  })
}

/** PostgreSQL's type for a field of the answer that can be sorted by. */
export function sortType(json: JsonSchema | undefined): string | undefined {
  const kinds = (json?.anyOf ?? [json]).filter(kind => kind?.type !== 'null')
  // A value of several kinds (`domains`: a text or a list) is jsonb, which has no order that people expect.
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

export const sortableFields = (record: RecordType): string[] =>
  Object.entries(record.output.fields)
    .filter(
      ([name, schema]) =>
        !record.links?.[name] && name !== 'account_id' && sortType(schema.json) !== undefined,
    )
    .map(([name]) => name)

interface Sort {
  key: string
  expression: Sql
  type: string
  descending: boolean
  /** a declared metadata key */
  custom?: CustomColumn | undefined
}

function sortOf(ctx: Ctx, record: RecordType, params: ListQuery, columns: CustomColumns): Sort {
  const key = params.sort_by ?? record.defaultSort?.by ?? 'created_at'
  const order =
    params.sort_order ?? (params.sort_by === undefined ? record.defaultSort?.order : undefined) ?? 'desc'
  const custom = customKey(record, key)
  if (custom !== undefined) {
    const column = columns.get(custom)
    return { key, ...customOrder(ctx, custom, column), descending: order === 'desc', custom: column }
  }
  const names = sortableFields(record)
  if (!names.includes(key)) {
    const expected = `${names.slice(0, -1).map(quote).join(', ')} or ${quote(names.at(-1)!)}`
    throw errors.invalid([
      {
        type: 'enum',
        loc: ['query', 'sort_by'],
        msg: `Input should be ${expected}`,
        input: key,
        ctx: { expected },
      },
    ])
  }
  const type = sortType(record.output.fields[key]!.json)!
  const column = record.computed?.[key]?.(ctx) ?? sql`r.${sql.ref(key)}`
  // Byte order without case: the same on every server, and what the name indexes hold.
  const expression = type === 'text' ? sql`lower(${column} collate "C")` : column
  return { key, expression, type, descending: order === 'desc' }
}

const quote = (name: string) => `'${name}'`

interface Cursor {
  value: string | null
  id: string
}

const encodeCursor = (sort: Sort, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([sort.key, sort.descending, cursor.value, cursor.id])).toString('base64url')

function decodeCursor(sort: Sort, token: string): Cursor {
  try {
    const [key, descending, value, id] = JSON.parse(Buffer.from(token, 'base64url').toString())
    const right =
      key === sort.key &&
      descending === sort.descending &&
      (value === null || typeof value === 'string') &&
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    if (right) return { value, id }
  } catch {
    // falls through to the refusal
  }
  throw errors.invalidValue(['query', 'cursor'], 'this cursor was not made by this list in this order', token)
}

/** What comes after the cursor; records without a value come last in either direction. */
function after(sort: Sort, cursor: Cursor): Sql {
  const { expression: x, type, descending } = sort
  const beyond = sql.raw(descending ? '<' : '>')
  if (cursor.value === null) return sql`${x} is null and r.id ${beyond} ${cursor.id}::uuid`
  const value = sql`${cursor.value}::text::${sql.raw(type)}`
  if (['created_at', 'updated_at'].includes(sort.key)) {
    // never null: as one row comparison it is a plain range of the index
    return sql`(${x}, r.id) ${beyond} (${value}, ${cursor.id}::uuid)`
  }
  return sql`(${x} ${beyond} ${value} or (${x} = ${value} and r.id ${beyond} ${cursor.id}::uuid) or ${x} is null)`
}

/** Part of a text, whatever its case and accents; `%`, `_` and `\` are plain characters. */
export function matches(record: RecordType, search: string): Sql | undefined {
  const wanted = search.trim()
  if (wanted === '' || !record.search) return undefined
  const found = sql`strpos(r.search_text, fold(${wanted})) > 0`
  const digits = wanted.replace(/[^0-9]/g, '')
  const isPhone = record.search === 'text and phone' && digits.length >= 3 && /^[0-9+().\-/\s]+$/.test(wanted)
  return isPhone ? sql`(${found} or strpos(r.phone_digits, ${digits}) > 0)` : found
}

/** The conditions that the caller's filters make, besides account and trash. */
export async function conditionsOf(ctx: Ctx, record: RecordType, params: ListQuery): Promise<Sql[]> {
  return conditionsWith(ctx, record, params, await customColumns(ctx, record, params))
}

function conditionsWith(ctx: Ctx, record: RecordType, params: ListQuery, columns: CustomColumns): Sql[] {
  const conditions = customConditions(ctx, record, params, columns)
  for (const [name, filter] of Object.entries(filtersOf(record))) {
    if (params[name] !== undefined) conditions.push(filter.where(ctx, params[name]))
  }
  const search = params.search === undefined ? undefined : matches(record, params.search)
  if (search) conditions.push(search)
  return conditions
}

/** The fields of the answer as a select list; the record is `r`. */
export function selectList(ctx: Ctx, record: RecordType): Sql {
  return sql.join(
    Object.keys(record.output.fields).map(name => {
      const expression = record.computed?.[name]
      return expression ? sql`${expression(ctx)} as ${sql.ref(name)}` : sql`r.${sql.ref(name)}`
    }),
  )
}

/**
 * One statement, whatever the page's size. The inner select walks an index for the page's keys alone, so a
 * page far down the list does not fetch the rows it skips; the total of a list without filters is read from
 * the counts that the journal keeps instead of being counted.
 */
export async function listRecords(
  ctx: Ctx,
  record: RecordType,
  params: ListQuery,
  further: readonly Sql[] = [],
): Promise<Page<Item>> {
  const columns = await customColumns(ctx, record, params)
  const sort = sortOf(ctx, record, params, columns)
  const table = sql.table(record.table)
  const conditions = [...conditionsWith(ctx, record, params, columns), ...further]
  const trash = params.deleted ? sql`r.deleted_at is not null` : sql`r.deleted_at is null`
  const visible = record.visible?.(ctx)
  const filtered = sql.join(
    [sql`r.account_id = ${ctx.account}`, trash, ...(visible ? [visible] : []), ...conditions],
    sql` and `,
  )
  // A search reads every text of the account, so it runs once, for the page and for the total.
  const scans = further.length > 0 || params.search !== undefined
  const matching = scans
    ? sql`with matching as materialized (select r.id from ${table} r where ${filtered})`
    : sql``
  const where = scans ? sql`r.account_id = ${ctx.account} and r.id in (select id from matching)` : filtered

  const byCursor = params.cursor !== undefined
  const cursor = params.cursor ? decodeCursor(sort, params.cursor) : undefined
  const direction = sql.raw(sort.descending ? 'desc' : 'asc')
  const nulls = ['created_at', 'updated_at'].includes(sort.key) ? sql`` : sql`nulls last`
  const offset = byCursor ? 0 : (params.page - 1) * params.page_size
  // one more than asked for tells whether there is a next page
  const limit = byCursor ? params.page_size + 1 : params.page_size

  const keys = sort.custom
    ? keysByValue(ctx, sort.custom, { ...sort, table: record.table, where, limit, offset, cursor })
    : sql`select r.id as key from ${table} r where ${where} ${cursor ? sql`and ${after(sort, cursor)}` : sql``}
        order by ${sort.expression} ${direction} ${nulls}, r.id ${direction} limit ${limit} offset ${offset}`

  const total = scans
    ? sql`(select count(*) from matching)`
    : conditions.length > 0 || visible
      ? sql`(select count(*) from ${table} r where ${where})`
      : sql`(select coalesce(sum(${sql.ref(params.deleted ? 'trashed' : 'living')}), 0)::bigint from record_counts
          where account_id = ${ctx.account} and kind = ${record.table})`

  const found = await query(
    ctx,
    sql<Item>`${matching} select ${selectList(ctx, record)}, (${sort.expression})::text as _sort, ${total} as _total
      from (${keys}) k
      join ${table} r on r.account_id = ${ctx.account} and r.id = k.key
      order by ${sort.expression} ${direction} ${nulls}, r.id ${direction}`,
  )
  const shown = found.slice(0, params.page_size)
  const last = shown.at(-1)
  const count = last
    ? (last._total as number)
    : (await query(ctx, sql<{ total: number }>`${matching} select ${total} as total`))[0]!.total
  const next =
    last && found.length > params.page_size ? encodeCursor(sort, { value: last._sort, id: last.id }) : null
  const items = shown.map(({ _sort, _total, ...item }) => item)
  return {
    items,
    total: count,
    page: params.page,
    page_size: params.page_size,
    total_pages: Math.ceil(count / params.page_size),
    ...(byCursor ? { next_cursor: next } : {}),
  }
}
