/** Finding records by what a file says of them, for many rows with one statement. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import type { Target } from '../../kernel/links.ts'
import { living, rows } from '../../kernel/statements.ts'

/** For each value its form in which it is compared, and up to two records that have it. */
export interface Found {
  key: string
  ids: string[]
}

type Called = 'company name' | 'contact name' | 'contact phone' | 'deal name'

async function byPlace(
  values: readonly string[],
  find: (values: readonly string[]) => Promise<(Found & { place: number })[]>,
): Promise<Map<string, Found>> {
  const distinct = [...new Set(values)]
  if (distinct.length === 0) return new Map()
  return new Map((await find(distinct)).map(({ place, key, ids }) => [distinct[place - 1]!, { key, ids }]))
}

export const findCalled = (ctx: Ctx, kind: Called, values: readonly string[]): Promise<Map<string, Found>> =>
  byPlace(values, distinct =>
    query(
      ctx,
      sql<Found & { place: number }>`select c.place, c.key, c.ids
        from records_called(${kind}, ${distinct}::text[]) c`,
    ),
  )

export const findByAddress = (ctx: Ctx, addresses: readonly string[]): Promise<Map<string, Found>> =>
  byPlace(addresses, distinct =>
    query(
      ctx,
      sql<Found & { place: number }>`select k.place, k.key, array(
          select r.id from ${rows(ctx, 'contact_addresses')} a join ${living(ctx, 'contacts')} r on r.id = a.contact_id
          where a.address = k.key order by r.created_at, r.id limit 2) as ids
        from (select g.place, lower(trim(g.text) collate "C") as key
          from unnest(${distinct}::text[]) with ordinality g (text, place) offset 0) k`,
    ),
  )

export const findByDomain = (ctx: Ctx, domains: readonly string[]): Promise<Map<string, Found>> =>
  byPlace(domains, distinct =>
    query(
      ctx,
      sql<Found & { place: number }>`select k.place, k.key, array(
          select r.id from ${rows(ctx, 'company_domains')} d join ${living(ctx, 'companies')} r on r.id = d.company_id
          where d.domain = k.key order by r.created_at, r.id limit 2) as ids
        from (select g.place, domain_name(g.text) as key
          from unnest(${distinct}::text[]) with ordinality g (text, place) offset 0) k`,
    ),
  )

/** A declared metadata key, by the column that its values are kept in. */
export const findByCustomValue = (
  ctx: Ctx,
  table: string,
  { fieldId, kind }: { fieldId: string; kind: 'text' | 'number' | 'time' },
  values: readonly string[],
): Promise<Map<string, Found>> => {
  const { column, type } = {
    text: { column: 'text_value', type: 'text' },
    number: { column: 'number_value', type: 'float8' },
    time: { column: 'time_value', type: 'timestamptz' },
  }[kind]
  const operand = kind === 'text' ? sql`left(k.key, 500)` : sql`k.key::${sql.raw(type)}`
  return byPlace(values, distinct =>
    query(
      ctx,
      sql<Found & { place: number }>`select k.place, k.key, array(
          select r.id from ${rows(ctx, 'custom_values')} v join ${living(ctx, table)} r on r.id = v.entity_id
          where v.field_id = ${fieldId} and v.${sql.ref(column)} = ${operand} order by r.created_at, r.id limit 2) as ids
        from unnest(${distinct}::text[]) with ordinality k (key, place)`,
    ),
  )
}

/** Which of the ids name a record, and whether it is in the trash. */
export async function statesOf(
  ctx: Ctx,
  table: string,
  ids: readonly string[],
): Promise<Map<string, 'living' | 'trashed'>> {
  if (ids.length === 0) return new Map()
  const found = await query(
    ctx,
    sql<{
      id: string
      gone: boolean
    }>`select t.id, t.deleted_at is not null as gone from ${rows(ctx, table)} t
      where t.id = any(${[...new Set(ids)]}::uuid[])`,
  )
  return new Map(found.map(({ id, gone }) => [id, gone ? 'trashed' : 'living']))
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

/** In the order in which they are looked through: those of the default pipeline first. */
export const stagesOf = (ctx: Ctx): Promise<StageInfo[]> =>
  query(
    ctx,
    sql<StageInfo>`select s.id, s.name, s.type, s.probability, s.pipeline_id, p.name as pipeline_name, p.is_default
      from ${living(ctx, 'stages')} s join ${living(ctx, 'pipelines')} p on p.id = s.pipeline_id
      order by p.is_default desc, p.position, p.id, s.position, s.id`,
  )

export const isPersonTarget = (target: Target): boolean => target.table === 'contacts'
