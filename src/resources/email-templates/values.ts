/** The values that templates can use: of the given records, of the writer and of their account. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living, rows, unscoped } from '../../kernel/statements.ts'
import { isRecord, property } from '../../lib/values.ts'
import { targets } from '../kinds.ts'

const KINDS = ['contact', 'company', 'deal'] as const
type Kind = (typeof KINDS)[number]
type Values = Record<string, unknown>

/** An explicit list, because people outside the account read the result. */
const FIELDS = {
  contact: [
    ...['first_name', 'last_name', 'full_name', 'email', 'phone', 'job_title', 'department', 'website'],
    ...['linkedin_url', 'address', 'city', 'state', 'country', 'postal_code', 'status', 'lead_source'],
  ],
  company: [
    ...['name', 'industry', 'company_size', 'website', 'email', 'phone', 'linkedin_url', 'description'],
    ...['address', 'city', 'state', 'country', 'postal_code', 'status'],
  ],
  deal: [
    ...['name', 'amount', 'currency', 'stage', 'expected_close_date', 'deal_type', 'priority', 'next_step'],
    ...['lead_source', 'description'],
  ],
  user: ['name', 'email'],
  account: ['name'],
} satisfies Record<Kind | 'user' | 'account', string[]>

/** Every name that a template can use besides the caller's variables. */
export function variableList(): { name: string; group: string; label: string }[] {
  const label = (field: string) => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')
  const fields = Object.entries(FIELDS).flatMap(([group, names]) =>
    names.map(name => ({ name: `${group}.${name}`, group, label: label(name) })),
  )
  const custom = KINDS.map(group => ({
    name: `${group}.cf.<key>`,
    group,
    label: 'A custom field, by its key',
  }))
  const anyones = {
    name: 'cf.<key>',
    group: 'any',
    label: 'A custom field of the contact, else of the company, else of the deal',
  }
  return [...fields, ...custom, anyones]
}

export interface About {
  contact_id?: string | null
  company_id?: string | null
  deal_id?: string | null
}

/**
 * The values of the records that the caller named, of those that the draft is linked to, and of the records linked to
 * them: a deal's contact and company, a contact's company.
 */
export async function valuesFor(ctx: Ctx, named: About, implied: About = {}): Promise<Values> {
  const deal = await load(ctx, 'deal', named.deal_id, implied.deal_id)
  const contact = await load(ctx, 'contact', named.contact_id, implied.contact_id ?? deal?.primary_contact_id)
  const company = await load(
    ctx,
    'company',
    named.company_id,
    implied.company_id ?? deal?.company_id ?? contact?.company_id,
  )
  const writer = await queryOne(
    ctx,
    sql<{ user: Values; account: Values }>`
      select (select json_build_object('name', u.name, 'email', u.email) from users u where u.id = ${ctx.user}) as "user",
        (select json_build_object('name', a.name) from ${unscoped('accounts')} a where a.id = ${ctx.account}) as account`,
  )
  const custom = ({ cf }: Values = {}): Values | undefined => (isRecord(cf) ? cf : undefined)
  return {
    contact: offered('contact', contact),
    company: offered('company', company),
    deal: offered('deal', deal),
    ...writer,
    cf: { ...custom(deal), ...custom(company), ...custom(contact) },
  }
}

/** The fields of the list, not the ids that led from one record to the next. */
const offered = (kind: Kind, record: Values | undefined): Values | undefined =>
  record && Object.fromEntries([...FIELDS[kind], 'cf'].map(name => [name, record[name]]))

/** A record that the caller named must exist and be readable for them; an implied one may be absent. */
async function load(
  ctx: Ctx,
  kind: Kind,
  named: string | null | undefined,
  implied: unknown,
): Promise<Values | undefined> {
  const id = named ?? implied
  if (id == null) return undefined
  const permission = `${targets[kind].table}:read`
  if (!hasScope(ctx.caller.scopes, permission)) {
    if (named) throw errors.missingScope(permission)
    return undefined
  }
  const { table, label } = targets[kind]
  const record = await queryOne(
    ctx,
    sql<Values>`select ${columns(ctx, kind)}, t.metadata as cf from ${living(ctx, table)} t where t.id = ${id}`,
  )
  if (!record && named) throw errors.referenceNotFound(['body', `${kind}_id`], label, named)
  return record
}

function columns(ctx: Ctx, kind: Kind): RawBuilder<unknown> {
  const own = FIELDS[kind].filter(field => field !== 'stage').map(field => sql`t.${sql.ref(field)}`)
  if (kind === 'contact') own.push(sql`t.company_id`)
  if (kind === 'deal') {
    own.push(sql`(select s.name from ${rows(ctx, 'stages')} s where s.id = t.stage_id) as stage`)
    own.push(sql`t.company_id`, sql`t.primary_contact_id`)
  }
  return sql.join(own)
}

/** The text of a dotted name. Only own properties count, so `constructor` is unknown. */
export function textAt(values: Values, name: string): string | undefined {
  if (Object.hasOwn(values, name)) return printable(values[name])
  let value: unknown = values
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = property(value, key)
  }
  return printable(value)
}

function printable(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return undefined
  const texts = value.map(printable)
  return texts.every(text => text !== undefined) ? texts.join(', ') : undefined
}
