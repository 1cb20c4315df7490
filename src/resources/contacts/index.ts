import type { SetResource } from '../../kernel/resource.ts'
import { companies } from '../companies/index.ts'
import { deals } from '../deals/index.ts'
import { subLists } from '../shared/sub-lists.ts'
import { contactOperations, contactRecord } from './operations.ts'
import type { Contact, ContactInput } from './record.ts'
import { vcardEndpoint } from './vcard.ts'

export const contacts: SetResource<ContactInput, Contact> = {
  name: 'contacts',
  idParam: 'contact_id',
  tag: 'Contacts',
  record: contactRecord,
  operations: contactOperations,
  endpoints: [
    ...subLists(companies, ['contact']),
    ...subLists(deals, ['contact']),
    vcardEndpoint(contactOperations),
  ],
}
