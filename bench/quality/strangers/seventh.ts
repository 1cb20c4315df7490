/**
 * The seventh set, written by testers who had not seen the service: a vendor of field-service and scheduling
 * software in Antwerp, whose customers send out fitters, cleaners, gardeners and the like.
 */
import { companies, contacts } from './seventh-customers.ts'
import { drafts, notes, pages, templates } from './seventh-texts.ts'
import { activities, deals } from './seventh-work.ts'
import type { World } from './types.ts'

export const world: World = {
  account: 'Rondeo',
  users: [
    { key: 'A', name: 'Marit Claessens', email: 'marit.claessens@rondeo.eu' },
    { key: 'T', name: 'Owen Pritchard', email: 'owen.pritchard@rondeo.eu' },
    { key: 'D', name: 'Ilaria Fontana', email: 'ilaria.fontana@rondeo.eu' },
  ],
  fields: [
    {
      entity_type: 'company',
      name: 'Plan',
      key: 'plan',
      field_type: 'select',
      options: ['Core', 'Plus', 'Enterprise'],
    },
    { entity_type: 'company', name: 'Seats', key: 'seats', field_type: 'number' },
    { entity_type: 'deal', name: 'Quote number', key: 'quote_number', field_type: 'text' },
  ],
  tags: ['vip', 'champion', 'pilot', 'at risk', 'reference', 'late payer', 'partner'],
  companies,
  contacts,
  deals,
  activities,
  notes,
  pages,
  templates,
  drafts,
}
