/**
 * High page numbers. To find the start of page 1000, PostgreSQL skips 50,000 index entries, which takes three times as
 * long as the rest of the statement. So the record before a page is cached together with the state of the list. The next
 * request for that page starts there, like a cursor, and the same statement checks what has happened since:
 *
 * - nothing: the record is still the one before the page.
 * - Records were created, all of them newer than those of the cached state, and no other record came or went (`moves` of
 *   `record_counts`). The record before the page is then as many records further up.
 * - Anything else, such as a deletion: the entries are skipped again.
 *
 * This works only for the order of creation, which only creating and deleting records changes.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Compiled, compiled } from './compiled.ts'
import type { Ctx } from './context.ts'
import { sortOf } from './list-order.ts'
import {
  firstKey,
  type ListedRow,
  type ListRequest,
  type PageRows,
  pageStatement,
  type Reading,
  SORT,
  USUAL_LIMITS,
  VERSION,
} from './list-statement.ts'
import { processState } from './process-state.ts'
import type { RecordType } from './resource.ts'

type Sql = RawBuilder<unknown>

/** Below this offset, skipping entries costs nothing measurable. */
const DEEP = 2000
const MAX_LISTS = 300
const MAX_POSITIONS = 100
/** A position moves up by at most this many records, which are read from an index. */
const MAX_ADDED = sql.raw('1000')

/** A record: when it was created, and its id. */
type Place = [value: string, id: string]

/** The list at the time of a statement. */
interface State {
  /** how many records it has */
  living: number
  /** how often a record has come or gone otherwise than by being created */
  moves: number
  newest: Place
  /** the record before the page; null if too much has happened since the cached state */
  start?: Place | null
}

interface CachedPage {
  state: State
  /** the record directly before the page */
  start: Place
}

/** The pages of a list, by their offset. */
type CachedList = Map<number, CachedPage>

const listsOf = processState(() => new Map<string, CachedList>())

/** The rows of a page, or undefined where the cache does not apply. */
export async function deepPage<Rows extends PageRows<Rows>>(
  ctx: Ctx,
  record: RecordType,
  request: ListRequest<number>,
  reading: Reading<Rows>,
): Promise<Rows | undefined> {
  const { sort, deleted, limit, offset } = request
  if (offset < DEEP || sort.key !== 'created_at' || record.visible) return undefined
  const key = `${ctx.account} ${record.table} ${sort.descending} ${deleted}`
  const list = listOf(listsOf(ctx.services), key)
  // A second time if another request has found the page again meanwhile.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const cached = list.get(offset)
    if (!cached) break
    const isUsual = USUAL_LIMITS.includes(limit)
    const { state, start } = cached
    const [value, id] = start
    const [newest, newestId] = state.newest
    const since = { value, id, newest, newestId, living: state.living, moves: state.moves }
    const read = reading.compiled(statementOf(record, request, isUsual))
    const rows = await read(ctx, isUsual ? since : { ...since, limit })
    const now = stateOf(rows.at(0))
    if (now?.start) {
      list.set(offset, { state: now, start: now.start })
      return rows
    }
    if (list.get(offset) === cached) list.delete(offset)
  }
  // one row more: the record before the page
  const read = reading.compiled(statementOf(record, request, false))
  const rows = await read(ctx, { limit: limit + 1, offset: offset - 1 })
  const before = rows.at(0)
  const state = stateOf(before)
  if (!before || !state || rows.length === 1) return undefined
  if (list.size >= MAX_POSITIONS) list.clear()
  list.set(offset, { state, start: [before[SORT] ?? '', before.id] })
  return rows.slice(1)
}

// `stateColumn` selects it
const stateOf = (row: Pick<ListedRow, typeof VERSION> | undefined) => row?.[VERSION] as State | undefined

function listOf(lists: Map<string, CachedList>, key: string): CachedList {
  const list = lists.get(key) ?? new Map<number, CachedPage>()
  if (!lists.has(key) && lists.size >= MAX_LISTS) lists.clear()
  lists.set(key, list)
  return list
}

type Arguments = {
  limit?: number
  offset?: number
  // the cached page
  value?: string
  id?: string
  newest?: string
  newestId?: string
  living?: number
  moves?: number
}
type PageReader = Compiled<Arguments, ListedRow>
const statements = new WeakMap<RecordType, Map<string, PageReader>>()

