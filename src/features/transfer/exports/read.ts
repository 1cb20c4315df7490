/** Reads the records of an export page by page in the order of their key, so that memory does not depend on their number. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one, query } from '../../../kernel/context.ts'
import type { Link, Target } from '../../../kernel/links.ts'
import { listsTrash } from '../../../kernel/list-parameters.ts'
import { conditionsOf } from '../../../kernel/list-query.ts'
import type { ListQuery, RecordType } from '../../../kernel/resource.ts'
import { living, rows, unscoped } from '../../../kernel/statements.ts'
import { last } from '../../../lib/values.ts'
import type { Column } from './columns.ts'
import { paced, type Rows } from './paced.ts'

type Sql = RawBuilder<unknown>

export interface LinkedNames {
  ids: string[]
  names: string[]
}

/** One record: the values of its row, and the names of linked records. */
export interface Source {
  id: string
  /** the values, in the order of `rowColumns`; parsed only when the record is written */
  text: string
  /** as JSON */
  metadata?: string | null
  linked: (LinkedNames | undefined)[]
  /** names of records: first their ids, then replaced by the names */
  [named: `named ${number}`]: string | null
}

export interface Selection {
  params: ListQuery
  ids: readonly string[] | null
  /** further conditions */
  where: readonly Sql[]
}

export interface Reader {
  pages(after?: string): AsyncGenerator<Source[]>
  count(): Promise<number>
}

interface Begun {
  sources: Source[]
  completed: Promise<Source[]>
  /** there may be more */
  isFull: boolean
}

const NOTHING: Begun = { sources: [], completed: Promise.resolve([]), isFull: false }

export const linksOf = (columns: readonly Column[]): Link[] => [
  ...new Set(columns.flatMap(column => (column.from === 'link' ? [column.link] : []))),
]

export interface Pace {
  /** how many records are read at once */
  pageSize: number
  /** whether the next page is requested before the last one has arrived */
  ahead: boolean
  /** how many names are cached: most people work for companies that occurred before */
  maxNames: number
}

/** The columns in a source's text, in their order. */
export const rowColumns = (columns: readonly Column[]) =>
  columns.flatMap(column => (column.from === 'row' ? [column] : []))

/** The columns whose names a source has by number. */
export const nameColumns = (columns: readonly Column[]) =>
  columns.flatMap(column => (column.from === 'name' ? [column] : []))

export function reader(
  ctx: Ctx,
  record: RecordType,
  columns: readonly Column[],
  selection: Selection,
  { pageSize, ahead, maxNames }: Pace,
): Reader {
  const links = linksOf(columns)
  const own = rowColumns(columns)
  const named = nameColumns(columns)
  const namesOf = cachedNames(ctx, maxNames)
  const withMetadata = columns.some(column => column.from === 'metadata')

  const where = async (): Promise<Sql> => {
    const parts = [
      sql`r.account_id = ${ctx.account}`,
      listsTrash(selection.params) ? sql`r.deleted_at is not null` : sql`r.deleted_at is null`,
      ...(record.visible ? [record.visible(ctx)] : []),
      ...(selection.ids ? [sql`r.id = any(${selection.ids}::uuid[])`] : []),
      ...(await conditionsOf(ctx, record, selection.params)),
      ...selection.where,
    ]
    return sql.join(parts, sql` and `)
  }

  const fitting = paced(pageSize)

  async function page(after: string | undefined): Promise<Rows<Source>> {
    const ids = named.map((column, i) => sql`, ${column.id(ctx)} as ${sql.ref(`named ${i}`)}`)
    const condition = await where()
    const select = (size: number) =>
      query(
        ctx,
        sql<Source>`
        select r.id, row(${sql.join([...own.map(column => column.sql(ctx)), sql`null`])})::text as text
          ${sql.join(ids, sql``)} ${withMetadata ? sql`, nullif(r.metadata, '{}')::text as metadata` : sql``}
        from ${unscoped(record.table)} r
        where ${condition} ${after === undefined ? sql`` : sql`and r.id > ${after}::uuid`}
        order by r.id limit ${size}`,
      )
    const page = await fitting(select)
    for (const source of page.rows) source.linked = []
    return page
  }

  async function complete(sources: Source[]): Promise<Source[]> {
    const ids = sources.map(source => source.id)
    for (const [i, link] of links.entries()) {
      const linked = await linkedNames(ctx, link, ids, namesOf)
      for (const source of sources) source.linked[i] = linked.get(source.id)
    }
    for (const [i, { target }] of named.entries()) {
      const key = `named ${i}` as const
      const names = await namesOf(target, sources, source => source[key])
      for (const source of sources) {
        const id = source[key]
        if (id != null) source[key] = names.get(id) ?? null
      }
    }
    return sources
  }

  async function begin(after: string | undefined): Promise<Begun> {
    const { rows: sources, isFull } = await page(after)
    const completed = complete(sources)
    completed.catch(() => {})
    return { sources, completed, isFull }
  }

  const follow = ({ sources, isFull }: Begun): Promise<Begun> =>
    isFull ? begin(last(sources).id) : Promise.resolve(NOTHING)

  return {
    async *pages(after) {
      let current = begin(after)
      let next = ahead ? current.then(follow) : undefined
      while (true) {
        const begun = await current
        const { sources, completed } = begun
        if (sources.length === 0) return
        // While this page is written the next is read, and the one after it as soon as its first key is known.
        next ??= follow(begun)
        const later = ahead ? next.then(follow) : undefined
        next.catch(() => {})
        later?.catch(() => {})
        yield await completed
        current = next
        next = later
      }
    },
    async count() {
      const counted = await query(
        ctx,
        sql<{
          total: number
        }>`select count(*) as total from ${unscoped(record.table)} r where ${await where()}`,
      )
      return one(counted).total
    },
  }
}

