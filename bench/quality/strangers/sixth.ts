/** Questions about the data of the sixth set; what is right is worked out from its records. */
import {
  amount,
  assigned,
  byKey,
  closing,
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

const { companies, contacts, activities, deals } = worldOf('sixth')

const open = deals.filter(isOpen)
const at = (stage: Stage) => deals.filter(deal => deal.stage === stage)
const won = at('Won')
const CHANCE: Readonly<Partial<Record<Stage, number>>> = {
  Lead: 10,
  Qualified: 25,
  Proposal: 50,
  Negotiation: 75,
}
const weighted = (deal: Deal) => (amount(deal) * CHANCE[deal.stage]!) / 100
const kilos = ({ metadata }: Company) => Number(metadata?.kilos_per_month ?? 0)

const planned = activities.filter(activity => activity.status === 'planned')
const overdue = planned.filter(activity => activity.day! < TODAY)
const lastContact = (right: (activity: Activity) => boolean): string =>
  activities
    .filter(activity => activity.status === 'completed' && activity.type !== 'task' && right(activity))
    .map(activity => activity.day!)
    .sort()
    .at(-1)!
const nextMeeting = (company: string): string =>
  planned
    .filter(
      ({ type, companies: with_, day }) => type === 'meeting' && with_.includes(company) && day! > TODAY,
    )
    .map(activity => activity.day!)
    .sort()[0]!

/** Exactly these, or that there is none. */
const these = (list: readonly { key: string }[]): ExpectedAnswer =>
  list.length > 0 ? set(list) : { zero: true }
const first = <T extends { key: string }>(list: readonly T[], of: (one: T) => number): ExpectedAnswer => ({
  one: most(list, of, 1)[0]!.key,
})
const literally = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')

const COLLEAGUES: Readonly<Record<string, string>> = { A: 'Aoife', T: 'Tomasz', D: 'Dervla' }
/** Named before any colleague. */
const foremost = (who: string) => {
  const others = Object.keys(COLLEAGUES).filter(key => key !== who)
  const names = others.map(key => COLLEAGUES[key]).join('|')
  return new RegExp(`^(?:(?!${names})[\\s\\S])*${COLLEAGUES[who]}`, 'i')
}
const counts = <T>(list: readonly T[], by: (one: T) => string): (readonly [string, number])[] =>
  [...Map.groupBy(list, by)].map(([group, { length }]) => [group, length])
/** Each group stands close to its figure. */
const pairs = (counted: readonly (readonly [string, number])[]): ExpectedAnswer => ({
  text: counted.map(([group, count]) => {
    const label = COLLEAGUES[group] ?? group
    return new RegExp(`${label}[\\s\\S]{0,60}?\\b${count}\\b|\\b${count}\\b[^\\d]{0,30}${label}`, 'i')
  }),
})
const busiest = most(
  counts(
    open.filter(deal => deal.owner !== null),
    deal => deal.owner!,
  ),
  ([, count]) => count,
  1,
)[0]![0]

export const data: readonly DataQuestion[] = [
  ['How many open deals do we have?', { count: open.length }],
  ['What is the total value of our open pipeline?', { nums: [sum(open)] }],
  ['How much is in Negotiation right now?', { nums: [sum(at('Negotiation'))] }],
  ['Which deals are in the Proposal stage?', these(at('Proposal'))],
  ['How many open deals are there in each stage?', pairs(counts(open, deal => deal.stage))],
  ['What is our weighted pipeline?', { nums: [total(open, weighted)] }],
  ['What is our biggest open deal?', first(open, amount)],
  ['Show me the three largest deals in Negotiation', set(most(at('Negotiation'), amount, 3))],
  ['What is the average size of a won deal?', { nums: [sum(won) / won.length] }],
  ['How many deals did each of us win?', pairs(counts(won, deal => deal.owner!))],
  ['How much has Tomasz won in total?', { nums: [sum(owned(won, 'T'))] }],
  [
    'Who owns the Harbourlight foyer switch deal?',
    { text: [literally(COLLEAGUES[byKey(deals, 'd26').owner!]!)] },
  ],
  ['Which open deals does nobody own?', these(open.filter(deal => deal.owner === null))],
  ['List all open deals worth more than 80,000', these(open.filter(deal => amount(deal) > 80_000))],
  ['Which deals should close this month?', these(closing(open, monthAt(0)))],
  ['How much money is expected to close next month?', { nums: [sum(closing(open, monthAt(1)))] }],
  ['Which open deals are past their expected close date?', these(open.filter(deal => deal.close! < TODAY))],
  ['When should the Clifton Deli renewal close?', { date: byKey(deals, 'd14').close! }],
  ['Which deals have we lost?', these(at('Lost'))],
  [
    'When did we last talk to anyone at Fennimore Events?',
    { date: lastContact(activity => activity.companies.includes('c07')) },
  ],
  [
    "Which of Aoife's open deals are high priority?",
    these(owned(open, 'A').filter(deal => deal.priority === 'high')),
  ],
  ['What deals do we have with Pelican Grocers?', these(deals.filter(deal => deal.company === 'c15'))],
  ['Who has the most open deals?', { text: [foremost(busiest)] }],
  [
    'Which quote number does the Bellweather floor machines deal have?',
    { text: [literally(byKey(deals, 'd30').metadata!.quote_number!)] },
  ],
  ['What is the next step on the Kolding showroom cafés deal?', { text: [/concept sheet/i] }],
  [
    'How many of our customers are in Ireland?',
    {
      count: companies.filter(({ status, country }) => status === 'customer' && country === 'Ireland').length,
    },
  ],
  [
    'Which companies are in the hotel industry?',
    these(companies.filter(company => company.industry === 'Hotels')),
  ],
  ['Which companies are based in Hamburg?', these(companies.filter(company => company.city === 'Hamburg'))],
  [
    'How many companies are there per status?',
    pairs(
      counts(
        companies.filter(company => company.status),
        company => company.status!,
      ),
    ),
  ],
  [
    'List the companies with more than 1,000 employees',
    these(companies.filter(company => company.employee_count > 1000)),
  ],
  ['Which company has the fewest employees?', first(companies, company => -company.employee_count)],
  ['Do we have any companies in Spain?', { zero: true }],
  [
    'Who is on the Signature plan?',
    these(companies.filter(company => company.metadata?.supply_plan === 'Signature')),
  ],
  ['Which customer takes the most kilos per month?', first(companies, kilos)],
  ['How many kilos per month do all companies take together?', { nums: [total(companies, kilos)] }],
  ['Which companies are tagged late payer?', these(tagged(companies, 'late payer'))],
  ['Who do we know at Gantry Software?', these(contacts.filter(contact => contact.company === 'c19'))],
  ['Which contacts have no phone number?', these(contacts.filter(contact => contact.phone === null))],
  [
    'How many contacts came from a trade fair?',
    { count: contacts.filter(contact => contact.lead_source === 'Trade fair').length },
  ],
  ["What is Colm Conneely's job title?", { text: [literally(byKey(contacts, 'p36').job_title)] }],
  ['Which activities are overdue for Tomasz?', these(assigned(overdue, 'T'))],
  ['How many overdue activities does each person have?', pairs(counts(overdue, activity => activity.who))],
  ['What does Dervla have due this week?', these(assigned(taking(planned, weekAt(0)), 'D'))],
  [
    'When did we last speak to Rui Tavares?',
    { date: lastContact(activity => activity.contacts.includes('p48')) },
  ],
  ['When is our next meeting with Speicher Elf?', { date: nextMeeting('c12') }],
]
