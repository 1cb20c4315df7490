/** Questions about the data of the fifth set; what is right is worked out from its records. */
import {
  amount,
  assigned,
  byKey,
  closing,
  groups,
  isOpen,
  isOpenTask,
  monthAt,
  most,
  owned,
  set,
  sum,
  TODAY,
  tagged,
  taking,
  total,
} from './reckon.ts'
import { worldOf } from './sets.ts'
import type { Activity, DataQuestion, Deal, Expected, Stage } from './types.ts'

const { companies, contacts, activities, deals } = worldOf('fifth')

const open = deals.filter(isOpen)
const at = (stage: Stage) => deals.filter(deal => deal.stage === stage)
const won = at('Won')
const lost = at('Lost')
const CHANCE: Readonly<Partial<Record<Stage, number>>> = {
  Lead: 10,
  Qualified: 25,
  Proposal: 50,
  Negotiation: 75,
}
const weighted = (deal: Deal) => (amount(deal) * (deal.probability ?? CHANCE[deal.stage]!)) / 100

const top = <T>(list: readonly T[], of: (one: T) => number): T => {
  const [first, second] = most(list, of, 2)
  if (second !== undefined && of(first!) === of(second)) throw new Error('a tie has no right answer')
  return first!
}
const literally = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')
/** A question about companies may be answered with their deals and the other way round. */
const dealsOrCompanies = (list: readonly Deal[]): Expected => ({
  any: [set(list), { set: [...new Set(list.map(deal => deal.company))] }],
})
const dealOrCompany = ({ key, company, name }: Deal): Expected => ({
  any: [{ one: key }, { one: company, text: [literally(name)] }],
})

const COLLEAGUES: Readonly<Record<string, RegExp>> = { A: /Marit/, T: /Tobias/, D: /Dunja/ }
const names = Object.values(COLLEAGUES)
const perOwner = groups(open, deal => deal.owner!)
const bestSeller = top(Object.keys(COLLEAGUES), who => sum(owned(won, who)))

const pallets = ({ metadata }: (typeof companies)[number]) => Number(metadata?.pallets_per_week ?? 0)
const busiest = top(companies, pallets)
const dairies = companies.filter(company => company.industry === 'Dairy')

const overdue = activities.filter(activity => isOpenTask(activity) && activity.day! < TODAY)
const meetings = activities.filter(activity => activity.type === 'meeting')
const lastContact = (right: (activity: Activity) => boolean): string =>
  top(
    activities.filter(
      activity => activity.type !== 'task' && activity.status === 'completed' && right(activity),
    ),
    activity => Date.parse(activity.start_at!),
  ).day!

