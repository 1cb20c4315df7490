/**
 * The kinds of records, with the fields that queries compare, sort and group by, and the relations between them. Relations
 * are derived from the declarations of the records: references (`company_id` → company), links
 * (`associated_deal_ids` → deals) and the reverse of both (an activity links contacts → a contact has activities).
 * Owners, stages, pipelines and tags are added here.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { sortType } from '../../../kernel/list-parameters.ts'
import type { RecordType, Resource } from '../../../kernel/resource.ts'
import { object, text } from '../../../kernel/schema/index.ts'
import { living, rows, type TableName } from '../../../kernel/statements.ts'
import { isOneOf } from '../../../lib/values.ts'
import { resources } from '../../../resources/index.ts'
import { links, targets } from '../../../resources/kinds.ts'
import { base } from '../../../resources/shared/fields.ts'
import { TAGGED_TYPES } from '../../../resources/tags/record.ts'

type Sql = RawBuilder<unknown>

export interface Kind {
  entity: string
  /** the group whose read scope is needed; undefined: every caller of the account may read it */
  group: string | undefined
  /** type and SQL of a field of the record `r`; undefined when it cannot be compared */
  field(ctx: Ctx, name: string): Operand | undefined
  fields: readonly string[]
  relations: ReadonlyMap<string, Relation>
  record?: RecordType
  /** what a list shows of it */
  shown: Pick<RecordType, 'output' | 'computed'>
  /** its rows outside the trash that the caller may see */
  living(ctx: Ctx): Sql
}

export interface Operand {
  expression: Sql
  /** a PostgreSQL type: text, numeric, timestamptz, … */
  type: string
}

export type Relation = ToOne | ToMany

interface ToOne {
  to: () => Kind | undefined
  isSingle: true
  /** the id of the related record, as SQL on the record `r` */
  id(ctx: Ctx): Sql
}

interface ToMany {
  to: () => Kind | undefined
  isSingle: false
  /** a select of the ids of both ends as `own` and `other`; pairs may repeat */
  pairs(ctx: Ctx): Sql
  /** the pairs are joined from several tables, so they are read once and not again for each record */
  isJoined?: true
}

export type Kinds = ReadonlyMap<string, Kind>

/** `company_id` → company, `associated_deal_ids` → deals, `team_ids` → team */
const relationName = (field: string): string =>
  field
    .replace(/^associated_/, '')
    .replace(/_ids$/, field === 'team_ids' ? '' : 's')
    .replace(/_id$/, '')
    .replace(/ys$/, 'ies')

/** Columns with a member of the account that the server sets. */
const FURTHER_MEMBERS: Readonly<Record<string, string>> = { created_by: 'creator', user_id: 'author' }

let derived: Kinds | undefined

/** Derived from the declarations on first use. */
export function kinds(): Kinds {
  derived ??= kindsOf(resources)
  return derived
}

