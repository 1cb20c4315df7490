/** The values that stand in an account's fields, so that a question may name one: a stage, a city, a tag, a person. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { living, rows } from '../../../../kernel/statements.ts'
import { definitionsOf } from '../../../../resources/custom-fields/definition.ts'
import { fold } from '../../../search/words.ts'
import { FIELDS, type Field, type Kind, TABLES } from '../fields/index.ts'
import { tokenOf } from './figures.ts'
import { valueKey } from './value-key.ts'

export interface Known {
  kind: Kind
  /** a field's key, `tag`, `category`, or `cf.<key>` */
  field: string
  value: string
}

export interface Vocabulary {
  /** folded text → what it may mean */
  values: Map<string, Known[]>
  /** the same by `valueKey` */
  loose: Map<string, Known[]>
  /** with the declared custom fields */
  fields: Record<Kind, Field[]>
}

const MAX_VALUES = 300
/** Reading them takes a few milliseconds; of an account where it takes long they are kept for a moment. */
const SLOW_MS = 150
const KEPT_MS = 20_000
const kept = new Map<string, { at: number; vocabulary: Vocabulary }>()

export async function vocabularyOf(ctx: Ctx): Promise<Vocabulary> {
  const known = kept.get(ctx.account)
  if (known && Date.now() - known.at < KEPT_MS) return known.vocabulary
  const began = performance.now()
  const fields = await allFields(ctx)
  const values = new Map<string, Known[]>()
  const loose = new Map<string, Known[]>()
  for (const known of await valuesOf(ctx, fields)) {
    const key = fold(known.value)
      .replace(/[^\p{L}\p{N}@.&+-]+/gu, ' ')
      .trim()
    if (key === '') continue
    values.set(key, [...(values.get(key) ?? []), known])
    const like = valueKey(known.value)
    loose.set(like, [...(loose.get(like) ?? []), known])
  }
  if (kept.size > 200) kept.clear()
  if (performance.now() - began > SLOW_MS)
    kept.set(ctx.account, { at: Date.now(), vocabulary: { values, loose, fields } })
  return { values, loose, fields }
}

const TYPES: Record<string, Field['type'] | undefined> = {
  number: 'number',
  currency: 'money',
  rating: 'number',
  date: 'day',
  datetime: 'time',
}

async function allFields(ctx: Ctx): Promise<Record<Kind, Field[]>> {
  const all: Partial<Record<Kind, Field[]>> = {}
  for (const kind of Object.keys(FIELDS) as Kind[]) {
    const custom = kind === 'note' ? [] : await definitionsOf(ctx, kind)
    all[kind] = [
      ...custom
        .filter(field => field.field_type !== 'json' && !field.is_archived)
        .map(field => {
          const type = TYPES[field.field_type] ?? 'text'
          const words = fold(field.name)
            .replace(/[^\p{L}\p{N}]+/gu, ' ')
            .trim()
          return {
            key: `cf.${field.key}`,
            label: field.name,
            said: new RegExp(
              `${literally(tokenOf(field.name))}|${literally(words)}s?|${literally(field.key.replaceAll('_', ' '))}`,
            ),
            type,
            value: (at: Ctx) => customValue(at, field.id, type),
            byValue: ['select', 'multi_select', 'text'].includes(field.field_type),
            groups: type === 'text',
            ...(field.field_type === 'boolean' ? { flag: field.id } : {}),
          }
        }),
      ...FIELDS[kind],
    ]
  }
  return all as Record<Kind, Field[]>
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const customValue = (ctx: Ctx, id: string, type: Field['type']) => {
  const column = {
    text: 'text_value',
    number: 'number_value',
    money: 'number_value',
    day: 'time_value',
    time: 'time_value',
  }[type]
  return sql`(select v.${sql.ref(column)} from ${rows(ctx, 'custom_values')} v
    where v.entity_id = r.id and v.field_id = ${id} order by v.item limit 1)`
}

async function valuesOf(ctx: Ctx, fields: Record<Kind, Field[]>): Promise<Known[]> {
  const columns = (Object.keys(fields) as Kind[]).flatMap(kind =>
    fields[kind]
      .filter(field => field.byValue && !field.key.startsWith('cf.') && !field.key.endsWith('_id'))
      .map(
        field => sql`(select ${kind}::text as kind, ${field.key}::text as field, v.value from (
          select distinct r.${sql.ref(field.key)} as value from ${living(ctx, TABLES[kind].table)} r
          where r.${sql.ref(field.key)} is not null limit ${MAX_VALUES}) v)`,
      ),
  )
  const people = (['deal owner_id', 'contact owner_id', 'activity assignee_id', 'note user_id'] as const).map(
    both => {
      const [kind, field] = both.split(' ')
      return sql`(select ${kind}::text, ${field}::text, u.name from users u
      where u.id in (select m.user_id from ${rows(ctx, 'members')} m) limit ${MAX_VALUES})`
    },
  )
  return query(
    ctx,
    sql<Known>`${sql.join([...columns, ...people], sql` union all `)}
      union all (select 'deal', 'stage_id', s.name from ${living(ctx, 'stages')} s limit ${MAX_VALUES})
      union all (select 'deal', 'pipeline_id', p.name from ${living(ctx, 'pipelines')} p limit ${MAX_VALUES})
      union all (select distinct g.entity_type, 'tag', t.name from ${living(ctx, 'tags')} t
        join ${rows(ctx, 'taggings')} g on g.tag_id = t.id limit ${MAX_VALUES})
      union all (select k.kind, 'category', c.name from ${living(ctx, 'categories')} c
        cross join (values ('deal'), ('contact'), ('company')) k (kind) limit ${MAX_VALUES * 3})
      union all (select distinct f.entity_type, 'cf.' || f.key, v.text_value from ${rows(ctx, 'custom_values')} v
        join ${living(ctx, 'custom_fields')} f on f.id = v.field_id
        where v.text_value is not null and length(v.text_value) <= 60 limit ${MAX_VALUES * 4})`,
  )
}
