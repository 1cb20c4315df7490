/** What is asked of the second set beside its paraphrases; worked out here, without the service. */

import type { Data, Exact } from './questions.ts'
import { activities, companies, contacts, deals, fullName } from './second-world.ts'
import { day } from './world.ts'

export const EXACT: Exact[] = [
  ...[1, 7, 12, 20].map(i => ({ query: contacts[i]!.email!, name: fullName(contacts[i]!) })),
  ...[0, 9, 15].map(i => ({ query: contacts[i]!.phone, name: fullName(contacts[i]!) })),
  ...[2, 11, 23].map(i => ({
    query: contacts[i]!.phone.replace(/\D/g, '').slice(3),
    name: fullName(contacts[i]!),
  })),
  ...[3, 6, 14].map(i => ({ query: fullName(contacts[i]!).toUpperCase(), name: fullName(contacts[i]!) })),
  ...[1, 5, 9].map(i => ({ query: `www.${companies[i]!.domains[0]}`, name: companies[i]!.name })),
  ...[0, 4, 8].map(i => ({ query: companies[i]!.name, name: companies[i]!.name })),
  ...[2, 10].map(i => ({ query: deals[i]!.name, name: deals[i]!.name })),
  { query: 'Parking', name: 'Parking' },
]

const open = deals.filter(deal => !['Won', 'Lost'].includes(deal.stage))
const of = (stage: string) => deals.filter(deal => deal.stage === stage)
const sum = (list: readonly { amount: number }[]) => list.reduce((total, deal) => total + deal.amount, 0)
const names = (list: readonly { name: string }[]) => list.map(one => one.name)
const undone = activities.filter(one => one.status === 'planned')
const late = undone.filter(one => one.due_date! < day(0))
const month = day(0).slice(0, 7)
const last = (company: string) =>
  activities
    .filter(one => one.company === company && one.status === 'completed' && one.type !== 'task')
    .sort((a, b) => b.start_at!.localeCompare(a.start_at!))[0]
const met = companies
  .map(company => ({ name: company.name, last: last(company.name) }))
  .filter(one => one.last)

export const DATA: Data[] = [
  { question: 'Count the deals in Qualified', numbers: [of('Qualified').length] },
  { question: 'number of open opportunities', numbers: [open.length] },
  { question: 'How much money is in the pipeline?', numbers: [sum(open)] },
  { question: 'what have we won so far in euros', numbers: [sum(of('Won'))] },
  {
    question: 'List our customers in Turin',
    names: names(companies.filter(c => c.city === 'Turin' && c.status === 'customer')),
  },
  { question: 'Which companies have churned?', names: names(companies.filter(c => c.status === 'churned')) },
  { question: 'who is missing an email address', names: contacts.filter(c => !c.email).map(fullName) },
  {
    question: 'How many people do we know in Galway?',
    numbers: [contacts.filter(c => c.city === 'Galway').length],
  },
  {
    question: 'contacts per job title',
    numbers: ['Owner', 'Bookkeeper', 'Manager'].map(t => contacts.filter(c => c.job_title === t).length),
  },
  { question: 'Which tasks are late?', names: late.filter(a => a.type === 'task').map(a => a.subject) },
  { question: 'how many activities are overdue right now', numbers: [late.length] },
  {
    question: 'deals closing this month',
    names: names(open.filter(d => d.expected_close_date.startsWith(month))),
  },
  {
    question: 'What is the smallest open deal?',
    names: names(open.filter(d => d.amount === Math.min(...open.map(o => o.amount)))),
  },
  {
    question: 'average value of the deals we lost',
    numbers: [Math.round((sum(of('Lost')) / of('Lost').length) * 100) / 100],
  },
  { question: 'Show me deals above 15k', names: names(deals.filter(d => d.amount > 15_000)) },
  { question: 'how many deals are below 2000 euros', numbers: [deals.filter(d => d.amount < 2000).length] },
  { question: `phone number of ${fullName(contacts[4]!)}`, texts: [contacts[4]!.phone] },
  { question: `Where does ${fullName(contacts[8]!)} work?`, texts: [contacts[8]!.company] },
  { question: `what's the email of ${fullName(contacts[10]!)}`, texts: [contacts[10]!.email!] },
  { question: `In which city is ${companies[3]!.name}?`, texts: [companies[3]!.city] },
  { question: `How big is the ${deals[5]!.name} deal?`, numbers: [deals[5]!.amount] },
  { question: `What is the status of ${companies[6]!.name}?`, texts: [companies[6]!.status] },
  {
    question: 'Which high priority deals are still open?',
    names: names(open.filter(d => d.priority === 'high')),
  },
  {
    question: 'sum of deals by stage',
    numbers: ['Lead', 'Qualified', 'Proposal', 'Negotiation'].map(s => sum(of(s))).filter(n => n > 0),
  },
  {
    question: 'How many leads came from the fair?',
    numbers: [contacts.filter(c => c.status === 'lead' && c.lead_source === 'fair').length],
  },
  { question: 'which company has the most employees', names: [companies.at(-1)!.name] },
  { question: 'Are there any deals in Negotiation?', names: names(of('Negotiation')) },
  {
    question: 'how many food companies do we have',
    numbers: [companies.filter(c => c.industry === 'Food').length],
  },
  {
    question: `Who do we know at ${companies[2]!.name}?`,
    names: contacts.filter(c => c.company === companies[2]!.name).map(fullName),
  },
  {
    question: `What deals do we have with ${companies[1]!.name}?`,
    names: names(deals.filter(d => d.company === companies[1]!.name)),
  },
  {
    question: 'five biggest deals',
    names: names([...deals].sort((a, b) => b.amount - a.amount).slice(0, 5)),
  },
  {
    question: 'how many meetings did we have in the last 30 days',
    numbers: [
      activities.filter(
        a => a.type === 'meeting' && a.status === 'completed' && a.start_at!.slice(0, 10) >= day(-30),
      ).length,
    ],
  },
  ...met.slice(0, 3).map(({ name, last }) => ({
    question: `Who was the last person we spoke to at ${name}?`,
    names: [fullName(contacts[last!.person]!)],
  })),
]
