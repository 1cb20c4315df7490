/**
 * High page numbers. To find the start of page 1000, PostgreSQL skips 50,000 index entries, which takes three times as
 * long as the rest of the statement. So the record before a page is cached together with a version of the whole list.
 * The next request for that page starts after the cached record, like a cursor, and the same statement checks that the
 * version is still current. This works only for the order of creation, which only creating and deleting records
 * changes.
 */
import { sql } from 'kysely'
import { type Compiled, compiled } from './compiled.ts'
import type { Ctx } from './context.ts'
import { sortOf } from './list-order.ts'
import {
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

/** Below this offset, skipping entries costs nothing measurable. */
const DEEP = 2000
const MAX_LISTS = 300
const MAX_POSITIONS = 100

interface Position {
  offset: number
  value: string | null
  id: string
}

interface CachedList {
  version: string | undefined
  /** the record directly before a page, by its offset */
  positions: Map<number, Position>
}

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
  const lists = listsOf(ctx.services)
  const key = `${ctx.account} ${record.table} ${sort.descending} ${deleted}`
  const cached = lists.get(key)
  const position = cached?.positions.get(offset)
  if (cached && position) {
    const { value, id } = position
    const isUsual = USUAL_LIMITS.includes(limit)
    const read = reading.compiled(statementOf(record, request, isUsual))
    const rows = await read(ctx, isUsual ? { value, id } : { value, id, limit })
    if (rows.at(0)?.[VERSION] === cached.version) return rows
    lists.delete(key)
  }
  // one row more: the record before the page
  const read = reading.compiled(statementOf(record, request, false))
  const rows = await read(ctx, { limit: limit + 1, offset: offset - 1 })
  const before = rows.at(0)
  if (!before || rows.length === 1) return undefined
  remember(lists, key, before[VERSION], { offset, value: before[SORT] ?? null, id: before.id })
  return rows.slice(1)
}

function remember(
  lists: Map<string, CachedList>,
  key: string,
  version: string | undefined,
  position: Position,
): void {
  const cached = lists.get(key)
  const positions = cached && cached.version === version ? cached.positions : new Map<number, Position>()
  if (positions.size >= MAX_POSITIONS) positions.clear()
  positions.set(position.offset, position)
  if (lists.size >= MAX_LISTS) lists.clear()
  lists.set(key, { version, positions })
}

type Arguments = { value?: string | null; id?: string; limit?: number; offset?: number }
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
    compiled((slots: Ctx, args: Arguments) =>
      pageStatement(slots, record, {
        ...request,
        sort: sortOf(slots, record, ordered(sort.descending), new Map()),
        cursor: args.id === undefined ? undefined : { value: args.value ?? null, id: args.id },
        limit: args.limit ?? sql.raw(String(limit)),
        offset: args.offset ?? sql.raw('0'),
        skips: args.offset !== undefined,
        // Every create and delete adds a row to record_counts under a new id, so the ids identify a version of the
        // list.
        beside: sql`, (select md5(string_agg(c.id::text, ' ' order by c.id)) from record_counts c
          where c.account_id = ${slots.account} and c.kind = ${record.table}) as "#version"`,
      }),
    )
  readers.set(shape, reader)
  return reader
}

const ordered = (descending: boolean) =>
  ({ sort_by: 'created_at', sort_order: descending ? 'desc' : 'asc' }) as const
