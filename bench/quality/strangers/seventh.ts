/** Questions about the data of the seventh set; what is right is worked out from its records. */
import {
  amount,
  assigned,
  closing,
  day,
  isOpen,
  monthAt,
  most,
  owned,
  set,
  sum,
  TODAY,
  tagged,
  taking,
  total,
  weekAt,
} from './reckon.ts'
import { worldOf } from './sets.ts'
import type { Activity, Company, DataQuestion, ExpectedAnswer, Stage } from './types.ts'

const { companies, contacts, activities, deals } = worldOf('seventh')

const open = deals.filter(isOpen)
const at = (stage: Stage) => deals.filter(deal => deal.stage === stage)
const won = at('Won')
const lost = at('Lost')
const CHANCE: Readonly<Partial<Record<Stage, number>>> = {
  Lead: 0.1,
  Qualified: 0.25,
  Proposal: 0.5,
  Negotiation: 0.75,
}
const customers = companies.filter(company => company.status === 'customer')
const companyOf = ({ company }: { company: string | null }) => companies.find(({ key }) => key === company)
const seats = ({ metadata }: Company) => Number(metadata?.seats)

const planned = activities.filter(activity => activity.status === 'planned')
const overdue = planned.filter(activity => activity.day! < TODAY)
const completed = activities.filter(activity => activity.status === 'completed')
const ofType = (list: readonly Activity[], type: Activity['type']) => list.filter(one => one.type === type)
const since = (list: readonly Activity[], first: string) => list.filter(one => one.day! >= first)
/** Calls, meetings and mail that took place. */
const talks = completed.filter(activity => activity.type !== 'task')
const withCompany = (list: readonly Activity[], key: string) =>
  list.filter(one => one.companies.includes(key))
const days = (list: readonly Activity[]) => list.map(activity => activity.day!).sort()

const COLLEAGUES: Readonly<Record<string, string>> = { A: 'Marit', T: 'Owen', D: 'Ilaria' }
const USERS = Object.keys(COLLEAGUES)
const winner = most(USERS, who => sum(owned(won, who)), 1)[0]!
const nextYear = Number(TODAY.slice(0, 4)) + 1

/** Exactly these, or that there is none. */
const these = (list: readonly { key: string }[]): ExpectedAnswer =>
  list.length > 0 ? set(list) : { zero: true }
const first = <T extends { key: string }>(list: readonly T[], of: (one: T) => number): ExpectedAnswer => ({
  one: most(list, of, 1)[0]!.key,
})