async function linkedNames(
  ctx: Ctx,
  link: Link,
  ids: readonly string[],
  namesOf: NamesOf,
): Promise<Map<string, LinkedNames>> {
  const own = sql.ref(link.own)
  const links = await query(
    ctx,
    sql<{ own: string; other: string }>`
      select l.${own} as own, l.${sql.ref(link.other)} as other from ${rows(ctx, link.table)} l
      where l.${own} = any(${ids}::uuid[])
      order by l.${own}, l.${sql.ref(link.order ?? 'position')}, l.id`,
  )
  const names = await namesOf(link.target, links, ({ other }) => other)
  const linked = new Map<string, LinkedNames>()
  for (const row of links) {
    const name = names.get(row.other)
    // a record without a name here is in the trash
    if (name === undefined) continue
    const existing = linked.get(row.own)
    if (existing) {
      existing.ids.push(row.other)
      existing.names.push(name)
    } else linked.set(row.own, { ids: [row.other], names: [name] })
  }
  return linked
}

/** The names of the records whose ids `idOf` returns for some rows. */
type NamesOf = <Row>(
  target: Target,
  some: readonly Row[],
  idOf: (row: Row) => string | null | undefined,
) => Promise<ReadonlyMap<string, string>>

/** The names of records that are not in the trash, by id. Each is queried once, until the cache is full. */
function cachedNames(ctx: Ctx, most: number): NamesOf {
  const caches = new Map<string, Map<string, string>>()
  return async (target, some, idOf) => {
    const old = caches.get(target.table)
    // A new map instead of `clear`: another caller may still be reading the old one.
    const names = old && old.size <= most ? old : new Map<string, string>()
    caches.set(target.table, names)
    const missing = new Set<string>()
    for (const row of some) {
      const id = idOf(row)
      if (id != null && !names.has(id)) missing.add(id)
    }
    if (missing.size === 0) return names
    const missingIds = [...missing]
    const statement = target.permanent
      ? sql<{
          id: string
          name: string | null
        }>`select u.id, u.name from users u where u.id = any(${missingIds}::uuid[])`
      : sql<{ id: string; name: string | null }>`select t.id, t.${sql.ref(target.name)} as name
          from ${living(ctx, target.table)} t where t.id = any(${missingIds}::uuid[])`
    for (const { id, name } of await query(ctx, statement)) names.set(id, name ?? '')
    return names
  }
}
