/** The values of an account's fields, so that a question may name one: a stage, a city, a tag, a person. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { processState } from '../../../kernel/process-state.ts'
import { living, rows, type TableName } from '../../../kernel/statements.ts'
import { definitionsOf } from '../../../resources/custom-fields/definition.ts'
import { fold } from '../../search/words.ts'
import { type DeclaredField, type KnownValue, valueKey } from './account-words.ts'

export interface Vocabulary {
  /** folded text → what it may mean */
  values: Map<string, KnownValue[]>
  /** the same by `valueKey` */
  loose: Map<string, KnownValue[]>
  fields: readonly DeclaredField[]
  dollar: string
}

/** Columns whose values may be named without the column's name: "contacts in Berlin", "webinar leads". */
export const NAMED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  deal: ['lost_reason', 'deal_type', 'lead_source', 'priority'],
  contact: [
    ...['job_title', 'department', 'status', 'lead_source', 'language', 'city', 'state', 'country'],
    'connection_strength',
  ],
  company: ['industry', 'status', 'city', 'state', 'country', 'connection_strength'],
  activity: ['priority', 'location'],
}
const TABLES = {
  deal: 'deals',
  contact: 'contacts',
  company: 'companies',
  activity: 'activities',
} as const satisfies Readonly<Record<string, TableName>>
const CATEGORIZED = ['deal', 'contact', 'company'] as const
/** The columns in which a member of the account is named. */
export const MEMBERS = [
  ['deal', 'owner_id'],
  ['contact', 'owner_id'],
  ['activity', 'assignee_id'],
  ['note', 'author_id'],
] as const

export const MAX_VALUES = 300
/** Whose currencies are read. */
const MAX_DEALS = 1000
/**
 * Reading them takes a few milliseconds; of a large account where it takes long they are cached for a moment. Where it
 * takes long and they are few, the machine is busy, and what was just changed would be answered as before.
 */
const SLOW_MS = 150
const MANY_VALUES = 200
const CACHED_MS = 20_000
const MAX_CACHED = 200
/** by account */
const cacheOf = processState(() => new Map<string, { at: number; vocabulary: Vocabulary }>())

export async function vocabularyOf(ctx: Ctx): Promise<Vocabulary> {
  const cache = cacheOf(ctx.services)
  const cached = cache.get(ctx.account)
  if (cached && Date.now() - cached.at < CACHED_MS) return cached.vocabulary
  const began = performance.now()
  const vocabulary = vocabularyFrom(await valuesOf(ctx), await declared(ctx))
  if (cache.size > MAX_CACHED) cache.clear()
  const isSlow = performance.now() - began > SLOW_MS
  if (isSlow && vocabulary.values.size > MANY_VALUES) cache.set(ctx.account, { at: Date.now(), vocabulary })
  return vocabulary
}

export function vocabularyFrom(known: readonly KnownValue[], fields: readonly DeclaredField[]): Vocabulary {
  const keyOf = ({ value }: KnownValue) =>
    fold(value)
      .replace(/[^\p{L}\p{N}@.&+-]+/gu, ' ')
      .trim()
  const isOneOfMany = ({ kind, field }: KnownValue) =>
    fields.some(one => one.choices && one.kind === kind && one.key === field)
  const named = known
    .filter(one => !isCurrency(one) && keyOf(one) !== '')
    .map(one => (isOneOfMany(one) ? { ...one, isOneOfMany: true as const } : one))
  return {
    values: Map.groupBy(named, keyOf),
    loose: Map.groupBy(named, one => valueKey(one.value)),
    fields,
    dollar: dollarOf(known.filter(isCurrency)),
  }
}

const isCurrency = ({ field }: KnownValue) => field === 'currency'
const DOLLARS = ['USD', 'AUD', 'CAD', 'HKD', 'NZD', 'SGD']

/** Of the currencies of deals the account's own, else the only one that is called so. */
function dollarOf(currencies: readonly KnownValue[]): string {
  const own = currencies.find(({ kind }) => kind === 'account')?.value
  const used = DOLLARS.filter(code => currencies.some(({ kind, value }) => kind === 'deal' && value === code))
  const [first = 'USD', ...others] = used
  return own !== undefined && used.includes(own) ? own : others.length === 0 ? first : 'USD'
}

const TYPES: Readonly<Record<string, DeclaredField['type']>> = {
  number: 'number',
  currency: 'money',
  rating: 'number',
  date: 'date',
  datetime: 'date',
  boolean: 'flag',
}

async function declared(ctx: Ctx): Promise<DeclaredField[]> {
  const kinds = await Promise.all(
    Object.keys(TABLES).map(async kind => ({ kind, fields: await definitionsOf(ctx, kind) })),
  )
  return kinds.flatMap(({ kind, fields }) =>
    fields
      .filter(field => field.field_type !== 'json' && !field.is_archived)
      .map(({ key, name, field_type, options }) => ({
        kind,
        key: `cf.${key}`,
        label: name,
        type: TYPES[field_type] ?? 'text',
        ...(field_type === 'multi_select' ? { choices: (options ?? []).map(({ value }) => value) } : {}),
      })),
  )
}

async function valuesOf(ctx: Ctx): Promise<KnownValue[]> {
  const columns = Object.entries(TABLES).flatMap(([kind, table]) =>
    (NAMED_COLUMNS[kind] ?? []).map(
      column => sql`(select ${kind}::text as kind, ${column}::text as field, v.value from (
        select distinct r.${sql.ref(column)} as value from ${living(ctx, table)} r
        where r.${sql.ref(column)} is not null limit ${MAX_VALUES}) v)`,
    ),
  )
  // "key accounts" are companies where only companies have that category
  const categories = CATEGORIZED.map(
    kind => sql`(select distinct ${kind}::text, 'category', c.name
      from ${living(ctx, TABLES[kind])} r cross join lateral unnest(r.categories) c (name) limit ${MAX_VALUES})`,
  )
  const people = MEMBERS.map(
    ([kind, field]) => sql`(select ${kind}::text, ${field}::text, u.name from users u
      where u.id in (select m.user_id from ${rows(ctx, 'members')} m) limit ${MAX_VALUES})`,
  )
  return query(
    ctx,
    sql<KnownValue>`${sql.join([...columns, ...categories, ...people], sql` union all `)}
      union all (select 'deal', 'stage_id', s.name from ${living(ctx, 'stages')} s limit ${MAX_VALUES})
      union all (select 'account', 'currency', a.currency from accounts a where a.id = ${ctx.account})
      union all (select distinct 'deal', 'currency', d.currency
        from (select currency from ${living(ctx, 'deals')} r limit ${MAX_DEALS}) d)
      union all (select 'deal', 'pipeline_id', p.name from ${living(ctx, 'pipelines')} p limit ${MAX_VALUES})
      union all (select distinct g.entity_type, 'tag', t.name from ${living(ctx, 'tags')} t
        join ${rows(ctx, 'taggings')} g on g.tag_id = t.id limit ${MAX_VALUES})
      union all (select k.kind, 'category', c.name from ${living(ctx, 'categories')} c
        cross join (values ('deal'), ('contact'), ('company')) k (kind)
        where not exists (select from ${rows(ctx, 'category_uses')} u where u.name_key = c.name_key)
        limit ${MAX_VALUES * 3})
      union all (select distinct f.entity_type, 'cf.' || f.key, v.text_value from ${rows(ctx, 'custom_values')} v
        join ${living(ctx, 'custom_fields')} f on f.id = v.field_id
        where v.text_value is not null and length(v.text_value) <= 60 limit ${MAX_VALUES * 4})`,
  )
}
