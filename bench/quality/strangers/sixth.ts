/**
 * The sixth set, written by testers who had not seen the service: a coffee roastery in Cork that supplies hotels,
 * cafés, offices and shops.
 */
import { companies, contacts } from './sixth-customers.ts'
import { drafts, notes, pages, templates } from './sixth-texts.ts'
import { activities, deals } from './sixth-work.ts'
import type { World } from './types.ts'

export const world: World = {
  account: 'Halyard Coffee Roasters',
  users: [
    { key: 'A', name: 'Aoife Brennan', email: 'aoife.brennan@halyardcoffee.ie' },
    { key: 'T', name: 'Tomasz Wilk', email: 'tomasz.wilk@halyardcoffee.ie' },
    { key: 'D', name: 'Dervla Quinn', email: 'dervla.quinn@halyardcoffee.ie' },
  ],
  fields: [
    {
      entity_type: 'company',
      name: 'Supply plan',
      key: 'supply_plan',
      field_type: 'select',
      options: ['Starter', 'House', 'Signature'],
    },
    { entity_type: 'company', name: 'Kilos per month', key: 'kilos_per_month', field_type: 'number' },
    { entity_type: 'deal', name: 'Quote number', key: 'quote_number', field_type: 'text' },
  ],
  tags: ['vip', 'organic', 'pilot', 'late payer', 'supplier', 'barista'],
  companies,
  contacts,
  deals,
  activities,
  notes,
  pages,
  templates,
  drafts,
}
