/** How a line of the tables of the sixth, seventh and eighth sets becomes a record. */
import { day } from './reckon.ts'
import type { Activity, Company, Contact, Deal, Note, Stage } from './types.ts'

/** Days from today; a weekend gives way to the next working day away from today, but tomorrow stays tomorrow. */
const workday = (offset: number): string => {
  const weekend = [0, 6].includes(new Date(day(offset)).getUTCDay())
  return weekend && offset !== 1 ? workday(offset < 0 ? offset - 1 : offset + 1) : day(offset)
}

export const deal = (
  key: string,
  name: string,
  company: string,
  contact: string,
  owner: string | null,
  stage: Stage,
  amount: number,
  close: string,
  priority: string,
  quote: string | null,
  lead_source: string,
  next_step: string | null = null,
  lost_reason: string | null = null,
): Deal => ({
  key,
  name,
  company,
  contact,
  owner,
  stage,
  amount,
  currency: 'EUR',
  close,
  priority,
  ...(quote ? { metadata: { quote_number: quote } } : {}),
  lead_source,
  ...(next_step ? { next_step } : {}),
  ...(lost_reason ? { lost_reason } : {}),
})

export const done = (
  key: string,
  type: Activity['type'],
  subject: string,
  offset: number,
  who: string,
  contacts: readonly string[],
  companies: readonly string[],
  about: readonly string[],
  description: string | null = null,
  outcome: string | null = null,
  more: Partial<Activity> = {},
): Activity => {
  const on = workday(offset)
  const at = `${on}T10:00:00Z`
  return {
    key,
    type,
    subject,
    status: 'completed',
    day: on,
    who,
    contacts,
    companies,
    deals: about,
    ...(type === 'task' ? { due_at: at } : { start_at: at, end_at: `${on}T10:30:00Z` }),
    ...(description ? { description } : {}),
    ...(outcome ? { outcome } : {}),
    ...more,
  }
}
export const plan = (
  key: string,
  type: Activity['type'],
  subject: string,
  offset: number,
  who: string,
  contacts: readonly string[],
  companies: readonly string[],
  about: readonly string[],
  description: string | null,
  priority: string,
): Activity => {
  const on = workday(offset)
  const at = `${on}T14:00:00Z`
  return {
    key,
    type,
    subject,
    status: 'planned',
    day: on,
    who,
    contacts,
    companies,
    deals: about,
    due_at: at,
    ...(type === 'meeting' ? { start_at: at, end_at: `${on}T15:00:00Z` } : {}),
    ...(description ? { description } : {}),
    priority,
  }
}

const KINDS: Readonly<Record<string, string>> = { c: 'company', p: 'contact', d: 'deal' }
export const note = (key: string, on: string | null, content: string, title?: string): Note => ({
  key,
  on: on ? [KINDS[on[0]!]!, on] : null,
  content,
  ...(title ? { title } : {}),
})

const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .replace(/[^a-z]/g, '')

/** Who works nowhere has an address at `elsewhere`. */
export const personAt =
  (companies: readonly Company[], elsewhere: string) =>
  (
    key: string,
    first_name: string,
    last_name: string,
    job_title: string,
    employer: string | null,
    owner: string,
    phone: string | null,
    lead_source: string | null,
    tags: readonly string[] | null = null,
    more: Partial<Contact> = {},
  ): Contact => ({
    key,
    first_name,
    last_name,
    job_title,
    email: `${plain(first_name)}.${plain(last_name)}@${companies.find(one => one.key === employer)?.domains[0] ?? elsewhere}`,
    company: employer,
    owner,
    phone,
    ...(lead_source === null ? {} : { lead_source }),
    ...(tags === null ? {} : { tags }),
    ...more,
  })
