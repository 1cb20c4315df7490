/** English words for kinds of records. */
import { is, open, words } from '../entries.ts'
import type { NounEntry } from '../types.ts'

export const NOUNS: readonly NounEntry[] = [
  {
    entity: 'deal',
    words: words('deal, opportunity, opp'),
    many: words('deals, opportunities, opps'),
  },
  { entity: 'deal', words: words('win'), many: words('wins'), where: is('status', 'won') },
  { entity: 'deal', words: words('loss'), many: words('losses'), where: is('status', 'lost') },
  { entity: 'deal', words: words('closing'), many: words('closings, expected closings'), where: open },
  {
    entity: 'company',
    words: words('company, account, organization, organisation, firm, business'),
    many: words('companies, accounts, organizations, organisations, firms, businesses'),
  },
  { entity: 'product', words: words('product'), many: words('products') },
  {
    entity: 'contact',
    words: words('contact, contact person, person, my contact, my contact person, participant, attendee'),
    many: words('contacts, contact persons, people, persons, folks, participants, attendees'),
  },
  {
    entity: 'contact',
    words: words('do not contact list'),
    many: [],
    where: { field: 'do_not_contact', op: 'eq', value: true },
  },
  {
    entity: 'activity',
    words: words('activity, item, thing'),
    many: words('activities, items, things, stuff'),
  },
  {
    entity: 'activity',
    words: words('call, phone call'),
    many: words('calls, phone calls'),
    where: is('type', 'call'),
  },
  {
    entity: 'activity',
    words: words('meeting, appointment, visit'),
    many: words('meetings, appointments, visits'),
    where: is('type', 'meeting'),
  },
  {
    entity: 'activity',
    words: words('task, to-do, todo'),
    many: words('tasks, to-dos, todos'),
    where: is('type', 'task'),
  },
  { entity: 'activity', words: [], many: words('emails, mails'), where: is('type', 'email') },
  { entity: 'note', words: words('note'), many: words('notes') },
]