export const data: readonly DataQuestion[] = [
  ['How many deals are still open?', { count: open.length }],
  ['Total value of the open pipeline', { nums: [sum(open)] }],
  ['Show all deals in negotiation', these(at('Negotiation'))],
  ["What is Owen's open pipeline worth?", { nums: [sum(owned(open, 'T'))] }],
  [
    'Which deals are supposed to close this month?',
    {
      any: [
        these(closing(open, monthAt(0))),
        these(closing(open, monthAt(0)).filter(deal => deal.close! >= TODAY)),
      ],
    },
  ],
  ['Open deals past their close date', these(open.filter(deal => deal.close! < TODAY))],
  ['What is the biggest deal we could still win?', first(open, amount)],
  ['Average size of the deals we won', { nums: [sum(won) / won.length] }],
  ['How many deals have we lost, and what were they worth altogether?', { nums: [lost.length, sum(lost)] }],
  ['Customers in Ireland', these(customers.filter(company => company.country === 'Ireland'))],
  [
    'How many German companies are in the system?',
    { count: companies.filter(company => company.country === 'Germany').length },
  ],
  ['Which elevator firms do we know?', these(companies.filter(company => company.industry === 'Elevators'))],
  [
    'Enterprise customers in Sweden',
    these(
      customers.filter(({ country, metadata }) => country === 'Sweden' && metadata?.plan === 'Enterprise'),
    ),
  ],
  [
    'Companies with more than 500 employees',
    these(companies.filter(company => company.employee_count > 500)),
  ],
  ['Who do we know at Nordlift?', these(contacts.filter(contact => contact.company === 'c02'))],
  [
    'What is overdue for Ilaria?',
    {
      any: [
        these(assigned(overdue, 'D')),
        these([...assigned(overdue, 'D'), ...owned(open, 'D').filter(deal => deal.close! < TODAY)]),
      ],
    },
  ],
  [
    'When did we last talk to Geoff Tallow?',
    { date: days(talks.filter(activity => activity.contacts.includes('p16'))).at(-1)! },
  ],
  [
    'When is our next meeting with Telmont?',
    { date: days(since(withCompany(ofType(planned, 'meeting'), 'c13'), TODAY))[0]! },
  ],
  ['Deals nobody owns', these(deals.filter(deal => deal.owner === null))],
  ['Which people are we not allowed to contact?', these(contacts.filter(contact => contact.do_not_contact))],
  ["What's Regula Amstutz's number?", { text: [/\+?41 ?79 ?555 ?01 ?57/] }],
  ['Give me the email of Torben Juhl', { text: [/torben\.juhl@havgaard\.dk/] }],
  [
    'Break down the open deals by stage',
    { nums: (['Lead', 'Qualified', 'Proposal', 'Negotiation'] as const).map(stage => at(stage).length) },
  ],
  ['Open pipeline value per owner', { nums: USERS.map(who => sum(owned(open, who))) }],
  ['Who of us has won the most money?', { text: [new RegExp(COLLEAGUES[winner]!)] }],
  ['List open deals above 100k', these(open.filter(deal => amount(deal) > 100_000))],
  [
    'Which high priority deals close next month?',
    these(closing(open, monthAt(1)).filter(deal => deal.priority === 'high')),
  ],
  ['Open deals with Belgian companies', these(open.filter(deal => companyOf(deal)?.country === 'Belgium'))],
  [
    'How much could we still win from elevator companies?',
    { nums: [sum(open.filter(deal => companyOf(deal)?.industry === 'Elevators'))] },
  ],
  ['List the calls we made in the last two weeks', these(since(ofType(completed, 'call'), day(-14)))],
  [
    'How many meetings has Ilaria had in the last 30 days?',
    { count: assigned(since(ofType(completed, 'meeting'), day(-30)), 'D').length },
  ],
  [
    "Which customers haven't we spoken to for two months?",
    these(customers.filter(({ key }) => since(withCompany(talks, key), day(-61)).length === 0)),
  ],
  ['Companies tagged at risk', these(tagged(companies, 'at risk'))],
  [
    'Which of our champions work at Dutch companies?',
    these(tagged(contacts, 'champion').filter(contact => companyOf(contact)?.country === 'Netherlands')),
  ],
  ['Which customer has the most seats?', first(customers, seats)],
  ['Total seats across all customers', { nums: [total(customers, seats)] }],
  ['What meetings do we have next week?', these(taking(ofType(planned, 'meeting'), weekAt(1)))],
  [
    'Urgent tasks not done yet',
    these(ofType(planned, 'task').filter(activity => activity.priority === 'urgent')),
  ],
  ['Which renewals are still open?', these(open.filter(deal => /renewal/i.test(deal.name)))],
  ['Weighted pipeline total', { nums: [total(open, deal => amount(deal) * CHANCE[deal.stage]!)] }],
  [
    'Which contacts have their birthday this month?',
    these(contacts.filter(({ birthday }) => birthday?.slice(5, 7) === TODAY.slice(5, 7))),
  ],
  ['Do we have any customers in Norway?', { zero: true }],
  [
    'What does Marit have to do tomorrow?',
    these(assigned(planned, 'A').filter(activity => activity.day === day(1))),
  ],
  ['Open deals that came from trade fairs', these(open.filter(deal => deal.lead_source === 'Trade fair'))],
  ["What's our win rate?", { nums: [(100 * won.length) / (won.length + lost.length)] }],
  [
    'How much should close in the first quarter of next year?',
    { nums: [sum(closing(open, [`${nextYear}-01-01`, `${nextYear}-03-31`]))] },
  ],
  [
    'Show me everyone who works in procurement',
    these(contacts.filter(contact => /procurement/i.test(contact.job_title))),
  ],
  [
    'Which leads have we never called or met?',
    these(companies.filter(({ key, status }) => status === 'lead' && withCompany(talks, key).length === 0)),
  ],
  [
    'Customers on the Core plan with fewer than 30 seats',
    these(customers.filter(company => company.metadata?.plan === 'Core' && seats(company) < 30)),
  ],
  ['In which country do we have the most customers?', { text: [/United Kingdom|\bUK\b|Britain/] }],
]
