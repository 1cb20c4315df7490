/** Questions about the data of the third set; what is right is worked out from its records. */
import {
  amount,
  assigned,
  byKey,
  closing,
  day,
  isOpen,
  isOpenTask,
  monthAt,
  owned,
  quarter,
  set,
  sum,
  TODAY,
  tagged,
  taking,
  total,
  weekAt,
} from './reckon.ts'
import { worldOf } from './sets.ts'
import type { DataQuestion, Deal, Stage } from './types.ts'

const { companies, contacts, notes, activities, deals } = worldOf('third')

const open = deals.filter(isOpen)
const won = deals.filter(deal => deal.stage === 'Won')
const lost = deals.filter(deal => deal.stage === 'Lost')
/** One figure per currency. */
const sums = (list: readonly Deal[], of = amount): number[] =>
  [
    ...Map.groupBy(
      list.filter(deal => deal.amount !== null),
      deal => deal.currency,
    ).values(),
  ].map(group => Math.round(total(group, of) * 100) / 100)
const CHANCE: Readonly<Partial<Record<Stage, number>>> = {
  Lead: 0.1,
  Qualified: 0.25,
  Proposal: 0.5,
  Negotiation: 0.75,
}
const weighted = (deal: Deal) => amount(deal) * CHANCE[deal.stage]!
const perStage = (counts: (list: readonly Deal[]) => number[]): number[] =>
  ['Lead', 'Qualified', 'Proposal', 'Negotiation'].flatMap(stage => {
    const there = open.filter(deal => deal.stage === stage)
    return [...counts(there), ...sums(there)]
  })
const perCurrency = (list: readonly Deal[]) =>
  ['USD', 'EUR']
    .map(currency => list.filter(deal => deal.currency === currency).length)
    .filter(count => count > 0)

const yearEnd = `${TODAY.slice(0, 4)}-12-31`
const between = (from: number, to: number) =>
  open.filter(deal => deal.amount !== null && deal.amount >= from && deal.amount <= to)
const untilYearEnd = owned(open, 'M').filter(deal => deal.close !== null && deal.close <= yearEnd)

const tasks = activities.filter(activity => activity.type === 'task')
const meetings = activities.filter(activity => activity.type === 'meeting')
const callsMade = activities.filter(({ type, status }) => type === 'call' && status === 'completed')
const overdue = tasks.filter(task => isOpenTask(task) && task.day !== null && task.day < TODAY)
const dayOf = (key: string) => byKey(activities, key).day!

const notesOn = (kind: string, of: (key: string) => boolean) =>
  notes.filter(({ on }) => on?.[0] === kind && of(on[1])).length
const notesOnYarrow = notesOn('company', key => key === 'yarrow')
const notesOnItsDeals = notesOn('deal', key => byKey(deals, key).company === 'yarrow')

