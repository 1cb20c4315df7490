/** Companies, contacts and deals. */
import { sql } from 'kysely'
import { lostReason } from '../../../resources/deals/computed.ts'
import {
  day,
  fact,
  linked,
  location,
  nameOf,
  prose,
  type Source,
  type SourceRow,
  strings,
  tagged,
  texts,
  unlessProse,
  userName,
} from './source.ts'

export const company: Source = {
  entityType: 'company',
  label: 'Company',
  table: 'companies',
  group: 'companies',
  select:
    ctx => sql`r.name, r.domains, r.industry, r.company_size, r.employee_count, r.phone, r.email, r.website, r.address,
    r.city, r.state, r.country, r.description, r.notes, r.connection_strength, r.status, r.categories, r.twitter_handle,
    r.linkedin_url, r.twitter_url, ${linked(ctx, 'company_people', 'company_id', 'person_id', 'contacts', 'full_name')} as people`,
  text: row => ({
    name: row.name,
    identities: [
      row.name,
      ...strings(row.domains),
      ...texts(row.email, row.website, row.linkedin_url, row.twitter_url),
    ],
    phones: texts(row.phone),
    facts: [
      row.name,
      ...fact('Industry', row.industry),
      ...fact('Location', location(row)),
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

export const contact: Source = {
  entityType: 'contact',
  label: 'Contact',
  table: 'contacts',
  group: 'contacts',
  select:
    ctx => sql`r.full_name, r.email, r.emails, r.phone, r.phones, r.job_title, r.department, r.status, r.lead_source,
    r.city, r.state, r.country, r.address, r.birthday, r.language, r.description, r.notes, r.connection_strength, r.categories,
    r.linkedin_url, r.twitter_url, ${nameOf(ctx, 'companies', 'name', 'company_id')} as company,
    ${userName('owner_id')} as owner`,
  text: row => ({
    name: row.full_name,
    identities: [
      row.full_name,
      ...texts(row.email, row.linkedin_url, row.twitter_url),
      ...strings((row.emails ?? []).map((one: SourceRow) => one.email)),
    ],
    phones: [...texts(row.phone), ...strings((row.phones ?? []).map((one: SourceRow) => one.phone))],
    facts: [
      [row.full_name, row.job_title].filter(Boolean).join(', ') + (row.company ? ` at ${row.company}` : ''),
      ...fact('Department', row.department),
      ...fact('Location', location(row)),
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

export const deal: Source = {
  entityType: 'deal',
  label: 'Deal',
  table: 'deals',
  group: 'deals',
  select: ctx => sql`r.name, r.amount, r.currency, r.expected_close_date, r.closed_at, r.deal_type,
    ${lostReason(ctx)} as lost_reason, r.lead_source, r.next_step, r.priority, r.description, r.notes, r.categories,
    ${nameOf(ctx, 'stages', 'name', 'stage_id')} as stage, ${userName('owner_id')} as owner,
    ${linked(ctx, 'deal_companies', 'deal_id', 'company_id', 'companies', 'name')} as companies,
    ${linked(ctx, 'deal_contacts', 'deal_id', 'contact_id', 'contacts', 'full_name')} as contacts,
    ${linked(ctx, 'deal_line_items', 'deal_id', 'product_id', 'products', 'name')} as products`,
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
      ...fact('Lost because', unlessProse(row.lost_reason)),
      ...fact('Type', row.deal_type),
      ...fact('Source', row.lead_source),
      ...fact('Next step', unlessProse(row.next_step)),
      ...fact('Priority', row.priority),
      ...fact('Products', row.products.join(', ')),
      ...tagged(row),
    ],
    context: [...row.companies, ...row.contacts, ...texts(row.owner)],
    texts: [
      ...texts(row.description, row.notes),
      ...prose(row.lost_reason).flatMap(why => fact('Lost because', why)),
      ...prose(row.next_step).flatMap(step => fact('Next step', step)),
    ],
  }),
}
