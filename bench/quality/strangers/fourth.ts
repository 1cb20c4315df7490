/** Questions about the data of the fourth set; what is right is worked out from its records. */
import {
  amount,
  assigned,
  byKey,
  closing,
  day,
  groups,
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
import type { Company, DataQuestion, Deal, Stage } from './types.ts'

const { companies, contacts, activities, deals } = worldOf('fourth')

const open = deals.filter(isOpen)
const at = (stage: Stage) => deals.filter(deal => deal.stage === stage)
const won = at('Won')
const lost = at('Lost')
const dealsWith = (list: readonly Deal[], right: (company: Company) => boolean) =>
  list.filter(deal => right(byKey(companies, deal.company)))
const CHANCE: Readonly<Partial<Record<Stage, number>>> = {
  Lead: 0.1,
  Qualified: 0.25,
  Proposal: 0.5,
  Negotiation: 0.75,
}
const months = groups(
  open.filter(deal => deal.close !== null && deal.close.slice(0, 7) >= TODAY.slice(0, 7)),
  deal => deal.close!.slice(0, 7),
)
const monthName = (offset: number) =>
  new Date(monthAt(offset)[0]).toLocaleString('en', { month: 'long', timeZone: 'UTC' })

const done = activities.filter(activity => activity.status === 'completed')
const planned = activities.filter(activity => activity.status === 'planned')
const late = planned.filter(activity => activity.day! < TODAY)
const meetings = planned.filter(activity => activity.type === 'meeting')
const tasks = planned.filter(activity => activity.type === 'task')
const callsMade = done.filter(activity => activity.type === 'call')
/** The day on which somebody was last spoken or written to. */
const lastContact = (person: string) =>
  done
    .filter(({ type, contacts: people }) => type !== 'task' && people.includes(person))
    .map(activity => activity.day!)
    .sort()
    .at(-1)
const cold = contacts.filter(contact => (lastContact(contact.key) ?? TODAY) < day(-60))
const never = contacts.filter(contact => lastContact(contact.key) === undefined)

export const data: readonly DataQuestion[] = [
  ['How many open deals do we have?', { count: open.length }],
  ['What is the total value of our open deals?', { nums: [sum(open)] }],
  ['How many deals are in negotiation?', { count: at('Negotiation').length }],
  ['What do the deals in the proposal stage add up to?', { nums: [sum(at('Proposal'))] }],
  ['Which deals are in the Qualified stage?', set(at('Qualified'))],
  ['How many deals have we won?', { count: won.length }],
  ['What is the total amount of the deals we won?', { nums: [sum(won)] }],
  ['Which deals did we lose?', set(lost)],
  [
    'Which deals did we lose to a competitor?',
    set(lost.filter(deal => /competitor/.test(deal.lost_reason ?? ''))),
  ],
  ['Why did we lose the Two Herons kegging line?', { text: [/too expensive/i] }],
  ['What is our biggest open deal?', { one: most(open, amount, 1)[0]!.key }],
  ['What are our five biggest open deals?', set(most(open, amount, 5))],
  ['What is the smallest open deal?', { one: most(open, deal => -amount(deal), 1)[0]!.key }],
  ['Open deals by stage', { nums: groups(open, deal => deal.stage).map(group => group.length) }],
  [
    'How much open pipeline does each owner have?',
    { nums: ['A', 'T', 'D'].map(who => sum(owned(open, who))) },
  ],
  ['How many open deals does Tomasz have?', { count: owned(open, 'T').length }],
  ['Which open deals belong to Delphine?', set(owned(open, 'D'))],
  ["What is Annika's pipeline worth?", { nums: [sum(owned(open, 'A'))] }],
  ['Which of my deals are in negotiation?', set(owned(at('Negotiation'), 'A'))],
  ['Which deals close this week?', set(closing(open, weekAt(0)))],
  ['Which deals are expected to close next month?', set(closing(open, monthAt(1)))],
  [
    'Which open deals are past their expected close date?',
    set(open.filter(deal => deal.close !== null && deal.close < TODAY)),
  ],
  ['Which deals close in the next 30 days?', set(closing(open, [TODAY, day(30)]))],
  [`How much do we expect to close in ${monthName(1)}?`, { nums: [sum(closing(open, monthAt(1)))] }],
  ['How much is expected to close each month?', { nums: months.map(sum) }],
  ['Which open deals have no close date?', set(open.filter(deal => deal.close === null))],
  [
    'Which deals are worth more than 60,000?',
    {
      any: [
        set(deals.filter(deal => amount(deal) > 60_000)),
        set(open.filter(deal => amount(deal) > 60_000)),
      ],
    },
  ],
  ['Open deals under 10,000', set(open.filter(deal => amount(deal) < 10_000))],
  ['What is the average size of our open deals?', { nums: [sum(open) / open.length] }],
  ['What is our win rate?', { nums: [(100 * won.length) / (won.length + lost.length)] }],
  ['Which deals have high priority?', set(deals.filter(deal => deal.priority === 'high'))],
  [
    'What is the weighted value of the pipeline?',
    { nums: [total(open, deal => amount(deal) * CHANCE[deal.stage]!)] },
  ],
  ['What is the quote number of the Kroll reclaim system?', { text: [/Q-26-0462/] }],
  ['Who owns the Murtal thermal pool overhaul?', { text: [/Tomasz/] }],
  ['What stage is the Biolenz purified water loop in?', { text: [/Negotiation/i] }],
  ['When is the St. Verena dialysis water deal expected to close?', { date: byKey(deals, 'd11').close! }],
  ['How much is the Harbourlight group service contract worth?', { nums: [126000] }],
  ['Which deals do we have with Harbourlight Hotels?', set(deals.filter(deal => deal.company === 'c8'))],
  ['Open deals in the brewing industry', set(dealsWith(open, company => company.industry === 'Brewing'))],
  [
    'How much have we won in healthcare?',
    { nums: [sum(dealsWith(won, company => company.industry === 'Healthcare'))] },
  ],
  [
    'Which open deals are with companies in Hamburg?',
    set(dealsWith(open, company => company.city === 'Hamburg')),
  ],
  ['Who has won the most deals?', { text: [/Delphine/] }],
  [
    'How many open deals are with pharmaceutical companies?',
    { count: dealsWith(open, company => company.industry === 'Pharmaceuticals').length },
  ],
  ['Which companies are in Leeds?', set(companies.filter(company => company.city === 'Leeds'))],
  [
    'How many companies do we have in Germany?',
    { count: companies.filter(company => company.country === 'Germany').length },
  ],
  ['Do we have any companies in Spain?', { zero: true }],
  [
    'How many companies are there in each country?',
    { nums: [...new Set(groups(companies, company => company.country).map(group => group.length))] },
  ],
  [
    'Which food production companies are customers?',
    set(companies.filter(company => company.industry === 'Food production' && company.status === 'customer')),
  ],
  [
    'How many companies are customers?',
    { count: companies.filter(company => company.status === 'customer').length },
  ],
  ['Which companies are tagged Reference customer?', set(tagged(companies, 'Reference customer'))],
  ['Which companies have the tag Payment issues?', set(tagged(companies, 'Payment issues'))],
  [
    'Which companies have contract level Premium?',
    set(companies.filter(company => company.metadata?.contract_level === 'Premium')),
  ],
  [
    'Which company has the highest water hardness?',
    { one: most(companies, company => Number(company.metadata?.water_hardness ?? 0), 1)[0]!.key },
  ],
  [
    'Which companies have more than 500 employees?',
    set(companies.filter(company => company.employee_count > 500)),
  ],
  [
    'Which company has the highest annual revenue?',
    { one: most(companies, company => company.annual_revenue!, 1)[0]!.key },
  ],
  ['Who works at Biolenz Pharma?', { set: ['p31', 'p32'] }],
  ['How many contacts does Tomasz own?', { count: owned(contacts, 'T').length }],
  [
    'Which contacts came from a trade fair?',
    set(contacts.filter(contact => contact.lead_source === 'Trade fair')),
  ],
  [
    'Who are our contacts at companies in Graz?',
    set(contacts.filter(({ company }) => company !== null && byKey(companies, company).city === 'Graz')),
  ],
  ['Which contacts are marked as do not contact?', set(contacts.filter(contact => contact.do_not_contact))],
  ['Who is the managing director of Tissages Morel?', { text: [/Odile/] }],
  ["What is Verena Pichler's phone number?", { text: [/316 905 718/] }],
  ['What is the email address of Rasmus Thorup?', { text: [/rasmus\.thorup@jutlandboliger\.dk/] }],
  ['Which tasks are overdue?', set(late.filter(activity => activity.type === 'task'))],
  ['How many overdue activities does Delphine have?', { count: assigned(late, 'D').length }],
  [
    'What do I have to do today?',
    {
      any: [
        set(assigned(planned, 'A').filter(activity => activity.day === TODAY)),
        set(assigned(planned, 'A').filter(activity => activity.day! <= TODAY)),
      ],
    },
  ],
  ['Which meetings do we have this week?', set(taking(meetings, weekAt(0)))],
  ['What meetings are planned for next week?', set(taking(meetings, weekAt(1)))],
  ['How many calls did we make last week?', { count: taking(callsMade, weekAt(-1)).length }],
  [
    `How many calls did Tomasz make in ${monthName(-1)}?`,
    { count: assigned(taking(callsMade, monthAt(-1)), 'T').length },
  ],
  ['When was our last contact with Bridget Ashworth?', { date: lastContact('p5')! }],
  ['When did we last speak to Odile Morel?', { date: lastContact('p44')! }],
  ['When is our next meeting with Katrien Peeters?', { date: day(4) }],
  ['Which tasks does Tomasz have this week?', set(assigned(taking(tasks, weekAt(0)), 'T'))],
  ['Which tasks are urgent?', set(tasks.filter(task => task.priority === 'urgent'))],
  [
    'Which contacts have we not spoken to for more than 60 days?',
    { any: [set(cold), set([...cold, ...never])] },
  ],
]
