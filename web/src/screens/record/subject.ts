/** The record that the page is about, and how other records refer to it. */
import type { ListGroupName } from '#app/router.tsx'
import type { FieldKind } from '#data/fields.ts'
import type { ListQuery, RecordOf } from '#data/groups.ts'

export interface Subject {
  group: ListGroupName
  kind: FieldKind
  id: string
  name: string
}

export type AnyRecord = RecordOf<ListGroupName>

/** The kinds that activities, mails and deals can be linked to. */
export const hasActivities = (kind: FieldKind): boolean => ['contact', 'company', 'deal'].includes(kind)

/** The filter of a list for what is linked to the record: `{ company_id: '…' }`. */
export const linkedTo = ({ kind, id }: Subject): Record<string, string> => ({ [`${kind}_id`]: id })

/** The link in a new record: `{ company_ids: ['…'] }`. */
export const linkTo = ({ kind, id }: Subject): Record<string, string[]> => ({ [`${kind}_ids`]: [id] })

/** The queries of the lists of notes and activities, to which new ones are added at once. */
export const notesOf = (subject: Subject): ListQuery<'notes'> => ({ ...linkedTo(subject), page_size: 50 })

export const activitiesOf = (subject: Subject): ListQuery<'activities'> => ({
  ...linkedTo(subject),
  page_size: 100,
})
