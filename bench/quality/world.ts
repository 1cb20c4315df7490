/** A small company's CRM, always the same but for its dates, which are counted from today. */
import { ACTIVITIES, DRAFTS, NOTES, PAGES } from './texts.ts'

const COMPANIES = [...new Set(NOTES.map(([company]) => company))]
const INDUSTRIES = ['Logistics', 'Energy', 'Healthcare', 'Finance', 'Retail', 'Manufacturing']
const CITIES = [
  ['Berlin', 'Germany'],
  ['Madrid', 'Spain'],
  ['Lyon', 'France'],
  ['Oslo', 'Norway'],
  ['Porto', 'Portugal'],
] as const
const FIRST =
  'Ana Bram Clara Dmitri Elif Farid Greta Hugo Ines Jonas Kira Luca Mira Nils Olga Pavel Rosa Sami Tove Uma Viktor Wanda Xavier Yara Zoltan'.split(
    ' ',
  )
const LAST =
  'Almeida Brandt Castillo Duarte Eriksen Fischer Grabowski Holm Ivanova Jansen Keller Lindqvist Moreau Novak Okafor Petrov Quist Rossi Sorensen Takeda Ulrich Varga Weber Xu Yilmaz Zanetti'.split(
    ' ',
  )
const TITLES = [
  'Head of Procurement',
  'Sales Manager',
  'Chief Financial Officer',
  'IT Director',
  'Operations Lead',
]
const STAGES = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']
const TYPES = ['call', 'meeting', 'task'] as const

const DAY = 86_400_000
export const today = new Date(new Date().toISOString().slice(0, 10)).getTime()
export const day = (offset: number): string => new Date(today + offset * DAY).toISOString().slice(0, 10)
const slug = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '-')

export const companies = COMPANIES.map((name, i) => ({
  name,
  domains: [`${slug(name)}.example`],
  industry: INDUSTRIES[i % INDUSTRIES.length]!,
  city: CITIES[i % CITIES.length]![0],
  country: CITIES[i % CITIES.length]![1],
  employee_count: 20 + i * 35,
  status: i % 3 === 0 ? 'customer' : 'prospect',
}))

export const contacts = Array.from({ length: 70 }, (_, i) => {
  const company = companies[i % companies.length]!
  const [first, last] = [FIRST[i % FIRST.length]!, LAST[(i * 7 + Math.floor(i / 25)) % LAST.length]!]
  return {
    first_name: first,
    last_name: last,
    email: `${slug(first)}.${slug(last)}${i}@${company.domains[0]}`,
    phone: `+49 30 55${String(10_000 + i * 137)}`,
    job_title: TITLES[i % TITLES.length]!,
    company: company.name,
    city: CITIES[(i * 2) % CITIES.length]![0],
    country: CITIES[(i * 2) % CITIES.length]![1],
    status: i % 4 === 0 ? 'lead' : 'active',
    lead_source: i % 5 === 0 ? 'webinar' : 'referral',
    plan: ['Gold', 'Silver', 'Bronze'][i % 3]!,
  }
})

export const deals = Array.from({ length: 48 }, (_, i) => ({
  name: `${COMPANIES[i % COMPANIES.length]} ${['renewal', 'expansion', 'pilot'][i % 3]} ${2026 + (i % 2)}-${i + 1}`,
  company: COMPANIES[i % COMPANIES.length]!,
  stage: STAGES[i % STAGES.length]!,
  amount: 2500 * ((i * 7) % 23) + 1000,
  currency: 'USD',
  expected_close_date: day(-20 + i * 3),
  priority: ['low', 'medium', 'high'][i % 3]!,
}))

interface Activity {
  type: (typeof TYPES)[number]
  subject: string
  status: string
  start_at?: string
  end_at?: string
  due_date?: string
  contact: string
  contact_index: number
  company: string
  description?: string
}

export const activities = Array.from({ length: 60 }, (_, i): Activity => {
  const done = i % 3 === 0
  const contact = contacts[(i * 5) % contacts.length]!
  const type = TYPES[i % 4 === 3 ? 2 : i % 3]!
  return {
    type,
    subject: `${{ call: 'Call', meeting: 'Meeting', task: 'Prepare papers' }[type]} ${i + 1} with ${contact.first_name} ${contact.last_name}`,
    status: done ? 'completed' : 'planned',
    ...(done
      ? { start_at: `${day(-i - 1)}T10:00:00Z`, end_at: `${day(-i - 1)}T11:00:00Z` }
      : { due_date: day(i - 30) }),
    contact: `${contact.first_name} ${contact.last_name}`,
    contact_index: (i * 5) % contacts.length,
    company: contact.company,
    ...(ACTIVITIES[i] === undefined ? {} : { description: ACTIVITIES[i] }),
  }
})

export const notes = NOTES.map(([company, content], i) => ({ company, content, title: `Note ${i + 1}` }))
export const pages = PAGES.map(([title, content]) => ({ title, content }))
export const drafts = DRAFTS.map(([company, subject, body_text]) => ({ company, subject, body_text }))
