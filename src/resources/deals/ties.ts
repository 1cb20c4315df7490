/** The companies and contacts that a deal is tied to. */
import type { Link } from '../../kernel/links.ts'
import { targets } from '../shared/fields.ts'

export const companyTies: Link = {
  table: 'deal_companies',
  own: 'deal_id',
  other: 'company_id',
  target: targets.company,
}
export const contactTies: Link = {
  table: 'deal_contacts',
  own: 'deal_id',
  other: 'contact_id',
  target: targets.contact,
}

/** One of a deal's ties is named apart: its company, and the contact to speak to. */
export const namedTies = [
  { name: 'company_id', all: 'associated_company_ids', link: companyTies },
  { name: 'primary_contact_id', all: 'associated_contact_ids', link: contactTies },
] as const
