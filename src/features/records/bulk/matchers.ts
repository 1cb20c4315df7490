/** The fields that identify an existing record in upserts and imports. */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/fold.ts'
import type { RecordInput } from '../../../kernel/resource.ts'
import { rows } from '../../../kernel/statements.ts'
import { isRecord } from '../../../lib/values.ts'
import { declarationOf, kindNames } from '../../../resources/kinds.ts'
import { keepField } from './keep.ts'
import { domainsIn, keepDomains, keepEmails, keepPhones } from './keep-lists.ts'
import type { Matcher, Matchers } from './match-on.ts'

const sameText = (column: string): Matcher => ({
  match(_, input) {
    const value = input[column]
    if (typeof value !== 'string' || value.trim() === '') return undefined
    return { value, where: sql`fold(r.${sql.ref(column)}) = ${fold(value)}` }
  },
  keep: keepField(column),
})

const firstDomain = (ctx: Ctx, input: RecordInput) => {
  const [domain] = domainsIn(input.domains)
  if (!domain) return undefined
  const where = sql`r.id = any(array(select d.company_id from ${rows(ctx, 'company_domains')} d
    where d.domain = domain_name(${domain})))`
  return { value: domain, where }
}

/** The same phone number in any notation: all notations end with the same digits. */
const samePhone = (_: unknown, input: RecordInput) => {
  const phone = typeof input.phone === 'string' ? input.phone : ''
  const digits = phone.replace(/(ext|x|#).*$/i, '').replace(/[^0-9]/g, '')
  if (digits.length < 5) return undefined
  const where = sql`phone_tail(r.phone) = phone_tail(${phone}) and is_same_phone(r.phone, ${phone})`
  return { value: digits.slice(-6), where }
}

/** Matches any of a contact's e-mail addresses. */
const oneOfAddresses = (ctx: Ctx, input: RecordInput) => {
  const [first]: unknown[] = Array.isArray(input.emails) ? input.emails : []
  const value = input.email ?? (isRecord(first) ? first.email : undefined)
  if (typeof value !== 'string' || value === '') return undefined
  const where = sql`r.id = any(array(select a.contact_id from ${rows(ctx, 'contact_addresses')} a
    where a.address = lower(${value}::text collate "C")))`
  return { value, where }
}

const written: Record<string, Matchers> = {
  contact: {
    email: { match: oneOfAddresses, keep: keepEmails },
    phone: { match: samePhone, keep: keepPhones },
  },
  company: {
    domain: { match: firstDomain, keep: keepDomains },
    name: sameText('name'),
    email: sameText('email'),
  },
  deal: { name: sameText('name') },
  activity: { subject: sameText('subject') },
  note: { title: sameText('title') },
}

/** A kind without an entry above is matched by its code and its name. */
export const matchers: Record<string, Matchers> = Object.fromEntries(
  kindNames.map(kind => {
    const { name, code = name } = declarationOf(kind)
    return [kind, written[kind] ?? { [code]: sameText(code), [name]: sameText(name) }]
  }),
)