/** A usual limit is a literal: with a parameter PostgreSQL plans every execution, which takes longer than the rest. */
function statementOf(record: RecordType, request: ListRequest<number>, isUsual: boolean): PageReader {
  const { sort, deleted, limit } = request
  const readers = statements.get(record) ?? new Map<string, PageReader>()
  statements.set(record, readers)
  const shape = `${sort.descending} ${deleted} ${isUsual ? limit : ''}`
  const reader =
    readers.get(shape) ??
    compiled((slots: Ctx, args: Arguments) => {
      const isCached = args.id !== undefined
      const ordered = sortOf(
        slots,
        record,
        { sort_by: 'created_at', sort_order: sort.descending ? 'desc' : 'asc' },
        new Map(),
      )
      const page: ListRequest = {
        ...request,
        sort: ordered,
        cursor: isCached
          ? { value: sql`(select s.created_at::text from start s)`, id: sql`(select s.id from start s)` }
          : undefined,
        limit: args.limit ?? sql.raw(String(limit)),
        offset: args.offset ?? sql.raw('0'),
        skips: args.offset !== undefined,
        sortValue: !isCached,
        before: [countsOf(slots, record), ...(isCached ? startOf(slots, record, request, args) : [])],
      }
      // The state is the same for all rows, so only the first one has it.
      return pageStatement(slots, record, {
        ...page,
        beside: sql`, case when r.id = (${firstKey(slots, record, page)})
          then ${stateColumn(slots, record, deleted, isCached)} end as "#version"`,
      })
    })
  readers.set(shape, reader)
  return reader
}

const countsOf = (slots: Ctx, record: RecordType): Sql => sql`counts as materialized (
  select coalesce(sum(c.living), 0) as living, coalesce(sum(c.moves), 0) as moves from record_counts c
  where c.account_id = ${slots.account} and c.kind = ${record.table})`

const livingRows = (slots: Ctx, record: RecordType, deleted: boolean): Sql =>
  sql`${sql.table(record.table)} r where r.account_id = ${slots.account}
    and r.deleted_at is ${sql.raw(deleted ? 'not null' : 'null')}`

/**
 * `moved` has the number of records by which the position moves up, or null if it is lost; `start` has the record before
 * the page. Records are created outside the trash, so only moves change what is in it.
 */
function startOf(
  slots: Ctx,
  record: RecordType,
  { sort, deleted }: ListRequest<number>,
  args: Arguments,
): Sql[] {
  const rows = livingRows(slots, record, deleted)
  const newer = sql`(select count(*) from (select from ${rows}
    and (r.created_at, r.id) > (${args.newest}::text::timestamptz, ${args.newestId}::uuid)
    order by r.created_at desc, r.id desc limit ${MAX_ADDED} + 1) n)`
  const added = sql`(c.living - ${args.living}::bigint)`
  const isSame = sql`c.moves = ${args.moves}::bigint`
  const areNewest = deleted ? sql`true` : sql`${added} <= ${MAX_ADDED} and ${added} = ${newer}`
  const steps = sort.descending && !deleted ? sql`${added}::bigint` : sql`0::bigint`
  return [
    sql`moved as materialized (
      select case when ${isSame} and ${areNewest} then ${steps} end as steps from counts c)`,
    sql`start as materialized (
      select r.created_at, r.id from ${rows}
        and (r.created_at, r.id) >= (${args.value}::text::timestamptz, ${args.id}::uuid)
      order by r.created_at, r.id offset (select coalesce(m.steps, 0) from moved m) limit 1)`,
  ]
}

/** The list as this statement sees it. */
function stateColumn(slots: Ctx, record: RecordType, deleted: boolean, isCached: boolean): Sql {
  const start = sql`(select json_build_array(s.created_at::text, s.id) from start s, moved m where m.steps is not null)`
  return sql`(select json_build_object(
    'living', (select c.living from counts c), 'moves', (select c.moves from counts c),
    'newest', (select json_build_array(r.created_at::text, r.id) from ${livingRows(slots, record, deleted)}
      order by r.created_at desc, r.id desc limit 1),
    'start', ${isCached ? start : sql`null::json`}))`
}
