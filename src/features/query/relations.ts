/**
 * How records lead to others, derived from what the records declare: references (`company_id` → company), links
 * (`associated_deal_ids` → deals) and both from their other end (an activity links contacts → a contact has
 * activities). Owners, stages, pipelines and tags are added here.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { RecordType, Resource } from '../../kernel/resource.ts'
import { living, rows, type TableName } from '../../kernel/statements.ts'
import { TAGGED_TYPES } from '../../resources/tags/record.ts'

type Sql = RawBuilder<unknown>

export interface Kind {
  entity: string
  /** the group whose read scope it takes; undefined: every caller of the account may see it */
  group: string | undefined
  /** type and SQL of a field of the record `r`; undefined when it cannot be compared */
  field(ctx: Ctx, name: string): Operand | undefined
  fields: readonly string[]
  relations: ReadonlyMap<string, Relation>
  record?: RecordType
}

export interface Operand {
  expression: Sql
  /** of PostgreSQL: text, numeric, timestamptz, … */
  type: string
}

export interface Relation {
  to: () => Kind | undefined
  /** one record at most */
  isSingle: boolean
  /** of the record `r`: what `keys` are compared with */
  own(ctx: Ctx): Sql
  /**
   * A select of the keys of those that have a related record for which `where` holds. The related record is `r` in
   * it, so that computed fields, which are written in terms of `r`, work at every depth; nothing in it refers to the
   * outer record.
   */
  keys(ctx: Ctx, where: Sql): Sql
  /** the key that `keys` selects, for grouping by it */
  key: Sql
}

export type Kinds = ReadonlyMap<string, Kind>

/** `company_id` → company, `associated_deal_ids` → deals, `team_ids` → team */
export const relationName = (field: string): string =>
  field
    .replace(/^associated_/, '')
    .replace(/_ids$/, field === 'team_ids' ? '' : 's')
    .replace(/_id$/, '')
    .replace(/ys$/, 'ies')

/** References that the records do not declare, because their resources check them by rules of their own. */
const FURTHER_REFERENCES: Readonly<Record<string, Readonly<Record<string, TableName>>>> = {
  deals: { stage_id: 'stages', pipeline_id: 'pipelines' },
}

type FieldOf = (record: RecordType, ctx: Ctx, name: string) => Operand | undefined

export function kindsOf(
  resources: readonly Resource[],
  fieldOf: FieldOf,
  fieldsOf: (record: RecordType) => string[],
): Kinds {
  const byTable = new Map<string, Kind>()
  const relations = new Map<string, Map<string, Relation>>()
  for (const { name, record } of resources) {
    const own = new Map<string, Relation>()
    relations.set(record.table, own)
    byTable.set(record.table, {
      entity: record.entityType ?? record.label.toLowerCase().replaceAll(' ', '_'),
      group: name,
      field: (ctx, field) => fieldOf(record, ctx, field),
      fields: fieldsOf(record),
      relations: own,
      record,
    })
  }
  const add = (table: string, name: string, relation: Relation) => {
    const own = relations.get(table)
    if (own && !own.has(name)) own.set(name, relation)
  }
  const to = (table: string) => () => byTable.get(table)
  for (const { record } of resources) {
    for (const [field, target] of Object.entries(record.references ?? {})) {
      if (target.table === 'members') add(record.table, relationName(field), memberOf(field))
      else if (byTable.has(target.table))
        add(record.table, relationName(field), reference(record, field, target.table, to))
    }
    for (const [field, table] of Object.entries(FURTHER_REFERENCES[record.table] ?? {})) {
      add(record.table, relationName(field), reference(record, field, table, to))
    }
    for (const [field, link] of Object.entries(record.links ?? {})) {
      add(record.table, relationName(field), linked(link.table, link.own, link.other, link.target.table, to))
    }
    if ((TAGGED_TYPES as readonly string[]).includes(record.entityType ?? '')) {
      add(record.table, 'tags', tagsOf(record.entityType ?? '', to))
    }
  }
  // from the other end, once every record has named its own
  for (const { name, record } of resources) {
    for (const link of Object.values(record.links ?? {})) {
      add(link.target.table, name, linked(link.table, link.other, link.own, record.table, to))
    }
    for (const [field, target] of Object.entries(record.references ?? {})) {
      if (byTable.has(target.table)) add(target.table, name, referring(field, record, to))
    }
  }
  return new Map([...byTable.values()].map(kind => [kind.entity, kind]))
}

type To = (table: string) => () => Kind | undefined

/** Hidden while the other record is in the trash, as the field itself is. */
const column = (record: RecordType, ctx: Ctx, field: string): Sql =>
  record.computed?.[field]?.(ctx) ?? sql`r.${sql.ref(field)}`

const reference = (record: RecordType, field: string, table: TableName, to: To): Relation => ({
  to: to(table),
  isSingle: true,
  own: ctx =>
    field in (FURTHER_REFERENCES[record.table] ?? {}) ? sql`r.${sql.ref(field)}` : column(record, ctx, field),
  keys: (ctx, where) => sql`select r.id from ${living(ctx, table)} r where ${where}`,
  key: sql`r.id`,
})

const referring = (field: string, record: RecordType, to: To): Relation => ({
  to: to(record.table),
  isSingle: false,
  own: () => sql`r.id`,
  keys: (ctx, where) => sql`select r.${sql.ref(field)} from ${living(ctx, record.table)} r
    where r.${sql.ref(field)} is not null and ${where}`,
  key: sql`r.${sql.ref(field)}`,
})

const linked = (table: TableName, own: string, other: string, target: TableName, to: To): Relation => ({
  to: to(target),
  isSingle: false,
  own: () => sql`r.id`,
  keys: (ctx, where) => sql`select l.${sql.ref(own)} from ${rows(ctx, table)} l
    join ${living(ctx, target)} r on r.id = l.${sql.ref(other)} where ${where}`,
  key: sql`l.${sql.ref(own)}`,
})

const tagsOf = (entityType: string, to: To): Relation => ({
  to: to('tags'),
  isSingle: false,
  own: () => sql`r.id`,
  keys: (ctx, where) => sql`select g.entity_id from ${rows(ctx, 'taggings')} g
    join ${living(ctx, 'tags')} r on r.id = g.tag_id where g.entity_type = ${entityType} and ${where}`,
  key: sql`g.entity_id`,
})

const MEMBER_FIELDS = ['id', 'name', 'email']

/** A member of the account: what of it every colleague may see. */
const member: Kind = {
  entity: 'member',
  group: undefined,
  field: (_, name) =>
    MEMBER_FIELDS.includes(name)
      ? { expression: sql`r.${sql.ref(name)}`, type: name === 'id' ? 'uuid' : 'text' }
      : undefined,
  fields: MEMBER_FIELDS,
  relations: new Map(),
}

const memberOf = (field: string): Relation => ({
  to: () => member,
  isSingle: true,
  own: () => sql`r.${sql.ref(field)}`,
  keys: (ctx, where) => sql`select r.id from users r
    where r.id in (select m.user_id from ${rows(ctx, 'members')} m) and ${where}`,
  key: sql`r.id`,
})
