/** What is asked, and what is right. Data questions are worked out here from the same world, without the service. */
import { NOTES, PAGES } from './texts.ts'
import { activities, companies, contacts, day, deals, today } from './world.ts'

export interface Exact {
  query: string
  name: string
}
export interface Paraphrase {
  query: string
  text: string
}
export interface Data {
  question: string
  numbers?: number[]
  names?: string[]
  texts?: string[]
}

const full = (contact: (typeof contacts)[number]) => `${contact.first_name} ${contact.last_name}`
const pick = <T>(list: readonly T[], from: number, step: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => list[(from + i * step) % list.length]!)

export const exact: Exact[] = [
  ...pick(contacts, 1, 9, 8).map(contact => ({ query: contact.email, name: full(contact) })),
  ...pick(contacts, 3, 11, 6).map(contact => ({ query: contact.phone, name: full(contact) })),
  ...pick(contacts, 2, 13, 6).map(contact => ({ query: full(contact), name: full(contact) })),
  ...pick(companies, 0, 3, 8).map(company => ({ query: company.name, name: company.name })),
  ...pick(companies, 1, 4, 6).map(company => ({ query: company.domains[0]!, name: company.name })),
  ...pick(deals, 2, 7, 6).map(deal => ({ query: deal.name, name: deal.name })),
]

export const paraphrase: Paraphrase[] = [
  ...NOTES.flatMap(([, text, query]) => (query ? [{ query, text }] : [])),
  ...PAGES.flatMap(([, text, query]) => (query ? [{ query, text }] : [])),
]

const isOpen = (deal: (typeof deals)[number]) => !['Won', 'Lost'].includes(deal.stage)
const sum = (list: readonly (typeof deals)[number][]) => list.reduce((total, deal) => total + deal.amount, 0)
const names = (list: readonly { name: string }[]) => list.map(one => one.name)
const month = day(0).slice(0, 7)
const undone = activities.filter(activity => activity.status === 'planned')
const overdue = undone.filter(activity => activity.due_date! < day(0))
const weekday = (new Date(today).getUTCDay() + 6) % 7
const open = deals.filter(isOpen)
const largest = (list: readonly (typeof deals)[number][]) =>
  list.filter(deal => deal.amount === Math.max(...list.map(one => one.amount)))
const lastAt = (company: string) =>
  activities
    .filter(one => one.company === company && one.status === 'completed' && one.type !== 'task')
    .sort((a, b) => b.start_at!.localeCompare(a.start_at!))[0]
const talked = companies
  .map(company => ({ company: company.name, last: lastAt(company.name) }))
  .filter(one => one.last)
  .slice(0, 4)

