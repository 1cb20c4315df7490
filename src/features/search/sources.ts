/** What of each kind of record is searched: how it is read, and what it says in words that people would search for. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { living, rows } from '../../kernel/statements.ts'

type Sql = RawBuilder<unknown>
// biome-ignore lint/suspicious/noExplicitAny: each source reads the columns that it names itself
type Found = Record<string, any>

/** A record as the index takes it. */
export interface RecordText {
  name: string
  /** what it is exactly called: whole names, addresses, domains; any of these typed in full finds it first */
  identities: string[]
  phones: string[]
  /** short statements, together the first passage */
  facts: string[]
  /** names of what it is tied to */
  context: string[]
  /** longer texts, each cut into passages */
  texts: string[]
}

export interface Source {
  entityType: string
  /** as people say it: "Company not found" */
  label: string
  table: string
  /** the permission group of the resource */
  group: string
  /** columns besides id, metadata and tags; the record is `r` */
  select(ctx: Ctx): Sql
  /** besides the record's own life */
  lives?(ctx: Ctx): Sql
  text(row: Found): RecordText
}

const linked = (ctx: Ctx, table: string, own: string, other: string, target: string, column: string): Sql =>
  sql`(select coalesce(json_agg(n.name), '[]') from (
    select t.${sql.ref(column)} as name from ${rows(ctx, table)} l
    join ${living(ctx, target)} t on t.id = l.${sql.ref(other)} where l.${sql.ref(own)} = r.id limit 20) n)`

const nameOf = (ctx: Ctx, table: string, column: string, id: string): Sql =>
  sql`(select t.${sql.ref(column)} from ${living(ctx, table)} t where t.id = r.${sql.ref(id)})`

const userName = (column: string): Sql => sql`(select u.name from users u where u.id = r.${sql.ref(column)})`

const fact = (label: string, value: unknown): string[] =>
  value === null || value === undefined || value === '' ? [] : [`${label}: ${String(value)}`]

const texts = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value.trim() !== '')

const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,;]+/) : [])
    .map(String)
    .filter(part => part !== '')

const place = (row: Found) => texts(row.city, row.state, row.country).join(', ')
const day = (moment: string | null) => moment?.slice(0, 10) ?? null
const tagged = (row: Found) => fact('Tags', [...strings(row.tags), ...strings(row.categories)].join(', '))

const company: Source = {
  entityType: 'company',
  label: 'Company',
  table: 'companies',
  group: 'companies',
  select:
    ctx => sql`r.name, r.domains, r.industry, r.company_size, r.employee_count, r.phone, r.email, r.website, r.address,
    r.city, r.state, r.country, r.description, r.notes, r.connection_strength, r.status, r.categories, r.twitter_handle,
    ${linked(ctx, 'company_people', 'company_id', 'person_id', 'contacts', 'full_name')} as people`,
  text: row => ({
    name: row.name,
    identities: [row.name, ...strings(row.domains), ...texts(row.email, row.website)],
    phones: texts(row.phone),
    facts: [
      row.name,
      ...fact('Industry', row.industry),
      ...fact('Location', place(row)),
      ...fact('Status', row.status),
      ...fact('Size', row.company_size ?? row.employee_count),
      ...fact('Domains', strings(row.domains).join(', ')),
      ...fact('Email', row.email),
      ...fact('Phone', row.phone),
      ...fact('Address', row.address),
      ...fact('Connection', row.connection_strength),
      ...tagged(row),
    ],
    context: row.people,
    texts: texts(row.description, row.notes),
  }),
}

