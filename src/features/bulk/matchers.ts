/** What records are recognised by when they come in again: upsert here, imports too. */
import { sql } from 'kysely'
import type { Item } from '../../kernel/resource.ts'
import type { Matchers } from './upsert.ts'

const sameText = (column: string) => (_: unknown, input: Item) => {
  const value = input[column]
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return { value, where: sql`fold(r.${sql.ref(column)}) = fold(${value})` }
}

const firstDomain = (_: unknown, input: Item) => {
  const [domain] = [input.domains ?? []].flat().flatMap((entry: string) => entry.split(/[\s,;]+/))
  return domain ? { value: domain, where: sql`has_domain(r.domains, ${domain})` } : undefined
}

const samePhone = (_: unknown, input: Item) => {
  const digits = typeof input.phone === 'string' ? input.phone.replace(/[^0-9]/g, '') : ''
  return digits.length < 5 ? undefined : { value: digits, where: sql`digits(r.phone) = ${digits}` }
}

const sameEmail = (_: unknown, input: Item) => {
  const value = input.email
  if (typeof value !== 'string') return undefined
  return { value, where: sql`lower(r.email collate "C") = lower(${value}::text collate "C")` }
}

export const matchers: Record<string, Matchers> = {
  contact: { email: sameEmail, phone: samePhone },
  company: { domain: firstDomain, name: sameText('name'), email: sameEmail },
  deal: { name: sameText('name') },
  activity: { subject: sameText('subject') },
  note: { title: sameText('title') },
}
