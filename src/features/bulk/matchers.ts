/** What records are recognised by when they come in again: upsert here, imports too. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { fold } from '../../kernel/fold.ts'
import type { Item } from '../../kernel/resource.ts'
import { isRecord } from '../../kernel/schema/types.ts'
import { rows } from '../../kernel/statements.ts'
import type { Matchers } from './upsert.ts'

const sameText = (column: string) => (_: unknown, input: Item) => {
  const value = input[column]
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return { value, where: sql`fold(r.${sql.ref(column)}) = ${fold(value)}` }
}

const firstDomain = (ctx: Ctx, input: Item) => {
  const texts = [input.domains].flat().filter(entry => typeof entry === 'string')
  const [domain] = texts.flatMap(entry => entry.split(/[\s,;]+/))
  if (!domain) return undefined
  const where = sql`r.id in (select d.company_id from ${rows(ctx, 'company_domains')} d
    where d.domain = domain_name(${domain}))`
  return { value: domain, where }
}

const samePhone = (_: unknown, input: Item) => {
  const digits = typeof input.phone === 'string' ? input.phone.replace(/[^0-9]/g, '') : ''
  return digits.length < 5 ? undefined : { value: digits, where: sql`digits(r.phone) = ${digits}` }
}

/** Any of the person's addresses. */
const oneOfAddresses = (ctx: Ctx, input: Item) => {
  const [first]: unknown[] = Array.isArray(input.emails) ? input.emails : []
  const value = input.email ?? (isRecord(first) ? first.email : undefined)
  if (typeof value !== 'string' || value === '') return undefined
  const where = sql`r.id in (select a.contact_id from ${rows(ctx, 'contact_addresses')} a
    where a.address = lower(${value}::text collate "C"))`
  return { value, where }
}

export const matchers: Record<string, Matchers> = {
  contact: { email: oneOfAddresses, phone: samePhone },
  company: { domain: firstDomain, name: sameText('name'), email: sameText('email') },
  deal: { name: sameText('name') },
  activity: { subject: sameText('subject') },
  note: { title: sameText('title') },
}
