/** Reads the records of an export page by page, along their key, so that its size does not matter. */
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

/** One record: what its own row holds, and what the rows around it say. */
export interface Source {
  id: string
  /** the values, in the order of `places`; taken apart only when the record is written, to be held for a moment */
  text: string
  /** as JSON */
  metadata?: string | null
  linked: (LinkedNames | undefined)[]
  /** the names that are wanted of ids: read as those ids, and replaced when they are known */
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
  /** whether two pages may be on their way together */
  ahead: boolean
  /** how many names are cached: most people work for companies that occurred before */
  maxNames: number
}

/** The columns that stand in a source's text, in their order. */
export const rowColumns = (columns: readonly Column[]) =>
  columns.flatMap(column => (column.from === 'row' ? [column] : []))

/** The columns whose names a source holds by number. */
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
  const namesOf = nameBook(ctx, maxNames)
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
    const found = await fitting(select)
    for (const source of found.rows) source.linked = []
    return found
  }

  async function complete(sources: Source[]): Promise<Source[]> {
    const ids = sources.map(source => source.id)
    for (const [i, link] of links.entries()) {
      const tied = await tiedTo(ctx, link, ids, namesOf)
      for (const source of sources) source.linked[i] = tied.get(source.id)
    }
    for (const [i, { target }] of named.entries()) {
      const place = `named ${i}` as const
      const names = await namesOf(target, sources, source => source[place])
      for (const source of sources) {
        const id = source[place]
        if (id != null) source[place] = names.get(id) ?? null
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
        // While this page is being written the next is under way, and the one after it as soon as its place is known.
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

async function tiedTo(
  ctx: Ctx,
  link: Link,
  ids: readonly string[],
  namesOf: NameBook,
): Promise<Map<string, LinkedNames>> {
  const own = sql.ref(link.own)
  const found = await query(
    ctx,
    sql<{ own: string; other: string }>`
      select l.${own} as own, l.${sql.ref(link.other)} as other from ${rows(ctx, link.table)} l
      where l.${own} = any(${ids}::uuid[])
      order by l.${own}, l.${sql.ref(link.order ?? 'position')}, l.id`,
  )
  const names = await namesOf(link.target, found, ({ other }) => other)
  const tied = new Map<string, LinkedNames>()
  for (const row of found) {
    const name = names.get(row.other)
    // what has no name is in the trash
    if (name === undefined) continue
    const known = tied.get(row.own)
    if (known) {
      known.ids.push(row.other)
      known.names.push(name)
    } else tied.set(row.own, { ids: [row.other], names: [name] })
  }
  return tied
}

/** Of the records that `idOf` finds in some rows. */
type NameBook = <Row>(
  target: Target,
  some: readonly Row[],
  idOf: (row: Row) => string | null | undefined,
) => Promise<ReadonlyMap<string, string>>

/** The names of records that are not in the trash, by id. Each is asked for once, as long as they are not too many. */
function nameBook(ctx: Ctx, most: number): NameBook {
  const books = new Map<string, Map<string, string>>()
  return async (target, some, idOf) => {
    const old = books.get(target.table)
    // A new book instead of an empty one: somebody may still be reading in the old.
    const book = old && old.size <= most ? old : new Map<string, string>()
    books.set(target.table, book)
    const strange = new Set<string>()
    for (const row of some) {
      const id = idOf(row)
      if (id != null && !book.has(id)) strange.add(id)
    }
    if (strange.size === 0) return book
    const unknown = [...strange]
    const statement = target.permanent
      ? sql<{
          id: string
          name: string | null
        }>`select u.id, u.name from users u where u.id = any(${unknown}::uuid[])`
      : sql<{ id: string; name: string | null }>`select t.id, t.${sql.ref(target.name)} as name
          from ${living(ctx, target.table)} t where t.id = any(${unknown}::uuid[])`
    for (const { id, name } of await query(ctx, statement)) book.set(id, name ?? '')
    return book
  }
}
