/**
 * The fourth set, written by testers who had not seen the service: a small firm that sells and services
 * water-treatment equipment.
 */
import { companies, contacts } from './fourth-customers.ts'
import { drafts, notes, pages, templates } from './fourth-texts.ts'
import { activities, deals } from './fourth-work.ts'
import type { World } from './types.ts'

export const world: World = {
  account: 'Fennmoor Water Treatment',
  users: [
    { key: 'A', name: 'Annika Brandt', email: 'annika.brandt@fennmoor.example' },
    { key: 'T', name: 'Tomasz Wrona', email: 'tomasz.wrona@fennmoor.example' },
    { key: 'D', name: 'Delphine Achard', email: 'delphine.achard@fennmoor.example' },
  ],
  fields: [
    {
      entity_type: 'company',
      name: 'Contract level',
      key: 'contract_level',
      field_type: 'select',
      options: ['Basic', 'Plus', 'Premium'],
    },
    { entity_type: 'company', name: 'Water hardness', key: 'water_hardness', field_type: 'number' },
    { entity_type: 'deal', name: 'Quote number', key: 'quote_number', field_type: 'text' },
  ],
  tags: ['Key account', 'Payment issues', 'Trade fair lead', 'Reference customer'],
  companies,
  contacts,
  deals,
  activities,
  notes,
  pages,
  templates,
  drafts,
}
