/** The companies and contacts that a deal is linked to. */
import { linkFrom } from '../kinds.ts'

export const companyLinks = linkFrom('deal_companies', 'deal')
export const contactLinks = linkFrom('deal_contacts', 'deal')

/** One link of each kind has a field of its own: the company and the primary contact. */
export const namedLinks = [
  { name: 'company_id', all: 'associated_company_ids', link: companyLinks },
  { name: 'primary_contact_id', all: 'associated_contact_ids', link: contactLinks },
] as const
