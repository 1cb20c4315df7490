/** A field that questions are about: how people call it and what it is in SQL. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { living, type TableName } from '../../../../kernel/statements.ts'

export type Sql = RawBuilder<unknown>
export type Kind = 'deal' | 'contact' | 'company' | 'activity' | 'note'

export interface Field {
  key: string
  /** how it is called in an answer */
  label: string
  /** how it is called in a question; the first is enough when a value of it is named */
  said: RegExp
  type: 'text' | 'number' | 'money' | 'day' | 'time'
  /** of the record `r` */
  value(ctx: Ctx): Sql
  /** may a value of it be named without the field's name: "deals in Proposal", "contacts in Berlin" */
  byValue?: boolean
  /** may records be grouped by it */
  groups?: boolean
  /** of a declared field that is true or false: its id */
  flag?: string
}

export const isNumeric = ({ type }: Pick<Field, 'type'>): boolean => type === 'number' || type === 'money'

export const column = (key: string, type: Field['type'], said: RegExp, more: Partial<Field> = {}): Field => ({
  key,
  label: key.replaceAll('_', ' '),
  said,
  type,
  value: () => sql`r.${sql.ref(key)}`,
  ...more,
})

export const named = (ctx: Ctx, table: TableName, id: string, name = 'name'): Sql =>
  sql`(select t.${sql.ref(name)} from ${living(ctx, table)} t where t.id = r.${sql.ref(id)})`
export const person = (id: string): Sql => sql`(select u.name from users u where u.id = r.${sql.ref(id)})`
export const value = { byValue: true, groups: true }

export const place = [
  column('city', 'text', /cit(?:y|ies)|town/, value),
  column('state', 'text', /states?|provinces?|regions?/, value),
  column('country', 'text', /countr(?:y|ies)/, value),
  column('address', 'text', /addresses|address|street/),
  column('postal_code', 'text', /(?:postal|zip) ?codes?|zip/),
]
export const dates = [
  column('created_at', 'time', /created|added|new|creation date|entered/, { label: 'created' }),
  column('updated_at', 'time', /updated|changed|modified|edited/, { label: 'updated' }),
]
export const owner: Field = {
  key: 'owner_id',
  label: 'owner',
  said: /owners?|owned|owns?|responsible|look(?:s|ing)? after|in charge|tak(?:es?|ing) care|handl(?:es?|ing)|manag(?:es?|ing)|account (?:managers?|executives?)|(?:sales )?reps?|salespersons?|salespeople|sellers?/,
  type: 'text',
  value: () => person('owner_id'),
  ...value,
}
