/** The records of the second set: a sales team of three that looks after small businesses. Dates count from today. */
import { TEXTS } from './second.ts'
import { day } from './world.ts'

const NAMES = [...new Set(TEXTS.filter(([kind]) => kind !== 'kb_page').map(([, about]) => about))]
const TRADES = ['Health', 'Food', 'Leisure', 'Property'] as const
const TOWNS = [
  ['Antwerp', 'Belgium'],
  ['Galway', 'Ireland'],
  ['Turin', 'Italy'],
] as const
const GIVEN =
  'Aoife Bart Chiara Declan Eva Fabio Gráinne Hendrik Ilaria Jef Keira Luuk Marta Niamh Otto Pia'.split(' ')
const FAMILY =
  'Byrne Claes Dalla Esposito Flynn Goossens Hogan Iacono Janssens Kelly Lombardi Maes Nolan Ottaviani Peeters Quinn'.split(
    ' ',
  )

const simple = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

export const companies = NAMES.map((name, i) => ({
  name,
  domains: [`${simple(name)}.test`],
  industry: TRADES[i % TRADES.length]!,
  city: TOWNS[i % TOWNS.length]![0],
  country: TOWNS[i % TOWNS.length]![1],
  employee_count: 4 + i * 9,
  status: ['customer', 'prospect', 'churned'][(i + 1) % 3]!,
}))

export const contacts = Array.from({ length: 30 }, (_, i) => {
  const [first, last] = [GIVEN[i % GIVEN.length]!, FAMILY[(i * 5 + Math.floor(i / 16)) % FAMILY.length]!]
  const company = companies[i % companies.length]!
  return {
    first_name: first,
    last_name: last,
    company: company.name,
    email: i % 6 === 5 ? undefined : `${simple(first)}${i < 16 ? '' : i}@${company.domains[0]}`,
    phone: `+353 91 ${String(700_100 + i * 271)}`,
    job_title: ['Owner', 'Bookkeeper', 'Manager'][i % 3]!,
    city: company.city,
    country: company.country,
    status: i % 5 === 0 ? 'lead' : 'active',
    lead_source: ['fair', 'website', 'cold call'][i % 3]!,
  }
})
export const fullName = (contact: { first_name: string; last_name: string }) =>
  `${contact.first_name} ${contact.last_name}`

const STAGES = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']
export const deals = Array.from({ length: 24 }, (_, i) => ({
  name: `${NAMES[i % NAMES.length]} ${['starter package', 'annual plan', 'add-on'][i % 3]}${i >= NAMES.length ? ' II' : ''}`,
  company: NAMES[i % NAMES.length]!,
  stage: STAGES[(i * 5) % STAGES.length]!,
  amount: 750 * ((i * 11) % 29) + 400,
  currency: 'EUR',
  expected_close_date: day(-12 + i * 5),
  priority: ['high', 'low', 'medium'][i % 3]!,
}))

interface Activity {
  type: 'meeting' | 'call' | 'task'
  subject: string
  status: string
  start_at?: string
  end_at?: string
  due_date?: string
  /** place among the contacts */
  person: number
  company: string
}

export const activities = Array.from({ length: 24 }, (_, i): Activity => {
  const done = i % 2 === 0
  const person = (i * 3) % contacts.length
  return {
    type: (['meeting', 'call', 'task'] as const)[i % 3]!,
    subject: `${['Site visit', 'Catch-up', 'Paperwork'][i % 3]} ${i + 1}`,
    status: done ? 'completed' : 'planned',
    ...(done
      ? { start_at: `${day(-2 - i * 2)}T14:00:00Z`, end_at: `${day(-2 - i * 2)}T15:00:00Z` }
      : { due_date: day(i - 9) }),
    person,
    company: contacts[person]!.company,
  }
})
