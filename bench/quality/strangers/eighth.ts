/**
 * The eighth set, written by testers who had not seen the service: a dealer of packaging machines in Eindhoven
 * that also sells parts and service.
 */
import { companies, contacts } from './eighth-customers.ts'
import { drafts, notes, pages, templates } from './eighth-texts.ts'
import { activities, deals } from './eighth-work.ts'
import type { World } from './types.ts'

export const world: World = {
  account: 'Brandsma Packtech',
  users: [
    { key: 'A', name: 'Annika Vollmer', email: 'annika.vollmer@brandsma-packtech.nl' },
    { key: 'T', name: 'Theo Lindgren', email: 'theo.lindgren@brandsma-packtech.nl' },
    { key: 'D', name: 'Dana Whitcombe', email: 'dana.whitcombe@brandsma-packtech.nl' },
  ],
  fields: [
    {
      entity_type: 'company',
      name: 'Service contract',
      key: 'service_contract',
      field_type: 'select',
      options: ['Basic', 'Plus', 'Total'],
    },
    { entity_type: 'company', name: 'Machines installed', key: 'machines_installed', field_type: 'number' },
    { entity_type: 'deal', name: 'Quote number', key: 'quote_number', field_type: 'text' },
  ],
  tags: ['vip', 'atex', 'reference', 'late payer', 'supplier', 'fair lead'],
  companies,
  contacts,
  deals,
  activities,
  notes,
  pages,
  templates,
  drafts,
}