export const data: readonly DataQuestion[] = [
  ['How many open deals do we have right now?', { count: open.length }],
  ['how much money is sitting in the open pipeline altogether', { nums: [sum(open)] }],
  ['Which companies are we in negotiation with at the moment?', dealsOrCompanies(at('Negotiation'))],
  ['Which deals are at the Proposal stage?', set(at('Proposal'))],
  ['Which deals are supposed to close this month?', set(closing(deals, monthAt(0)))],
  ['What should we be closing next month?', set(closing(open, monthAt(1)))],
  ['Top three open deals by value', set(most(open, amount, 3))],
  ['Smallest deal we ever won?', dealOrCompany(top(won, deal => -amount(deal)))],
  ["What's our win rate so far?", { nums: [(won.length / (won.length + lost.length)) * 100] }],
  [
    'How much open business do we have with Woldgate Poultry?',
    { nums: [sum(open.filter(deal => deal.company === 'c_wold'))] },
  ],
  ["What's the average size of the deals we've won?", { nums: [sum(won) / won.length] }],
  ['How many open deals does each rep have?', { nums: perOwner.map(group => group.length), text: names }],
  ['open pipeline value by owner', { nums: perOwner.map(sum), text: names }],
  [
    'Total value of open deals per stage',
    {
      nums: groups(open, deal => deal.stage).map(sum),
      text: [/Lead/, /Qualified/, /Proposal/, /Negotiation/],
    },
  ],
  ['Which of the deals in negotiation belong to Dunja?', set(owned(at('Negotiation'), 'D'))],
  ['Who is looking after the flu vaccine tender?', { text: [COLLEAGUES[byKey(deals, 'd_kest').owner!]!] }],
  [
    'Which open deals have slipped past their expected close date?',
    set(open.filter(deal => deal.close! < TODAY)),
  ],
  ['What stage is Salmon lane Bodø–Boulogne in?', { text: [literally(byKey(deals, 'd_fjord').stage)] }],
  ['When do we expect to close Hospital pharmacy hub Utrecht?', { date: byKey(deals, 'd_meri').close! }],
  [
    'What quote number did the Tulip forcing season deal get?',
    { text: [literally(byKey(deals, 'd_oost').metadata!.quote_number!)] },
  ],
  [
    'How many companies have the status customer?',
    { count: companies.filter(company => company.status === 'customer').length },
  ],
  [
    'How many of our contacts work for German companies?',
    {
      count: contacts.filter(
        ({ company }) => company !== null && byKey(companies, company).country === 'Germany',
      ).length,
    },
  ],
  ['Which seafood companies do we have?', set(companies.filter(company => company.industry === 'Seafood'))],
  ['Which company employs the most people?', { one: top(companies, one => one.employee_count).key }],
  [
    'Who ships the most pallets per week?',
    {
      any: [{ one: busiest.key }, { text: [literally(busiest.name)], nums: [pallets(busiest)] }],
    },
  ],
  [
    'Which companies are on the Critical service tier?',
    set(companies.filter(company => company.metadata?.service_tier === 'Critical')),
  ],
  ['companies with more than 1000 employees', set(companies.filter(one => one.employee_count > 1000))],
  ['Which companies carry the tag "at risk"?', set(tagged(companies, 'at risk'))],
  [
    'Dutch companies that are already customers',
    set(companies.filter(({ country, status }) => country === 'Netherlands' && status === 'customer')),
  ],
  [
    'Average headcount of our dairy companies',
    { nums: [total(dairies, company => company.employee_count) / dairies.length] },
  ],
  ['Do we have any companies in Portugal?', { zero: true }],
  [
    'Whom do we know at Corrigan Supermarkets?',
    set(contacts.filter(contact => contact.company === 'c_corr')),
  ],
  ['Who is Head of Quality at Eirgen Biologics?', { text: [/Declan Foyle/] }],
  ["What's Ludwig Zeitler's phone number?", { text: [/175[ -]?214[ -]?8803/] }],
  ['How many contacts does Tobias look after?', { count: owned(contacts, 'T').length }],
  ['Which contacts are flagged do not contact?', set(contacts.filter(contact => contact.do_not_contact))],
  ['Who has a birthday in April?', set(contacts.filter(contact => contact.birthday?.slice(5, 7) === '04'))],
  ['Which tasks are overdue?', set(overdue)],
  ['how many overdue tasks has Dunja got', { count: assigned(overdue, 'D').length }],
  ['Which of my tasks are overdue?', set(assigned(overdue, 'A'))],
  [
    'Which urgent tasks are still open?',
    set(activities.filter(activity => isOpenTask(activity) && activity.priority === 'urgent')),
  ],
  [
    'Which meetings are coming up?',
    set(meetings.filter(meeting => meeting.status === 'planned' && meeting.day! > TODAY)),
  ],
  [
    'When did we last talk to Aoife Brannigan?',
    { date: lastContact(activity => activity.contacts.includes('p_brann')) },
  ],
  [
    'When was our last contact with Fjordline Laks?',
    { date: lastContact(activity => activity.companies.includes('c_fjord')) },
  ],
  [
    'How many meetings did we hold last month?',
    { count: taking(meetings, monthAt(-1)).filter(meeting => meeting.status === 'completed').length },
  ],
  ['Which won deals came from a cold call?', set(won.filter(deal => deal.lead_source === 'Cold call'))],
  ["What's our weighted pipeline?", { nums: [total(open, weighted)] }],
  ['Which renewals are still open?', set(open.filter(deal => deal.deal_type === 'Renewal'))],
  ['open deals worth more than half a million', set(open.filter(deal => amount(deal) > 500_000))],
  [
    'Which rep has won the most in euros, and how much is it?',
    { text: [COLLEAGUES[bestSeller]!], nums: [sum(owned(won, bestSeller))] },
  ],
]