const contact: Source = {
  entityType: 'contact',
  label: 'Contact',
  table: 'contacts',
  group: 'contacts',
  select:
    ctx => sql`r.full_name, r.email, r.emails, r.phone, r.phones, r.job_title, r.department, r.status, r.lead_source,
    r.city, r.state, r.country, r.address, r.birthday, r.language, r.description, r.notes, r.connection_strength, r.categories,
    ${nameOf(ctx, 'companies', 'name', 'company_id')} as company, ${userName('owner_id')} as owner`,
  text: row => ({
    name: row.full_name,
    identities: [
      row.full_name,
      ...texts(row.email),
      ...strings((row.emails ?? []).map((one: Found) => one.email)),
    ],
    phones: [...texts(row.phone), ...strings((row.phones ?? []).map((one: Found) => one.phone))],
    facts: [
      [row.full_name, row.job_title].filter(Boolean).join(', ') + (row.company ? ` at ${row.company}` : ''),
      ...fact('Department', row.department),
      ...fact('Location', place(row)),
      ...fact('Email', row.email),
      ...fact('Phone', row.phone),
      ...fact('Address', row.address),
      ...fact('Status', row.status),
      ...fact('Source', row.lead_source),
      ...fact('Birthday', row.birthday),
      ...fact('Language', row.language),
      ...fact('Connection', row.connection_strength),
      ...tagged(row),
    ],
    context: texts(row.company, row.owner),
    texts: texts(row.description, row.notes),
  }),
}

const deal: Source = {
  entityType: 'deal',
  label: 'Deal',
  table: 'deals',
  group: 'deals',
  select:
    ctx => sql`r.name, r.amount, r.currency, r.expected_close_date, r.closed_at, r.lost_reason, r.deal_type,
    r.lead_source, r.next_step, r.priority, r.description, r.notes, r.categories,
    ${nameOf(ctx, 'stages', 'name', 'stage_id')} as stage, ${userName('owner_id')} as owner,
    ${linked(ctx, 'deal_companies', 'deal_id', 'company_id', 'companies', 'name')} as companies,
    ${linked(ctx, 'deal_contacts', 'deal_id', 'contact_id', 'contacts', 'full_name')} as contacts`,
  text: row => ({
    name: row.name,
    identities: [row.name],
    phones: [],
    facts: [
      row.name + (row.companies.length > 0 ? ` with ${row.companies.join(', ')}` : ''),
      ...fact('Stage', row.stage),
      ...fact('Amount', row.amount === null ? null : `${row.amount} ${row.currency}`),
      ...fact('Expected close', row.expected_close_date),
      ...fact('Closed', day(row.closed_at)),
      ...fact('Lost because', row.lost_reason),
      ...fact('Type', row.deal_type),
      ...fact('Source', row.lead_source),
      ...fact('Next step', row.next_step),
      ...fact('Priority', row.priority),
      ...tagged(row),
    ],
    context: [...row.companies, ...row.contacts, ...texts(row.owner)],
    texts: texts(row.description, row.notes),
  }),
}

const tiesOf = (ctx: Ctx, owner: 'activity' | 'note'): Sql => {
  const of = (other: string, target: string, column: string) =>
    linked(ctx, `${owner}_${target}`, `${owner}_id`, `${other}_id`, target, column)
  return sql`${of('contact', 'contacts', 'full_name')} as contacts, ${of('company', 'companies', 'name')} as companies,
    ${of('deal', 'deals', 'name')} as deals`
}
const ties = (row: Found): string[] => [...row.contacts, ...row.companies, ...row.deals]

const activity: Source = {
  entityType: 'activity',
  label: 'Activity',
  table: 'activities',
  group: 'activities',
  select: ctx => sql`r.type, r.subject, r.description, r.status, r.priority, r.due_at, r.due_date, r.start_at,
    r.completed_at, r.outcome, r.location, ${userName('assignee_id')} as assignee, ${tiesOf(ctx, 'activity')}`,
  text: row => ({
    name: row.subject,
    identities: [row.subject],
    phones: [],
    facts: [
      row.subject,
      ...fact('Type', row.type),
      ...fact('Status', row.status),
      ...fact('Priority', row.priority),
      ...fact('Due', row.due_date ?? day(row.due_at)),
      ...fact('On', day(row.completed_at ?? row.start_at)),
      ...fact('Outcome', row.outcome),
      ...fact('Location', row.location),
      ...fact('Tags', strings(row.tags).join(', ')),
    ],
    context: [...ties(row), ...texts(row.assignee)],
    texts: texts(row.description),
  }),
}

