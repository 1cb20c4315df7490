/** Pages, email and chats. */
import { sql } from 'kysely'
import { living } from '../../../kernel/statements.ts'
import { companiesOf, fact, nameOf, type Source, texts } from './source.ts'

export const page: Source = {
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

export const template: Source = {
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

export const draft: Source = {
  entityType: 'email_draft',
  label: 'Email draft',
  table: 'email_drafts',
  group: 'email-drafts',
  select: ctx => sql`r.subject, r.body_text, r.status, r."to", r.cc,
    ${nameOf(ctx, 'contacts', 'full_name', 'contact_id')} as contact,
    ${nameOf(ctx, 'companies', 'name', 'company_id')} as company, ${nameOf(ctx, 'deals', 'name', 'deal_id')} as deal,
    ${companiesOf(ctx, sql`select r.contact_id`, sql`select r.deal_id`)} as around`,
  text: row => ({
    name: row.subject || 'Email draft',
    identities: texts(row.subject),
    phones: [],
    facts: fact('To', [...addresses(row.to), ...addresses(row.cc)].join(', ')),
    context: texts(row.contact, row.company, row.deal),
    around: row.around,
    texts: texts(row.body_text),
  }),
}
const addresses = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap(one =>
    typeof one === 'string' ? [one] : texts(one?.name, one?.email),
  )

export const message: Source = {
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