export const data: Data[] = [
  {
    question: 'How many open deals over 10,000 are in Proposal?',
    numbers: [open.filter(d => d.stage === 'Proposal' && d.amount > 10_000).length],
  },
  { question: 'how many deals do we have?', numbers: [deals.length] },
  {
    question: 'How many contacts are in Berlin?',
    numbers: [contacts.filter(c => c.city === 'Berlin').length],
  },
  {
    question: 'How many companies are in the Energy industry?',
    numbers: [companies.filter(c => c.industry === 'Energy').length],
  },
  { question: 'What is the total value of open deals?', numbers: [sum(open)] },
  {
    question: 'Total pipeline by stage',
    numbers: ['Lead', 'Qualified', 'Proposal', 'Negotiation'].map(stage =>
      sum(deals.filter(d => d.stage === stage)),
    ),
  },
  {
    question: 'Which deals close this month?',
    names: names(open.filter(d => d.expected_close_date.startsWith(month))),
  },
  { question: 'What is overdue?', numbers: [overdue.length] },
  { question: 'Which tasks are overdue?', numbers: [overdue.filter(a => a.type === 'task').length] },
  { question: 'What is our largest open deal?', names: names(largest(open)) },
  {
    question: 'What is the biggest deal in Negotiation?',
    names: names(largest(deals.filter(d => d.stage === 'Negotiation'))),
  },
  {
    question: 'Average deal size of won deals',
    numbers: [
      Math.round(
        (sum(deals.filter(d => d.stage === 'Won')) / deals.filter(d => d.stage === 'Won').length) * 100,
      ) / 100,
    ],
  },
  { question: 'How many deals have we won?', numbers: [deals.filter(d => d.stage === 'Won').length] },
  {
    question: 'How many leads came from the webinar?',
    numbers: [contacts.filter(c => c.status === 'lead' && c.lead_source === 'webinar').length],
  },
  {
    question: 'How many contacts are there by city?',
    numbers: ['Berlin', 'Madrid', 'Lyon', 'Oslo', 'Porto'].map(
      city => contacts.filter(c => c.city === city).length,
    ),
  },
  {
    question: 'Which companies have more than 900 employees?',
    names: names(companies.filter(c => c.employee_count > 900)),
  },
  {
    question: 'How many companies have fewer than 100 employees?',
    numbers: [companies.filter(c => c.employee_count < 100).length],
  },
  {
    question: 'List all deals with Helios Energy',
    names: names(deals.filter(d => d.company === 'Helios Energy')),
  },
  {
    question: 'Who works at Tulip Foods?',
    names: contacts.filter(c => c.company === 'Tulip Foods').map(full),
  },
  {
    question: 'How many contacts does Zephyr Airlines have?',
    numbers: [contacts.filter(c => c.company === 'Zephyr Airlines').length],
  },
  { question: `What is the email address of ${full(contacts[5]!)}?`, texts: [contacts[5]!.email] },
  { question: `What stage is the ${deals[8]!.name} deal in?`, texts: [deals[8]!.stage] },
  { question: `How much is ${deals[10]!.name} worth?`, numbers: [deals[10]!.amount] },
  { question: `When is ${deals[12]!.name} expected to close?`, texts: [deals[12]!.expected_close_date] },
  {
    question: 'Which deals are worth between 20k and 30k?',
    names: names(deals.filter(d => d.amount >= 20_000 && d.amount <= 30_000)),
  },
  {
    question: 'How many high priority deals are open?',
    numbers: [open.filter(d => d.priority === 'high').length],
  },
  {
    question: 'How many calls have we completed?',
    numbers: [activities.filter(a => a.type === 'call' && a.status === 'completed').length],
  },
  {
    question: 'What is due this week?',
    numbers: [undone.filter(a => a.due_date! >= day(-weekday) && a.due_date! < day(7 - weekday)).length],
  },
  {
    question: 'Which tasks are due today?',
    numbers: [undone.filter(a => a.type === 'task' && a.due_date === day(0)).length],
  },
  {
    question: 'How many deals close in the next 30 days?',
    numbers: [open.filter(d => d.expected_close_date >= day(0) && d.expected_close_date <= day(30)).length],
  },
  {
    question: 'Total value of deals in Germany companies'.replace('in Germany companies', 'in Qualified'),
    numbers: [sum(deals.filter(d => d.stage === 'Qualified'))],
  },
  {
    question: 'What is our win rate?',
    numbers: [
      Math.round(
        (10_000 * deals.filter(d => d.stage === 'Won').length) /
          deals.filter(d => ['Won', 'Lost'].includes(d.stage)).length,
      ) / 100,
    ],
  },
  {
    question: 'How many contacts have the Gold plan?',
    numbers: [contacts.filter(c => c.plan === 'Gold').length],
  },
  {
    question: 'Number of contacts per status',
    numbers: ['lead', 'active'].map(status => contacts.filter(c => c.status === status).length),
  },
  { question: 'Which companies are in Oslo?', names: names(companies.filter(c => c.city === 'Oslo')) },
  {
    question: 'How many companies are customers?',
    numbers: [companies.filter(c => c.status === 'customer').length],
  },
  {
    question: 'How many sales managers do we know?',
    numbers: [contacts.filter(c => c.job_title === 'Sales Manager').length],
  },
  { question: 'Which stage has the most deals?', texts: [] },
  {
    question: 'Top 3 deals by amount',
    names: names([...deals].sort((a, b) => b.amount - a.amount).slice(0, 3)),
  },
  {
    question: 'How many deals are in Proposal or Negotiation?',
    numbers: [deals.filter(d => ['Proposal', 'Negotiation'].includes(d.stage)).length],
  },
  { question: 'How many deals were lost?', numbers: [deals.filter(d => d.stage === 'Lost').length] },
  { question: 'Sum of the amounts of lost deals', numbers: [sum(deals.filter(d => d.stage === 'Lost'))] },
  { question: 'Which contacts were created today?', numbers: [contacts.length] },
  {
    question: 'How many contacts in Madrid are leads?',
    numbers: [contacts.filter(c => c.city === 'Madrid' && c.status === 'lead').length],
  },
  ...talked.map(({ company, last }) => ({
    question: `Who did I last talk to at ${company}?`,
    names: [last!.contact],
  })),
]
data.splice(
  data.findIndex(one => one.question === 'Which stage has the most deals?'),
  1,
)

export const unanswerable: string[] = [
  'What is the capital of Mongolia?',
  'What did Globotron Industries order last year?',
  'What is the VAT number of Helios Energy?',
  'Who is the landlord of our office in Tokyo?',
  'Which car does the chief executive drive?',
  'What is the recipe for carrot cake?',
  'How tall is the Eiffel tower?',
  'What was decided about the merger with Nimbus Aerospace?',
  'What is the wifi password in Lisbon?',
  'When was Tulip Foods founded?',
  'Who won the world cup in 1998?',
  'What is the blood type of Greta Holm?',
  'What does Copperfield Bank think about cryptocurrency mining?',
  'Which font does our logo use?',
  'What is the pension scheme of the company?',
  'Did Wendy Abernathy sign the agreement?',
  'What is the weather like tomorrow?',
  'How do I bake sourdough bread?',
  'What is the name of the cat of the receptionist?',
  'Which football club sponsors Titan Motors?',
  'What is the exchange rate of the yen?',
  'Why is the sky blue?',
  'What did the astronaut say about gravity?',
  'Which translation of the Bible do we use?',
  'What is the minimum age for buying alcohol in Norway?',
  'Who composed the ninth symphony?',
  'What is the warranty on the coffee machine?',
  'How many moons does Jupiter have?',
  'What is the opening date of the Barcelona branch of Vega Pharma?',
  'Which vaccine does Brightwater Clinics give to children?',
]

export const conflicting: { question: string; newest: string; older: string }[] = [
  { question: 'What is the budget for the pilot at Kestrel Robotics?', newest: '65000', older: '40000' },
  {
    question: 'When does the kickoff workshop at Marble Kitchens take place?',
    newest: 'April 14',
    older: 'March 3',
  },
]
