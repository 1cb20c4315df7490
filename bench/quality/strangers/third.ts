/** The third set, written by testers who had not seen the service: a sales team with customers of all trades. */
import { companies, contacts } from './third-customers.ts'
import { drafts, notes, pages, templates } from './third-texts.ts'
import { activities, deals } from './third-work.ts'
import type { World } from './types.ts'

export const world: World = {
  account: 'Larkspur',
  users: [
    { key: 'I', name: 'Ines Halloran', email: 'ines.halloran@larkspur-sales.com' },
    { key: 'M', name: 'Marcus Oyelaran', email: 'marcus.oyelaran@larkspur-sales.com' },
    { key: 'P', name: 'Priya Venkat', email: 'priya.venkat@larkspur-sales.com' },
  ],
  fields: [
    {
      entity_type: 'company',
      name: 'Tier',
      key: 'tier',
      field_type: 'select',
      options: ['Gold', 'Silver', 'Bronze'],
    },
    { entity_type: 'company', name: 'NPS', key: 'nps', field_type: 'number' },
    { entity_type: 'deal', name: 'PO number', key: 'po_number', field_type: 'text' },
  ],
  tags: ['VIP', 'At risk', 'Reference'],
  companies,
  contacts,
  deals,
  activities,
  notes,
  pages,
  templates,
  drafts,
}