function kindsOf(declared: readonly Resource[]): Kinds {
  const byTable = new Map<string, Kind>()
  const to = (table: string) => () => byTable.get(table)
  const ofMembers = new Map<string, Relation>()
  const member = memberKind(ofMembers)
  const addMembers = (name: string, relation: Relation) =>
    ofMembers.has(name) || ofMembers.set(name, relation)
  const relations = new Map<string, Map<string, Relation>>()
  for (const { name, record } of declared) {
    const own = new Map<string, Relation>()
    relations.set(record.table, own)
    byTable.set(record.table, {
      entity: record.entityType ?? record.label.toLowerCase().replaceAll(' ', '_'),
      group: name,
      field: (ctx, field) => fieldOf(record, ctx, field),
      fields: fieldsOf(record),
      relations: own,
      record,
      shown: record,
      living: ctx => seen(ctx, record),
    })
  }
  const add = (table: string, name: string, relation: Relation) => {
    const own = relations.get(table)
    if (own && !own.has(name)) own.set(name, relation)
  }
  add('companies', 'activities', companyActivities('company', 'activity', to('activities')))
  add('activities', 'companies', companyActivities('activity', 'company', to('companies')))
  for (const { record } of declared) {
    for (const [field, target] of Object.entries(record.references ?? {})) {
      if (target.table === 'members') add(record.table, relationName(field), memberOf(field, member))
      else if (byTable.has(target.table))
        add(record.table, relationName(field), reference(record, field, target.table, to))
    }
    for (const [field, { table }] of Object.entries(record.ruleReferences ?? {})) {
      add(record.table, relationName(field), reference(record, field, table, to))
    }
    for (const [field, link] of Object.entries(record.links ?? {})) {
      add(record.table, relationName(field), linked(link.table, link.own, link.other, link.target.table, to))
    }
    for (const [column, name] of Object.entries(FURTHER_MEMBERS)) {
      if (Object.hasOwn(record.output.fields, column)) add(record.table, name, memberOf(column, member))
    }
    if (isTagged(record)) add(record.table, 'tags', tagsOf(record, to))
  }
  // the reverse relations, after all forward ones
  for (const { name, record } of declared) {
    for (const [field, target] of Object.entries(record.references ?? {})) {
      if (target.table === 'members') addMembers(name, referring(field, record, to))
    }
    for (const [field, { table }] of Object.entries(record.ruleReferences ?? {})) {
      add(table, record.table, referring(field, record, to))
    }
    if (isTagged(record)) add('tags', name, taggedWith(record, to))
    for (const link of Object.values(record.links ?? {})) {
      add(link.target.table, name, linked(link.table, link.other, link.own, record.table, to))
    }
    for (const [field, target] of Object.entries(record.references ?? {})) {
      if (byTable.has(target.table)) add(target.table, name, referring(field, record, to))
    }
  }
  // links that are a field of neither record: a note on an activity
  for (const { table, ends } of links) {
    const [left, right] = ends.map(({ kind, column }) => ({ ...targets[kind], column }))
    if (!left || !right) continue
    add(left.table, right.table, linked(table, left.column, right.column, right.table, to))
    add(right.table, left.table, linked(table, right.column, left.column, left.table, to))
  }
  return new Map([...byTable.values(), member].map(kind => [kind.entity, kind]))
}

type To = (table: string) => () => Kind | undefined

/** Records that the caller may not see are left out at every step, not only in the result. */
const seen = (ctx: Ctx, { table, visible }: RecordType): Sql =>
  visible ? sql`(select r.* from ${living(ctx, table)} r where ${visible(ctx)})` : living(ctx, table)

const reference = (record: RecordType, field: string, table: TableName, to: To): ToOne => ({
  to: to(table),
  isSingle: true,
  // null while the other record is in the trash, like the field itself
  id: ctx => record.computed?.[field]?.(ctx) ?? sql`r.${sql.ref(field)}`,
})

const referring = (field: string, record: RecordType, to: To): ToMany => ({
  to: to(record.table),
  isSingle: false,
  pairs: ctx => sql`select x.${sql.ref(field)} as own, x.id as other from ${living(ctx, record.table)} x`,
})

const linked = (table: TableName, own: string, other: string, target: TableName, to: To): ToMany => ({
  to: to(target),
  isSingle: false,
  pairs: ctx => sql`select l.${sql.ref(own)} as own, l.${sql.ref(other)} as other from ${rows(ctx, table)} l`,
})

const isTagged = ({ entityType = '' }: RecordType): boolean => isOneOf(TAGGED_TYPES, entityType)

const taggings = (ctx: Ctx, { entityType = '' }: RecordType, own: string, other: string): Sql =>
  sql`select g.${sql.ref(own)} as own, g.${sql.ref(other)} as other from ${rows(ctx, 'taggings')} g
    where g.entity_type = ${sql.lit(entityType)}`

const tagsOf = (record: RecordType, to: To): ToMany => ({
  to: to('tags'),
  isSingle: false,
  pairs: ctx => taggings(ctx, record, 'entity_id', 'tag_id'),
})

const taggedWith = (record: RecordType, to: To): ToMany => ({
  to: to(record.table),
  isSingle: false,
  pairs: ctx => taggings(ctx, record, 'tag_id', 'entity_id'),
})

