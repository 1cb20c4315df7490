/** How a kind of record is read for the index, and its texts that are searched. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { living, rows, type TableName } from '../../../kernel/statements.ts'

export type Sql = RawBuilder<unknown>
// biome-ignore lint/suspicious/noExplicitAny: each source reads the columns that it names itself
export type SourceRow = Record<string, any>

/** The searchable text of a record. */
export interface RecordText {
  name: string
  /** whole names, addresses, domains; a search for one of them returns the record first */
  identities: string[]
  phones: string[]
  /** short statements, together the first passage */
  facts: string[]
  /** names of the linked records */
  context: string[]
  /** names of the companies of those people and deals */
  around?: string[]
  /** longer texts, each cut into passages */
  texts: string[]
}

export interface Source {
  entityType: string
  /** for messages: "Company not found" */
  label: string
  table: TableName
  /** the permission group of the resource */
  group: string
  /** columns besides id, metadata and tags; the record is `r` */
  select(ctx: Ctx): Sql
  /** a condition besides not being in the trash */
  lives?(ctx: Ctx): Sql
  text(row: SourceRow): RecordText
}

/**
 * The ids are an array: otherwise a planner without statistics reads all targets for each record.
 * Reading 100 of 1,000 activities with one contact took more than the 30 s that a statement may take.
 */
export const linked = (
  ctx: Ctx,
  table: TableName,
  own: string,
  other: string,
  target: TableName,
  column: string,
): Sql =>
  sql`(select coalesce(json_agg(n.name), '[]') from (
    select t.${sql.ref(column)} as name from ${living(ctx, target)} t where t.id = any(array(
      select l.${sql.ref(other)} from ${rows(ctx, table)} l where l.${sql.ref(own)} = r.id)) limit 20) n)`

export const nameOf = (ctx: Ctx, table: TableName, column: string, id: string): Sql =>
  sql`(select t.${sql.ref(column)} from ${living(ctx, table)} t where t.id = r.${sql.ref(id)})`

export const userName = (column: string): Sql =>
  sql`(select u.name from users u where u.id = r.${sql.ref(column)})`

export const fact = (label: string, value: unknown): string[] =>
  value === null || value === undefined || value === '' ? [] : [`${label}: ${String(value)}`]

export const texts = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value.trim() !== '')

/** A field that contains sentences becomes a passage of its own: in a list of labels and values its embedding is lost. */
const isProse = (value: unknown): value is string =>
  typeof value === 'string' && value.trim().split(/\s+/).length >= 4
export const prose = (value: unknown): string[] => (isProse(value) ? [value] : [])
export const unlessProse = (value: unknown): unknown => (isProse(value) ? null : value)

export const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,;]+/) : [])
    .map(String)
    .filter(part => part !== '')

export const location = (row: SourceRow) => texts(row.city, row.state, row.country).join(', ')
export const day = (moment: string | null) => moment?.slice(0, 10) ?? null
export const tagged = (row: SourceRow) =>
  fact('Tags', [...strings(row.tags), ...strings(row.categories)].join(', '))

type Linked = 'contacts' | 'companies' | 'deals'

export const linkedNamesSelect = (ctx: Ctx, owner: 'activity' | 'note'): Sql => {
  const of = (other: string, target: Linked, column: string) =>
    linked(ctx, `${owner}_${target}`, `${owner}_id`, `${other}_id`, target, column)
  const ids = (other: string, target: Linked) =>
    sql`select l.${sql.ref(`${other}_id`)} from ${rows(ctx, `${owner}_${target}`)} l where l.${sql.ref(`${owner}_id`)} = r.id`
  return sql`${of('contact', 'contacts', 'full_name')} as contacts, ${of('company', 'companies', 'name')} as companies,
    ${of('deal', 'deals', 'name')} as deals,
    ${companiesOf(ctx, ids('contact', 'contacts'), ids('deal', 'deals'))} as around`
}

/** Notes and activities of a contact or deal are found under the company's name, too. */
export const companiesOf = (ctx: Ctx, contacts: Sql, deals: Sql): Sql =>
  sql`(select coalesce(json_agg(n.name), '[]') from (
    select c.name from ${living(ctx, 'companies')} c where c.id = any(array(
      select p.company_id from ${living(ctx, 'contacts')} p where p.id = any(array(${contacts}))
      union select l.company_id from ${rows(ctx, 'deal_companies')} l where l.deal_id = any(array(${deals})))) limit 20) n)`
export const linkedNames = (row: SourceRow): string[] => [...row.contacts, ...row.companies, ...row.deals]
