/** Questions about the data of the eighth set; what is right is worked out from its records. */
import {
  amount,
  assigned,
  byKey,
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
import type { Activity, Company, DataQuestion, Deal, ExpectedAnswer, Stage } from './types.ts'

const { companies, contacts, activities, deals } = worldOf('eighth')

const open = deals.filter(isOpen)
const at = (stage: Stage) => deals.filter(deal => deal.stage === stage)
const won = at('Won')
const lost = at('Lost')
const proposals = at('Proposal')
const STAGES = ['Lead', 'Qualified', 'Proposal', 'Negotiation'] as const
const CHANCE: Readonly<Partial<Record<Stage, number>>> = {
  Lead: 10,
  Qualified: 25,
  Proposal: 50,
  Negotiation: 75,
}
const weighted = (deal: Deal) => (amount(deal) * CHANCE[deal.stage]!) / 100
const customers = companies.filter(company => company.status === 'customer')
const inCountry =
  (...countries: string[]) =>
  (company: Company) =>
    countries.includes(company.country)
const inIndustry = (industry: string) => (company: Company) => company.industry === industry
const pharma = companies.filter(inIndustry('Pharma'))
const companyOf = ({ company }: { company: string | null }) => companies.find(({ key }) => key === company)!
const machines = ({ metadata }: Company) => Number(metadata?.machines_installed ?? 0)

const planned = activities.filter(activity => activity.status === 'planned')
const overdue = planned.filter(activity => activity.day! < TODAY)
const coming = planned.filter(activity => activity.day! > TODAY)
const completed = activities.filter(activity => activity.status === 'completed')
const ofType = (list: readonly Activity[], type: Activity['type']) => list.filter(one => one.type === type)
const since = (list: readonly Activity[], first: string) => list.filter(one => one.day! >= first)
const withCompany = (list: readonly Activity[], key: string) =>
  list.filter(one => one.companies.includes(key))
const days = (list: readonly Activity[]) => list.map(activity => activity.day!).sort()

/** Customers with whom nobody spoke or wrote in so many days. */
const quiet = (count: number) => {
  const talks = since(completed, day(-count)).filter(activity => activity.type !== 'task')
  return customers.filter(({ key }) => withCompany(talks, key).length === 0)
}
const everMet = ({ key }: Company) => withCompany(completed, key).length > 0
const without = (list: readonly Deal[], work: readonly Activity[]) =>
  list.filter(({ key }) => !work.some(activity => activity.deals.includes(key)))

/** Exactly these, or that there is none. */
const these = (list: readonly { key: string }[]): ExpectedAnswer =>
  list.length > 0 ? set(list) : { zero: true }
const first = <T extends { key: string }>(list: readonly T[], of: (one: T) => number): ExpectedAnswer => ({
  one: most(list, of, 1)[0]!.key,
})

export const data: readonly DataQuestion[] = [
  ['how many customers do we have in germany', { count: customers.filter(inCountry('Germany')).length }],
  [
    'Which pharma companies are not customers yet?',
    {
      any: [
        these(pharma.filter(({ status }) => status !== 'customer')),
        these(pharma.filter(({ status }) => status !== 'customer' && status !== 'inactive')),
      ],
    },
  ],
  ['whats the total value of Theos open deals', { nums: [sum(owned(open, 'T'))] }],
  ['biggest deal we have open right now?', first(open, amount)],
  ['wich deals are due to close this month', these(closing(open, monthAt(0)))],
  ['Which of my tasks are overdue?', these(assigned(ofType(overdue, 'task'), 'A'))],
  [
    'when is our next meeting with Zonneveld',
    { date: days(withCompany(ofType(coming, 'meeting'), 'c08'))[0]! },
  ],
  [
    'When did somebody last talk to Gareth Penhale?',
    { date: days(completed.filter(activity => activity.contacts.includes('p29'))).at(-1)! },
  ],
  ['are there any deals nobody owns', these(deals.filter(deal => deal.owner === null))],
  ['Roughly how big is a deal we win, on average?', { nums: [Math.round(sum(won) / won.length)] }],
  [
    'give me the number of open deals in each stage',
    { nums: STAGES.map(stage => at(stage).length), text: STAGES.map(stage => new RegExp(stage)) },
  ],
  ['open pipeline split by owner please', { nums: ['A', 'T', 'D'].map(who => sum(owned(open, who))) }],
  ['Which deals did we lose and why?', these(lost)],
  [
    'who has the Total service contract',
    these(companies.filter(company => company.metadata?.service_contract === 'Total')),
  ],
  [
    'how many machines are installed at our US customers all together?',
    { nums: [total(customers.filter(inCountry('United States')), machines)] },
  ],
  [
    'customers with more than 7 machines installed',
    these(companies.filter(company => machines(company) > 7)),
  ],
  ['Which people carry the vip tag?', these(tagged(contacts, 'vip'))],
  ['who do we know at Zonneveld Logistics', these(contacts.filter(contact => contact.company === 'c08'))],
  ["what's Priyanka Sandhu's number", { text: [/416 555 0155/] }],
  ["Who's the plant manager over at Nordvik?", { text: [/Hallgren/] }],
  [
    'logistics firms with over 500 staff',
    these(companies.filter(inIndustry('Logistics')).filter(company => company.employee_count > 500)),
  ],
  ['Any deals above 200k in negotiation?', these(at('Negotiation').filter(deal => amount(deal) > 200_000))],
  ['show me what Dana has in the proposal stage', these(owned(proposals, 'D'))],
  ['whats on for tomorrow', these(planned.filter(activity => activity.day === day(1)))],
  ['Which calls did we make in the past 7 days?', these(since(ofType(completed, 'call'), day(-7)))],
  [
    'how many meetings did we have last month',
    { count: taking(ofType(completed, 'meeting'), monthAt(-1)).length },
  ],
  [
    "Customers we haven't been in touch with for 30 days or more?",
    { any: [quiet(30), quiet(29), quiet(30).filter(everMet), quiet(29).filter(everMet)].map(these) },
  ],
  ['list the french companies', these(companies.filter(inCountry('France')))],
  ['How many contacts does Theo look after?', { count: owned(contacts, 'T').length }],
  ['which deals did we win thanks to a referral', these(won.filter(deal => deal.lead_source === 'Referral'))],
  [
    'How much money have we won with Dutch companies so far?',
    { nums: [sum(won.filter(deal => companyOf(deal).country === 'Netherlands'))] },
  ],
  ['high priority deals that are still open', these(open.filter(deal => deal.priority === 'high'))],
  ['who must we not contact', these(contacts.filter(contact => contact.do_not_contact))],
  [
    'Which companies are tagged as supplier and sit in Italy or Germany?',
    these(tagged(companies, 'supplier').filter(inCountry('Italy', 'Germany'))),
  ],
  [
    'food companies in the US or canada',
    these(companies.filter(inIndustry('Food')).filter(inCountry('United States', 'Canada'))),
  ],
  [
    'deals closing next month worth more than 100,000',
    these(closing(open, monthAt(1)).filter(deal => amount(deal) > 100_000)),
  ],
  ['Which open deals have slipped past their close date?', these(open.filter(deal => deal.close! < TODAY))],
  ['quote number of the Rivoire flow wrapper?', { text: [/BP-4107/] }],
  [
    'which lead employs the most people',
    first(
      companies.filter(company => company.status === 'lead'),
      company => company.employee_count,
    ),
  ],
  ['Our smallest customer by headcount?', first(customers, company => -company.employee_count)],
  ['how many meetings has Dana got coming up', { count: assigned(ofType(coming, 'meeting'), 'D').length }],
  ['What is the next step on the Calder blister line?', { text: [/open requirements/i] }],
  [
    'people from cosmetics companies who came to us through a trade fair',
    these(
      contacts.filter(
        contact =>
          contact.company &&
          companyOf(contact).industry === 'Cosmetics' &&
          contact.lead_source === 'Trade fair',
      ),
    ),
  ],
  [
    'open deals with cosmetics companies, what are they worth in total',
    { nums: [sum(open.filter(deal => companyOf(deal).industry === 'Cosmetics'))] },
  ],
  ["What's our win rate?", { nums: [Math.round((won.length / (won.length + lost.length)) * 100)] }],
  ['weighted value of the whole open pipeline', { nums: [Math.round(total(open, weighted))] }],
  [
    'How many open deals has Annika got and what do they add up to?',
    { nums: [owned(open, 'A').length, sum(owned(open, 'A'))] },
  ],
  [
    'proposals with nothing scheduled',
    { any: [these(without(proposals, planned)), these(without(proposals, coming))] },
  ],
  ['Which tasks are due this week', these(taking(ofType(planned, 'task'), weekAt(0)))],
  [
    "when's Silke Brömmer's birthday",
    { any: [{ date: byKey(contacts, 'p02').birthday! }, { text: [/22 March|March 22/] }] },
  ],
]
