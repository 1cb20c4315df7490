/** Finds records by values of a file, for many rows with one statement. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { living, rows, type TableName } from '../../../kernel/statements.ts'
import { at } from '../../../lib/values.ts'

/** For each value its form in which it is compared, and up to two records that have it. */
export interface Matches {
  key: string
  ids: string[]
}

type Called =
  | 'company name'
  | 'company domain'
  | 'contact name'
  | 'contact address'
  | 'contact phone'
  | 'deal name'

async function byPosition(
  values: readonly string[],
  find: (values: readonly string[]) => Promise<(Matches & { place: number })[]>,
): Promise<Map<string, Matches>> {
  const distinct = [...new Set(values)]
  if (distinct.length === 0) return new Map()
  return new Map((await find(distinct)).map(({ place, key, ids }) => [at(distinct, place - 1), { key, ids }]))
}

export const findCalled = (
  ctx: Ctx,
  kind: Called,
  values: readonly string[],
): Promise<Map<string, Matches>> =>
  byPosition(values, distinct =>
    query(
      ctx,
      sql<Matches & { place: number }>`select c.place, c.key, c.ids
        from records_called(${kind}, ${distinct}::text[]) c`,
    ),
  )

export const findByColumn = (ctx: Ctx, table: TableName, column: string, values: readonly string[]) =>
  byPosition(values, distinct =>
    query(
      ctx,
      sql<Matches & { place: number }>`select g.place, g.key, coalesce((
          select array_agg(f.id order by f.created_at, f.id) from ${living(ctx, table)} f
          where fold(f.${sql.ref(column)}) = g.key), '{}') as ids
        from (select place, fold(text) as key from unnest(${distinct}::text[]) with ordinality u (text, place)) g`,
    ),
  )

/** A declared metadata key, by the column that its values are stored in. */
export const findByCustomValue = (
  ctx: Ctx,
  table: TableName,
  { fieldId, kind }: { fieldId: string; kind: 'text' | 'number' | 'time' },
  values: readonly string[],
): Promise<Map<string, Matches>> => {
  const { column, key } = {
    text: { column: 'text_value', key: sql`left(g.text, 500) collate "C"` },
    number: { column: 'number_value', key: sql`g.text::float8` },
    time: { column: 'time_value', key: sql`custom_moment(g.text)` },
  }[kind]
  // The keys are computed first and looked up as one list: the planner has no statistics for a join with them.
  return byPosition(values, distinct =>
    query(
      ctx,
      sql<Matches & { place: number }>`with keys as materialized (
          select g.place, ${key} as key from unnest(${distinct}::text[]) with ordinality g (text, place)
        ), found as materialized (
          select v.${sql.ref(column)} as key, r.id, r.created_at from ${rows(ctx, 'custom_values')} v
          join ${living(ctx, table)} r on r.id = v.entity_id
          where v.field_id = ${fieldId} and v.${sql.ref(column)} = any(array(select key from keys))
        )
        select k.place, k.key::text, coalesce((
          select array_agg(f.id order by f.created_at, f.id) from found f where f.key = k.key), '{}') as ids
        from keys k`,
    ),
  )
}

/** Which of the ids name a record, and whether it is in the trash. */
export async function statesOf(
  ctx: Ctx,
  table: TableName,
  ids: readonly string[],
): Promise<Map<string, 'living' | 'trashed'>> {
  if (ids.length === 0) return new Map()
  const records = await query(
    ctx,
    sql<{
      id: string
      gone: boolean
    }>`select t.id, t.deleted_at is not null as gone from ${rows(ctx, table)} t
      where t.id = any(${[...new Set(ids)]}::uuid[])`,
  )
  return new Map(records.map(({ id, gone }) => [id, gone ? 'trashed' : 'living']))
}

export interface Member {
  user_id: string
  name: string
  email: string
}

export const membersOf = (ctx: Ctx): Promise<Member[]> =>
  query(
    ctx,
    sql<Member>`select m.user_id, u.name, u.email from ${rows(ctx, 'members')} m join users u on u.id = m.user_id`,
  )

export interface StageInfo {
  id: string
  name: string
  type: 'open' | 'won' | 'lost'
  probability: number
  pipeline_id: string
  pipeline_name: string
  is_default: boolean
}

/** In the order in which they are searched: those of the default pipeline first. */
export const stagesOf = (ctx: Ctx): Promise<StageInfo[]> =>
  query(
    ctx,
    sql<StageInfo>`select s.id, s.name, s.type, s.probability, s.pipeline_id, p.name as pipeline_name, p.is_default
      from ${living(ctx, 'stages')} s join ${living(ctx, 'pipelines')} p on p.id = s.pipeline_id
      order by p.is_default desc, p.position, p.id, s.position, s.id`,
  )
