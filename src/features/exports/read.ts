/** Reads the records of an export page by page, along their key, so that its size does not matter. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import type { Link, Target } from '../../kernel/links.ts'
import { conditionsOf } from '../../kernel/list-query.ts'
import type { ListQuery, RecordType } from '../../kernel/resource.ts'
import { living, rows } from '../../kernel/statements.ts'
import type { Column } from './columns.ts'

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
  metadata?: Record<string, unknown> | null
  linked: (LinkedNames | undefined)[]
  /** the ids whose names are wanted */
  [named: `named ${number}`]: string | null
}

export interface Selection {
  params: ListQuery
  ids: readonly string[] | null
}

/** Where among a source's values a column's text stands, or the id whose name is wanted. */
export interface Places {
  expressions: Sql[]
  of: ReadonlyMap<Column, number>
}

/** An id and the name that belongs to it are read once. */
export function placesOf(ctx: Ctx, columns: readonly Column[]): Places {
  const expressions: Sql[] = []
  const byField = new Map<string, number>()
  const of = new Map<Column, number>()
  for (const column of columns) {
    if (column.from !== 'row' && column.from !== 'name') continue
    const field = column.from === 'row' ? column.name : column.field
    const known = byField.get(field)
    const place = known ?? expressions.length
    if (known === undefined) expressions.push(column.from === 'row' ? column.sql(ctx) : column.id(ctx))
    byField.set(field, place)
    of.set(column, place)
  }
  return { expressions, of }
}

export interface Reader {
  places: Places
  pages(after?: string): AsyncGenerator<Source[]>
  count(): Promise<number>
  /** the names that are known of a kind, by id */
  names: readonly Map<string, string>[]
}

/** Names that are kept at hand while an export runs: most people work for companies that came up before. */
const MAX_NAMES = 100_000

interface Begun {
  sources: Source[]
  completed: Promise<Source[]>
}

const NOTHING: Begun = { sources: [], completed: Promise.resolve([]) }

export const linksOf = (columns: readonly Column[]): Link[] => [
  ...new Set(columns.flatMap(column => (column.from === 'link' ? [column.link] : []))),
]

/** How many records are read at once, and whether two pages may be on their way together. */
export interface Pace {
  pageSize: number
  ahead: boolean
}

export function reader(
  ctx: Ctx,
  record: RecordType,
  columns: readonly Column[],
  selection: Selection,
  { pageSize, ahead }: Pace,
): Reader {
  const links = linksOf(columns)
  const places = placesOf(ctx, columns)
  const named = columns.flatMap(column => (column.from === 'name' ? [column] : []))
  const names = named.map(() => new Map<string, string>())
  const withMetadata = columns.some(column => column.from === 'metadata')

  const where = async (): Promise<Sql> => {
    const parts = [
      sql`r.account_id = ${ctx.account}`,
      selection.params.deleted ? sql`r.deleted_at is not null` : sql`r.deleted_at is null`,
      ...(record.visible ? [record.visible(ctx)] : []),
      ...(selection.ids ? [sql`r.id = any(${selection.ids}::uuid[])`] : []),
      ...(await conditionsOf(ctx, record, selection.params)),
    ]
    return sql.join(parts, sql` and `)
  }

  async function page(after: string | undefined): Promise<Source[]> {
    const ids = named.map((column, i) => sql`, ${column.id(ctx)} as ${sql.ref(`named ${i}`)}`)
    const found = await query(
      ctx,
      sql<Source>`
        select r.id, row(${sql.join([...places.expressions, sql`null`])})::text as text
          ${sql.join(ids, sql``)} ${withMetadata ? sql`, nullif(r.metadata, '{}') as metadata` : sql``}
        from ${sql.table(record.table)} r
        where ${await where()} ${after === undefined ? sql`` : sql`and r.id > ${after}::uuid`}
        order by r.id limit ${pageSize}`,
    )
    for (const source of found) source.linked = []
    return found
  }

  async function complete(sources: Source[]): Promise<Source[]> {
    const ids = sources.map(source => source.id)
    for (const [i, link] of links.entries()) {
      const tied = await tiedTo(ctx, link, ids)
      for (const source of sources) source.linked[i] = tied.get(source.id)
    }
    for (const [i, column] of named.entries()) {
      await learnNames(ctx, column.target, sources, `named ${i}`, names[i]!)
    }
    return sources
  }

  async function begin(after: string | undefined): Promise<Begun> {
    const sources = await page(after)
    const completed = complete(sources)
    completed.catch(() => {})
    return { sources, completed }
  }

  const follow = ({ sources }: Begun): Promise<Begun> =>
    sources.length < pageSize ? Promise.resolve(NOTHING) : begin(sources.at(-1)!.id)

  return {
    places,
    names,
    async *pages(after) {
      let current = begin(after)
      let next = ahead ? current.then(follow) : undefined
      while (true) {
        const { sources, completed } = await current
        if (sources.length === 0) return
        // While this page is being written the next is under way, and the one after it as soon as its place is known.
        next ??= follow({ sources, completed })
        const later = ahead ? next.then(follow) : undefined
        next.catch(() => {})
        later?.catch(() => {})
        yield await completed
        current = next
        next = later
      }
    },
    async count() {
      const [counted] = await query(
        ctx,
        sql<{
          total: number
        }>`select count(*) as total from ${sql.table(record.table)} r where ${await where()}`,
      )
      return counted!.total
    },
  }
}

async function tiedTo(ctx: Ctx, link: Link, ids: readonly string[]): Promise<Map<string, LinkedNames>> {
  const own = sql.ref(link.own)
  const found = await query(
    ctx,
    sql<{ own: string; id: string; name: string | null }>`
      select l.${own} as own, t.id, t.${sql.ref(link.target.name)} as name
      from ${rows(ctx, link.table)} l join ${living(ctx, link.target.table)} t on t.id = l.${sql.ref(link.other)}
      where l.${own} = any(${ids}::uuid[])
      order by l.${own}, l.${sql.ref(link.order ?? 'position')}, l.id`,
  )
  const tied = new Map<string, LinkedNames>()
  for (const row of found) {
    const known = tied.get(row.own)
    if (known) {
      known.ids.push(row.id)
      known.names.push(row.name ?? '')
    } else tied.set(row.own, { ids: [row.id], names: [row.name ?? ''] })
  }
  return tied
}

async function learnNames(
  ctx: Ctx,
  target: Target,
  sources: readonly Source[],
  named: `named ${number}`,
  names: Map<string, string>,
): Promise<void> {
  if (names.size > MAX_NAMES) names.clear()
  const unknown = new Set<string>()
  for (const source of sources) {
    const id = source[named]
    if (id != null && !names.has(id)) unknown.add(id)
  }
  if (unknown.size === 0) return
  const ids = [...unknown]
  const statement = target.permanent
    ? sql<{ id: string; name: string }>`select u.id, u.name from users u where u.id = any(${ids}::uuid[])`
    : sql<{ id: string; name: string }>`select t.id, t.${sql.ref(target.name)} as name
        from ${living(ctx, target.table)} t where t.id = any(${ids}::uuid[])`
  for (const { id, name } of await query(ctx, statement)) names.set(id, name)
}
