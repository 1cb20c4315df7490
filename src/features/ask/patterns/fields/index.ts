/** The fields that questions are about, for each kind of record. */

import type { TableName } from '../../../../kernel/statements.ts'
import { ACTIVITY, NOTE } from './activity.ts'
import { DEAL } from './deal.ts'
import type { Field, Kind } from './field.ts'
import { COMPANY, CONTACT } from './people.ts'

export { type Field, isNumeric, type Kind } from './field.ts'
export { countOf, tiedTo } from './ties.ts'

export const FIELDS: Record<Kind, Field[]> = {
  deal: DEAL,
  contact: CONTACT,
  company: COMPANY,
  activity: ACTIVITY,
  note: NOTE,
}

export const TABLES: Record<Kind, { table: TableName; name: string; one: string; many: string }> = {
  deal: { table: 'deals', name: 'name', one: 'deal', many: 'deals' },
  contact: { table: 'contacts', name: 'full_name', one: 'contact', many: 'contacts' },
  company: { table: 'companies', name: 'name', one: 'company', many: 'companies' },
  activity: { table: 'activities', name: 'subject', one: 'activity', many: 'activities' },
  note: { table: 'notes', name: 'title', one: 'note', many: 'notes' },
}