export const data: readonly DataQuestion[] = [
  ['How many open deals do we have?', { count: open.length }],
  ["What's the total value of our open pipeline?", { nums: sums(open) }],
  [
    'pipeline by stage please',
    { any: [{ nums: perStage(list => [list.length]) }, { nums: perStage(perCurrency) }] },
  ],
  ['What is our biggest open deal?', { one: 'd_yarrowgroup' }],
  ['top 3 open deals by amount', { set: ['d_yarrowgroup', 'd_ironbark', 'd_amberren'] }],
  [
    'Which deals are supposed to close this month?',
    { any: [set(closing(open, monthAt(0))), set(closing(deals, monthAt(0)))] },
  ],
  ['deals closing next week', set(closing(open, weekAt(1)))],
  [
    'How many deals should close this quarter?',
    {
      any: [
        { count: closing(open, quarter).length },
        { count: closing(open, quarter).filter(deal => deal.close! >= TODAY).length },
        { count: closing(deals, quarter).length },
      ],
    },
  ],
  [
    'How much could we bring in next month if every deal due then closes?',
    { nums: sums(closing(open, monthAt(1))) },
  ],
  ['Which open deals have slipped past their close date?', { set: ['d_cobaltren', 'd_rookwood'] }],
  ['open deals with no expected close date', set(open.filter(deal => deal.close === null))],
  ['Which deals have no amount yet?', set(deals.filter(deal => deal.amount === null))],
  ['How many deals have we won so far?', { count: won.length }],
  ['How much revenue did we win in total?', { nums: sums(won) }],
  ['average size of the deals we won', { nums: [sum(won) / won.length] }],
  ['What was the smallest deal we won?', { one: 'd_paxton' }],
  ['what did we lose because of price', set(lost.filter(deal => deal.lost_reason === 'Price'))],
  ['Total value of lost deals', { nums: sums(lost) }],
  [
    "What's our win rate?",
    { any: [{ text: [/56(\.\d+)?\s*%/] }, { text: [/\b0\.56/] }, { text: [/9 (of|out of) 16/] }] },
  ],
  ['What is the weighted pipeline worth?', { nums: sums(open, weighted) }],
  [
    'How many deals are in the proposal stage?',
    { count: open.filter(deal => deal.stage === 'Proposal').length },
  ],
  [
    'negotiation deals over 100k',
    set(open.filter(deal => deal.stage === 'Negotiation' && amount(deal) > 100_000)),
  ],
  [
    'open deals between 50k and 80k dollars',
    {
      any: [
        set(between(50_000, 80_000)),
        set(between(50_000, 80_000).filter(deal => deal.currency === 'USD')),
      ],
    },
  ],
  ['Which open deals are in euros?', set(open.filter(deal => deal.currency === 'EUR'))],
  ["How many of Marcus's deals are still open?", { count: owned(open, 'M').length }],
  ['How much open pipeline does Priya own?', { nums: sums(owned(open, 'P')) }],
  ['Who owns the Terralux trading desk deal?', { text: [/Priya/] }],
  ['Which deal has no owner?', { set: ['d_beaufort'] }],
  [
    'won deals per owner',
    { nums: ['I', 'M', 'P'].map(who => owned(won, who).length), text: [/Ines/, /Marcus/, /Priya/] },
  ],
  [
    "Which of Marcus' open deals close before the end of the year?",
    { any: [set(untilYearEnd), set(untilYearEnd.filter(deal => deal.close! >= TODAY))] },
  ],
  ['what renewals are in the pipeline', set(open.filter(deal => deal.deal_type === 'Renewal'))],
  ['Open deals that came from a trade show', set(open.filter(deal => deal.lead_source === 'Trade show'))],
  ['high priority deals', { any: [set(deals.filter(deal => deal.priority === 'high'))] }],
  ['What stage is the Vantor field service deal in?', { text: [/Proposal/] }],
  ['how much is the Starling dispatch deal worth', { nums: [118000] }],
  ['All deals with Northgate, won lost or open', set(deals.filter(deal => deal.company === 'northgate'))],
  ['deals without a contact person', set(deals.filter(deal => deal.contact === null))],
  ['When is the Fennimore alumni migration supposed to close?', { date: byKey(deals, 'd_fenn').close! }],
  ['Did we win anything last month?', { zero: true }],
  [
    'How many contacts do we have at Tessera Mutual?',
    { count: contacts.filter(contact => contact.company === 'tessera').length },
  ],
  ['who works at Amberline', set(contacts.filter(contact => contact.company === 'amberline'))],
  ['How many people are in our address book altogether?', { count: contacts.length }],
  ['Which contacts are in Boston?', set(contacts.filter(contact => contact.city === 'Boston'))],
  ['list all the CFOs we know', set(contacts.filter(contact => contact.job_title === 'CFO'))],
  ['Contacts tagged VIP', set(tagged(contacts, 'VIP'))],
  [
    'Whose birthday is this month?',
    set(contacts.filter(contact => contact.birthday?.slice(5, 7) === TODAY.slice(5, 7))),
  ],
  ['Who has opted out of emails?', set(contacts.filter(contact => contact.email_opt_out))],
  ['contacts we must not contact', set(contacts.filter(contact => contact.do_not_contact))],
  ["What's Claire Dufresne's email address?", { text: [/c\.dufresne@mistral-marine\.fr/] }],
  ['phone number of Bruce Tanner', { text: [/\+?61 ?400 ?555 ?061/] }],
  [
    'Which healthcare companies do we have?',
    set(companies.filter(company => company.industry === 'Healthcare')),
  ],
  ['companies in Germany', set(companies.filter(company => company.country === 'Germany'))],
  [
    'How many customers do we have?',
    { count: companies.filter(company => company.status === 'customer').length },
  ],
  ['show me the inactive accounts', set(companies.filter(company => company.status === 'inactive'))],
  [
    'Companies with more than 2000 employees',
    set(companies.filter(company => company.employee_count > 2000)),
  ],
  [
    'which companies have no contacts',
    set(companies.filter(company => !contacts.some(contact => contact.company === company.key))),
  ],
  ['companies tagged at risk', set(tagged(companies, 'At risk'))],
  ['Which accounts are gold tier?', set(companies.filter(company => company.metadata?.tier === 'Gold'))],
  ['companies with an NPS below 7', set(companies.filter(company => Number(company.metadata?.nps) < 7))],
  [
    'how many food and beverage companies are there',
    { count: companies.filter(company => company.industry === 'Food & beverage').length },
  ],
  ['What tasks are overdue?', set(overdue)],
  ['my overdue tasks', set(assigned(overdue, 'I'))],
  ['what is due today?', set(tasks.filter(task => isOpenTask(task) && task.day === TODAY))],
  ['tasks assigned to Priya that are still open', set(assigned(tasks.filter(isOpenTask), 'P'))],
  ['urgent to-dos', set(tasks.filter(task => isOpenTask(task) && task.priority === 'urgent'))],
  [
    'Which meetings are coming up next week?',
    set(taking(meetings, weekAt(1)).filter(meeting => meeting.status === 'planned')),
  ],
  [
    'meetings this week',
    {
      any: [
        set(taking(meetings, weekAt(0))),
        set(taking(meetings, weekAt(0)).filter(meeting => meeting.status === 'planned')),
      ],
    },
  ],
  ["When's our next meeting with Zephyr?", { date: dayOf('a_zephyr2') }],
  ['What was our last call with Tessera?', { one: 'a_dana' }],
  ['Who did I last talk to at Halcyon?', { text: [/Teresa/] }],
  ['When did we last speak with Derek Stannard?', { date: dayOf('a_derek') }],
  [
    'How many calls did we make in the last 7 days?',
    {
      any: [
        { count: callsMade.filter(call => call.day! >= day(-7)).length },
        { count: callsMade.filter(call => call.day! > day(-7)).length },
      ],
    },
  ],
  [
    'meetings held last month',
    set(taking(meetings, monthAt(-1)).filter(meeting => meeting.status === 'completed')),
  ],
  [
    'How many notes are there on Yarrow?',
    { any: [{ count: notesOnYarrow + notesOnItsDeals }, { count: notesOnYarrow }] },
  ],
  ['Which task was cancelled?', { set: ['t_nda'] }],
  ['next activity with Joost van der Meer', { any: [{ one: 'a_rca' }, { one: 't_rca' }] }],
]