/** The activities of a company include those of its contacts and deals. */
const companyActivities = (own: string, other: string, to: ToMany['to']): ToMany => ({
  to,
  isSingle: false,
  isJoined: true,
  pairs: ctx =>
    sql.join(
      [
        sql`select l.company_id as company, l.activity_id as activity from ${rows(ctx, 'activity_companies')} l`,
        sql`select p.company_id as company, l.activity_id as activity from ${rows(ctx, 'activity_contacts')} l
          join ${rows(ctx, 'company_people')} p on p.person_id = l.contact_id`,
        sql`select d.company_id as company, l.activity_id as activity from ${rows(ctx, 'activity_deals')} l
          join ${rows(ctx, 'deal_companies')} d on d.deal_id = l.deal_id`,
      ].map(some => sql`select x.${sql.ref(own)} as own, x.${sql.ref(other)} as other from (${some}) x`),
      sql` union all `,
    ),
})

const MEMBER_OUTPUT = object({ ...base, name: text(), email: text() }, { title: 'QueriedMember' })

/** A member of the account, with the fields that every member may see. */
const memberKind = (relations: ReadonlyMap<string, Relation>): Kind => ({
  entity: 'member',
  group: undefined,
  field: (_, name) =>
    Object.hasOwn(MEMBER_TYPES, name)
      ? { expression: sql`r.${sql.ref(name)}`, type: MEMBER_TYPES[name as keyof typeof MEMBER_TYPES] }
      : undefined,
  fields: Object.keys(MEMBER_TYPES),
  relations,
  shown: { output: MEMBER_OUTPUT },
  living: ctx => sql`(select u.id, u.created_at, u.updated_at, u.name, u.email from users u
    where u.id in (select m.user_id from ${rows(ctx, 'members')} m))`,
})

const MEMBER_TYPES = {
  id: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  name: 'text',
  email: 'text',
} as const

const memberOf = (column: string, member: Kind): ToOne => ({
  to: () => member,
  isSingle: true,
  id: () => sql`r.${sql.ref(column)}`,
})

// ---- fields

/**
 * Times of an activity that are not fields of the API. `when` is the time at which it happened, begins or is due; a
 * task without a due time has none.
 */
const ACTIVITY_TIMES: Readonly<Record<string, Operand>> = {
  when: {
    type: 'timestamptz',
    expression: sql`coalesce(r.happened_at, r.start_at, r.falls_due_at, case when r.type <> 'task' then r.created_at end)`,
  },
  happened_at: { type: 'timestamptz', expression: sql`r.happened_at` },
  falls_due_at: { type: 'timestamptz', expression: sql`r.falls_due_at` },
  planned_at: { type: 'timestamptz', expression: sql`r.planned_at` },
}

/** `birthday_day` is the month and day of a birthday, MM-DD, since it comes every year. */
const CONTACT_DAYS: Readonly<Record<string, Operand>> = {
  birthday_day: { type: 'text', expression: sql`to_char(r.birthday, 'MM-DD')` },
}

const FURTHER: Readonly<Record<string, Readonly<Record<string, Operand>>>> = {
  activities: ACTIVITY_TIMES,
  contacts: CONTACT_DAYS,
}

const further = ({ table }: RecordType): Readonly<Record<string, Operand>> => FURTHER[table] ?? {}

function fieldOf(record: RecordType, ctx: Ctx, name: string): Operand | undefined {
  const custom = /^cf\.([A-Za-z0-9_-]{1,100})$/.exec(name)
  if (custom && 'metadata' in record.output.fields) {
    return { expression: sql`(r.metadata -> ${custom[1]})`, type: 'jsonb' }
  }
  const extra = further(record)
  if (Object.hasOwn(extra, name)) return extra[name]
  const schema = Object.hasOwn(record.output.fields, name) ? record.output.fields[name] : undefined
  if (schema && name === 'categories') return { expression: sql`r.categories`, type: 'text[]' }
  const type = schema && !record.links?.[name] ? sortType(schema.json) : undefined
  if (!type) return undefined
  return { expression: record.computed?.[name]?.(ctx) ?? sql`r.${sql.ref(name)}`, type }
}

const fieldsOf = (record: RecordType): string[] => [
  ...Object.entries(record.output.fields)
    .filter(([name, schema]) => name === 'categories' || (!record.links?.[name] && sortType(schema.json)))
    .map(([name]) => name),
  ...Object.keys(further(record)),
  ...('metadata' in record.output.fields ? ['cf.<key>'] : []),
]
