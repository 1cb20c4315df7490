/**
 * The fifth set, written by testers who had not seen the service: refrigerated transport and cold storage in
 * north-west Europe.
 */
import { companies, contacts } from './fifth-customers.ts'
import { drafts, notes, pages, templates } from './fifth-texts.ts'
import { activities, deals } from './fifth-work.ts'
import type { World } from './types.ts'

export const world: World = {
  account: 'Brinkvale Cold Chain',
  users: [
    { key: 'A', name: 'Marit Oosterhuis', email: 'marit.oosterhuis@brinkvale.eu' },
    { key: 'T', name: 'Tobias Renner', email: 'tobias.renner@brinkvale.eu' },
    { key: 'D', name: 'Dunja Perković', email: 'dunja.perkovic@brinkvale.eu' },
  ],
  fields: [
    {
      entity_type: 'company',
      name: 'Service tier',
      key: 'service_tier',
      field_type: 'select',
      options: ['Standard', 'Priority', 'Critical'],
    },
    { entity_type: 'company', name: 'Pallets per week', key: 'pallets_per_week', field_type: 'number' },
    { entity_type: 'deal', name: 'Quote number', key: 'quote_number', field_type: 'text' },
  ],
  tags: ['vip', 'supplier', 'at risk', 'seasonal', 'reference', 'newsletter', 'decision maker'],
  companies,
  contacts,
  deals,
  activities,
  notes,
  pages,
  templates,
  drafts,
}