/** A note without a title goes by its beginning. */
const beginning = (content: string) => {
  const line = content
    .replace(/^[#>\s*-]+/, '')
    .split('\n')[0]!
    .trim()
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line
}

const note: Source = {
  entityType: 'note',
  label: 'Note',
  table: 'notes',
  group: 'notes',
  select: ctx => sql`r.title, r.content, ${tiesOf(ctx, 'note')}`,
  text: row => ({
    name: row.title || beginning(row.content) || 'Note',
    identities: texts(row.title),
    phones: [],
    facts: fact('Tags', strings(row.tags).join(', ')),
    context: ties(row),
    texts: [row.content],
  }),
}

const page: Source = {
  entityType: 'kb_page',
  label: 'Document',
  table: 'kb_documents',
  group: 'kb',
  select: () => sql`r.title, r.content_markdown, r.type`,
  lives: () => sql`r.type = 'page'`,
  text: row => ({
    name: row.title,
    identities: [row.title],
    phones: [],
    facts: [],
    context: [],
    texts: texts(row.content_markdown),
  }),
}

const template: Source = {
  entityType: 'email_template',
  label: 'Email template',
  table: 'email_templates',
  group: 'email-templates',
  select: () => sql`r.subject, r.body_text`,
  text: row => ({
    name: row.subject,
    identities: [row.subject],
    phones: [],
    facts: [],
    context: [],
    texts: texts(row.body_text),
  }),
}

const draft: Source = {
  entityType: 'email_draft',
  label: 'Email draft',
  table: 'email_drafts',
  group: 'email-drafts',
  select: ctx => sql`r.subject, r.body_text, r.status, r."to", r.cc,
    ${nameOf(ctx, 'contacts', 'full_name', 'contact_id')} as contact,
    ${nameOf(ctx, 'companies', 'name', 'company_id')} as company, ${nameOf(ctx, 'deals', 'name', 'deal_id')} as deal`,
  text: row => ({
    name: row.subject || 'Email draft',
    identities: texts(row.subject),
    phones: [],
    facts: fact('To', [...addresses(row.to), ...addresses(row.cc)].join(', ')),
    context: texts(row.contact, row.company, row.deal),
    texts: texts(row.body_text),
  }),
}
const addresses = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map(one => (typeof one === 'string' ? one : (one?.email ?? '')))

const message: Source = {
  entityType: 'chat_message',
  label: 'Message',
  table: 'chat_messages',
  group: 'chats',
  select: ctx => sql`r.content, r.role, ${nameOf(ctx, 'chats', 'title', 'chat_id')} as chat`,
  lives: ctx =>
    sql`r.role in ('user', 'assistant') and exists (select from ${living(ctx, 'chats')} c where c.id = r.chat_id)`,
  text: row => ({
    name: row.chat || 'Chat',
    identities: [],
    phones: [],
    facts: [],
    context: texts(row.chat),
    texts: texts(row.content),
  }),
}

const transcription: Source = {
  entityType: 'transcription',
  label: 'Transcription',
  table: 'transcriptions',
  group: 'transcriptions',
  select:
    ctx => sql`r.file_name, r.text, r.summary, ${nameOf(ctx, 'activities', 'subject', 'activity_id')} as activity,
    ${nameOf(ctx, 'contacts', 'full_name', 'contact_id')} as contact,
    ${nameOf(ctx, 'companies', 'name', 'company_id')} as company, ${nameOf(ctx, 'deals', 'name', 'deal_id')} as deal`,
  text: row => ({
    name: row.file_name,
    identities: [row.file_name],
    phones: [],
    facts: [],
    context: texts(row.activity, row.contact, row.company, row.deal),
    texts: texts(row.summary, row.text),
  }),
}

export const SOURCES: readonly Source[] = [
  company,
  contact,
  deal,
  activity,
  note,
  page,
  template,
  draft,
  message,
  transcription,
]
export const ENTITY_TYPES = SOURCES.map(source => source.entityType)
export const sourceOf = (entityType: string): Source | undefined =>
  SOURCES.find(source => source.entityType === entityType)
