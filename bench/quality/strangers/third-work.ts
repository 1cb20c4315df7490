// biome-ignore-all format: tables, one record a line
/** Deals and activities of the third set. */
import { day, inMonth } from './reckon.ts'
import { contacts } from './third-customers.ts'
import type { Activity, Deal, Stage } from './types.ts'

/** Days from today; never a Sunday, so that weeks mean the same in the US and in Europe. */
const workday = (offset: number): string => {
  const sunday = offset !== 0 && new Date(day(offset)).getUTCDay() === 0
  return day(sunday ? offset + Math.sign(offset) : offset)
}

type DealRow = readonly [
  key: string,
  name: string,
  company: string,
  amount: number | null,
  stage: Stage,
  close: string | null,
  owner: string | null,
  contact: string | null,
  more: Partial<Deal>,
]
const DEALS: readonly DealRow[] = [
  ['d_tessera', 'Tessera claims rollout', 'tessera', 185000, 'Negotiation', workday(10), 'I', 'dana', { deal_type: 'New business', lead_source: 'Referral', priority: 'high', next_step: 'Agree the ramp', metadata: { po_number: 'PO-88120' } }],
  ['d_yarrowpilot', 'Yarrow branch pilot', 'yarrow', 96000, 'Proposal', workday(24), 'M', 'simon', { deal_type: 'New business', lead_source: 'Outbound', priority: 'high', next_step: 'Confirm UK hosting' }],
  ['d_yarrowgroup', 'Yarrow group-wide CRM', 'yarrow', 640000, 'Lead', inMonth(4, 15), 'M', 'simon', { deal_type: 'New business', lead_source: 'Outbound', next_step: 'Wait for pilot result' }],
  ['d_hallett', 'Hallett & Rowe matter intake', 'hallett', 54000, 'Negotiation', workday(4), 'I', 'beatrix', { deal_type: 'New business', lead_source: 'Website', priority: 'medium', next_step: 'Counter on liability cap' }],
  ['d_vantor', 'Vantor field service', 'vantor', 72000, 'Proposal', workday(9), 'P', 'jonas', { deal_type: 'New business', lead_source: 'Trade show', next_step: 'Trial ends, ask for decision' }],
  ['d_ironbark', 'Ironbark underground mobile', 'ironbark', 410000, 'Qualified', inMonth(2, 20), 'M', 'bruce', { deal_type: 'New business', lead_source: 'Trade show', priority: 'high', next_step: 'Site visit' }],
  ['d_terralux', 'Terralux trading desk', 'terralux', 132000, 'Proposal', workday(12), 'P', 'ingrid', { deal_type: 'New business', lead_source: 'Outbound', next_step: 'Board paper' }],
  ['d_merrow', 'Merrowdale citizen services', 'merrowdale', 88000, 'Qualified', inMonth(3, 28), 'I', 'tom', { deal_type: 'New business', lead_source: 'Partner' }],
  ['d_corvane', 'Corvane lab ops', 'corvane', 61000, 'Lead', inMonth(5, 10), 'P', 'henry', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_starling', 'Starling dispatch', 'starling', 118000, 'Negotiation', workday(2), 'M', 'derek', { deal_type: 'New business', lead_source: 'Outbound', priority: 'high', next_step: 'Three-year quote' }],
  ['d_redshore', 'Redshore ad ops', 'redshore', 47000, 'Proposal', workday(16), 'I', 'luc', { deal_type: 'New business', lead_source: 'Website', priority: 'low' }],
  ['d_grey', 'Greyfriars compliance suite', 'greyfriars', 83000, 'Proposal', workday(33), 'P', 'ian', { deal_type: 'New business', lead_source: 'Referral', next_step: 'Final presentation' }],
  ['d_dunmore', 'Dunmore order sync', 'dunmore', 39000, 'Qualified', workday(45), 'I', 'siobhan', { deal_type: 'New business', lead_source: 'Website', priority: 'low' }],
  ['d_oldbridge', 'Oldbridge pharmacy intake', 'oldbridge', 58000, 'Qualified', workday(40), 'M', 'marisol', { deal_type: 'New business', lead_source: 'Partner', next_step: 'BAA signature' }],
  ['d_juniper', 'Juniper & Vale project tracking', 'juniper', 26500, 'Lead', null, 'P', 'harriet', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_fenn', 'Fennimore alumni migration', 'fennimore', 149000, 'Proposal', workday(36), 'I', 'norah', { deal_type: 'Services', lead_source: 'Outbound', priority: 'medium' }],
  ['d_zephyr', 'Zephyr charter desk', 'zephyr', 44000, 'Qualified', workday(20), 'M', 'carlos', { deal_type: 'New business', lead_source: 'Trade show', next_step: 'Second demo' }],
  ['d_kestrel', 'Kestrel API bundle', 'kestrel', 15000, 'Proposal', workday(6), 'P', 'tobias', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_sanvito', 'San Vito patient relations', 'sanvito', 92000, 'Qualified', workday(60), 'I', 'ramon', { deal_type: 'New business', lead_source: 'Partner' }],
  ['d_aurelia', 'Aurelia store rollout', 'aurelia', 78500, 'Lead', workday(75), 'P', 'giulia', { deal_type: 'New business', lead_source: 'Trade show' }],
  ['d_halcyonren', 'Halcyon renewal', 'halcyon', 64000, 'Negotiation', workday(15), 'I', 'rui', { currency: 'EUR', deal_type: 'Renewal', next_step: 'Meet Rui' }],
  ['d_mistral', 'Mistral fleet add-on', 'mistral', 28000, 'Negotiation', workday(8), 'M', 'claire', { currency: 'EUR', deal_type: 'Expansion' }],
  ['d_hexseat', 'Hexagate seat expansion', 'hexagate', 33600, 'Negotiation', workday(5), 'P', 'yusuf', { deal_type: 'Expansion', metadata: { po_number: 'HX-2031' } }],
  ['d_amberren', 'Amberline renewal', 'amberline', 210000, 'Negotiation', workday(50), 'M', 'katarzyna', { deal_type: 'Renewal', priority: 'high' }],
  ['d_northren', 'Northgate renewal', 'northgate', 76000, 'Proposal', workday(28), 'I', 'paul', { deal_type: 'Renewal' }],
  ['d_cobaltren', 'Cobalt Fitness renewal', 'cobaltfit', 51000, 'Proposal', inMonth(-2, 21), 'I', 'melissa', { deal_type: 'Renewal', next_step: 'Rescue plan' }],
  ['d_calltrain', 'Calloway training package', 'calloway', 12500, 'Proposal', workday(7), 'P', 'sandra', { deal_type: 'Services' }],
  ['d_antwerp', 'Brightwater Antwerp depot', 'brightwater', 66000, 'Qualified', workday(55), 'M', 'joost', { deal_type: 'Expansion' }],
  ['d_okelloapp', 'Okello distributor app', 'okello', 37000, 'Lead', workday(90), 'P', 'wanjiru', { deal_type: 'Expansion' }],
  ['d_solano', 'Solano starter', 'solano', 9800, 'Lead', null, 'I', 'pete', { deal_type: 'New business', lead_source: 'Referral' }],
  ['d_tamarind', 'Tamarind Jakarta outlets', 'tamarind', 52000, 'Lead', workday(120), 'M', 'meilin', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_sable', 'Sable Creek club', 'sablecreek', null, 'Lead', null, 'P', 'ray', { deal_type: 'New business' }],
  ['d_rookwood', 'Rookwood retainer', 'rookwood', 18000, 'Qualified', inMonth(-2, 5), 'M', 'victoria', { deal_type: 'Services', lead_source: 'Referral' }],
  ['d_lindqvist', 'Lindqvist showroom', 'lindqvist', 21000, 'Lead', inMonth(3, 3), 'I', 'asa', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_beaufort', 'Beaufort collections', 'beaufort', 16500, 'Lead', inMonth(5, 20), null, null, { deal_type: 'New business' }],
  ['d_ndiaye', 'Ndiaye first order', 'ndiaye', null, 'Lead', null, 'M', 'aminata', { deal_type: 'New business' }],
  ['d_pinegrove', 'Pinegrove nine offices', 'pinegrove', 43000, 'Won', inMonth(-3, 12), 'I', 'rebecca', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_brightcore', 'Brightwater core platform', 'brightwater', 240000, 'Won', inMonth(-8, 4), 'M', 'joost', { deal_type: 'New business', lead_source: 'Trade show' }],
  ['d_paxton', 'Paxton clinic bundle', 'paxton', 19500, 'Won', inMonth(-5, 18), 'P', 'amy', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_okellowh', 'Okello warehouse', 'okello', 68000, 'Won', inMonth(-4, 7), 'I', 'wanjiru', { deal_type: 'New business', lead_source: 'Partner' }],
  ['d_amber1', 'Amberline phase one', 'amberline', 175000, 'Won', inMonth(-11, 22), 'M', 'piotr', { deal_type: 'New business', lead_source: 'Outbound' }],
  ['d_hexinit', 'Hexagate initial licences', 'hexagate', 57000, 'Won', inMonth(-9, 15), 'P', 'yusuf', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_calldealer', 'Calloway dealer portal', 'calloway', 129000, 'Won', inMonth(-6, 2), 'I', 'sandra', { deal_type: 'New business', lead_source: 'Referral' }],
  ['d_halclaunch', 'Halcyon launch', 'halcyon', 98000, 'Won', inMonth(-12, 9), 'I', 'teresa', { deal_type: 'New business', lead_source: 'Outbound' }],
  ['d_cobaltinit', 'Cobalt Fitness initial', 'cobaltfit', 48000, 'Won', inMonth(-14, 27), 'M', 'melissa', { deal_type: 'New business', lead_source: 'Website' }],
  ['d_quillon', 'Quillon editorial', 'quillon', 35000, 'Lost', inMonth(-5, 30), 'M', 'marta', { deal_type: 'New business', lost_reason: 'Project stopped by merger' }],
  ['d_wexcombe', 'Wexcombe harvest', 'wexcombe', 27000, 'Lost', inMonth(-7, 11), 'I', null, { deal_type: 'Renewal', lost_reason: 'Budget' }],
  ['d_plumtree', 'Plumtree parents portal', 'plumtree', 31000, 'Lost', inMonth(-6, 24), 'P', null, { deal_type: 'Renewal', lost_reason: 'Competitor' }],
  ['d_vantorwh', 'Vantor warehouse', 'vantor', 40000, 'Lost', inMonth(-8, 19), 'P', 'helga', { deal_type: 'New business', lost_reason: 'Price' }],
  ['d_rednews', 'Redshore newsletter', 'redshore', 14000, 'Lost', inMonth(-4, 16), 'I', 'priscilla', { deal_type: 'New business', lost_reason: 'No decision' }],
  ['d_solcall', 'Solano call centre', 'solano', 22000, 'Lost', inMonth(-3, 8), 'I', 'pete', { deal_type: 'New business', lost_reason: 'Price' }],
  ['d_northmort', 'Northgate mortgage module', 'northgate', 90000, 'Lost', inMonth(-6, 14), 'M', 'paul', { deal_type: 'Expansion', lost_reason: 'Missing feature' }],
]
export const deals: readonly Deal[] = DEALS.map(
  ([key, name, company, amount, stage, close, owner, contact, more]) => ({
    key,
    name,
    company,
    amount,
    currency: 'USD',
    stage,
    close,
    owner,
    contact,
    ...more,
  }),
)

type ActivityRow = readonly [
  key: string,
  type: Activity['type'],
  subject: string,
  status: Activity['status'],
  /** from today */
  day: number | null,
  contacts: readonly string[],
  description: string | null,
  more: Partial<Activity> & { who: string; mins?: number },
]
const ACTIVITIES: readonly ActivityRow[] = [
  ['a_dana', 'call', 'Call with Dana Whitfield', 'completed', -3, ['dana'], 'Went through rollout phasing. She wants claims first, underwriting later.', { deals: ['d_tessera'], who: 'I', mins: 25 }],
  ['a_victor', 'call', 'Victor on commercial terms', 'completed', -9, ['victor'], 'Victor asks for 60-day payment terms and a ramp: pay for half the seats until go-live.', { deals: ['d_tessera'], who: 'I', mins: 40 }],
  ['a_tess_steer', 'meeting', 'Tessera steering committee', 'completed', -20, ['dana', 'victor', 'graham'], 'First full round. Graham sceptical about browser extensions. Next one only after the questionnaire is back.', { location: 'Hartford', who: 'I' }],
  ['a_lucinda', 'call', 'Intro with Lucinda Farr', 'completed', -6, ['lucinda'], 'Needs us on the supplier portal (Ariba) before anyone can raise an order.', { who: 'M', mins: 20 }],
  ['a_yarrow_scope', 'meeting', 'Yarrow pilot scoping', 'completed', -14, ['simon'], 'Agreed the branch, the people and the eight weeks. Simon wants a weekly one-pager.', { deals: ['d_yarrowpilot'], who: 'M' }],
  ['a_owen', 'call', 'Hallett liability call', 'completed', -2, ['owen'], 'Owen would settle for 3x annual fees as the ceiling if we carve out confidentiality breaches.', { deals: ['d_hallett'], who: 'I', mins: 35 }],
  ['a_lunch', 'meeting', 'Hallett & Rowe partner lunch', 'completed', -30, ['beatrix'], 'Beatrix thinks juniors will love it; seniors dictate to secretaries and always will.', { location: 'St. John, London', who: 'I' }],
  ['a_jonas', 'call', 'Jonas trial check-in', 'completed', -5, ['jonas'], 'Technicians like the photo upload. Spare parts list is missing.', { deals: ['d_vantor'], who: 'P', mins: 15 }],
  ['a_tour', 'meeting', 'Vantor factory tour', 'completed', -40, ['jonas', 'helga'], 'Saw the assembly line and the service hall. Helga asked twice about our headcount and funding, she fears we will not be around in five years.', { location: 'Munich', who: 'P' }],
  ['a_bruce', 'call', 'Bruce re connectivity', 'completed', -11, ['bruce'], 'Wi-Fi only in the crib rooms. Tablets come up once per shift.', { deals: ['d_ironbark'], who: 'M', mins: 30 }],
  ['a_kalgoorlie', 'meeting', 'Ironbark site visit Kalgoorlie', 'planned', 18, ['bruce', 'leilani'], 'Two days on site.', { deals: ['d_ironbark'], location: 'Kalgoorlie', who: 'M' }],
  ['a_ingrid', 'call', 'Ingrid demo follow-up', 'completed', -4, ['ingrid'], 'Ingrid wants live power prices next to each counterparty, otherwise she sticks to what she has.', { deals: ['d_terralux'], who: 'P', mins: 30 }],
  ['a_board', 'meeting', 'Terralux board paper prep', 'planned', 3, ['mikkel'], 'Mikkel drafts, we supply the figures.', { deals: ['d_terralux'], who: 'P' }],
  ['a_tom', 'call', 'Tom Ashdown catch-up', 'completed', -8, ['tom'], 'Election in May, nothing will be signed in the six weeks before it.', { deals: ['d_merrow'], who: 'I', mins: 20 }],
  ['a_framework', 'meeting', 'Merrowdale framework workshop', 'planned', 9, ['tom', 'carol'], null, { deals: ['d_merrow'], location: 'Civic ActiveAnswers, Leeds', who: 'I' }],
  ['a_carlos', 'call', 'Carlos rebook', 'completed', -7, ['carlos'], 'Apologised for leaving early. Will bring the head of crew scheduling next time.', { deals: ['d_zephyr'], who: 'M', mins: 10 }],
  ['a_zephyr2', 'meeting', 'Zephyr second demo', 'planned', 2, ['carlos'], 'On Teams this time.', { deals: ['d_zephyr'], who: 'M' }],
  ['a_derek', 'call', 'Derek on seat price', 'completed', -1, ['derek'], 'He has sign-off up to 120k. Wants the quote in writing before the week is over.', { deals: ['d_starling'], who: 'M', mins: 15 }],
  ['a_union', 'meeting', 'Starling union session', 'planned', 5, ['lena', 'derek'], null, { deals: ['d_starling'], location: 'Chicago', who: 'M' }],
  ['a_luc', 'call', 'Luc multi-year terms', 'completed', -10, ['luc'], 'Luc needs his board for anything longer than a year.', { deals: ['d_redshore'], who: 'I', mins: 20 }],
  ['a_fiona', 'call', 'Fiona audit trail questions', 'completed', -12, ['fiona'], 'She wants exports of every view and edit, kept for seven years.', { deals: ['d_grey'], who: 'P', mins: 45 }],
  ['a_greypres', 'meeting', 'Greyfriars final presentation', 'planned', 13, ['ian', 'fiona'], null, { deals: ['d_grey'], location: 'Edinburgh', who: 'P' }],
  ['a_siobhan', 'call', 'Siobhán status', 'completed', -3, ['siobhan'], 'Pickets still at the gate. She asked us to come back in a month.', { deals: ['d_dunmore'], who: 'I', mins: 10 }],
  ['a_marisol', 'call', 'Marisol paperwork', 'completed', -6, ['marisol'], 'Their lawyer has the BAA, two small edits.', { deals: ['d_oldbridge'], who: 'M', mins: 15 }],
  ['a_fennmap', 'meeting', 'Fennimore data mapping workshop', 'completed', -16, ['gus', 'norah'], 'Walked through the fields. Class year is stored in three different places.', { deals: ['d_fenn'], location: 'Madison', who: 'I' }],
  ['a_norah', 'call', 'Norah budget sign-off', 'planned', 4, ['norah'], null, { deals: ['d_fenn'], who: 'I' }],
  ['a_tobias', 'call', 'Tobias rate limits', 'completed', -13, ['tobias'], 'Explained batching. He will rewrite the importer. Support ticket #48213 can be closed.', { deals: ['d_kestrel'], who: 'P', mins: 30 }],
  ['a_elena', 'call', 'Elena erasure requests', 'completed', -15, ['elena'], 'Explained our process for deletion certificates; she was relieved.', { deals: ['d_sanvito'], who: 'I', mins: 25 }],
  ['a_sanvito', 'meeting', 'San Vito kickoff', 'planned', 21, ['ramon', 'elena'], null, { deals: ['d_sanvito'], location: 'Madrid', who: 'I' }],
  ['a_giulia', 'call', 'Giulia about translations', 'completed', -18, ['giulia'], 'She offers two store managers to proofread.', { deals: ['d_aurelia'], who: 'P', mins: 20 }],
  ['a_teresa', 'call', 'Teresa farewell', 'completed', -2, ['teresa'], 'Thanked her. She recommends getting close to Rui early, he only looks at payback time.', { who: 'I', mins: 15 }],
  ['a_rui', 'meeting', 'Halcyon renewal talk with Rui', 'planned', 6, ['rui'], null, { deals: ['d_halcyonren'], location: 'Lisbon', who: 'I' }],
  ['a_claire', 'call', 'Claire add-on', 'completed', -5, ['claire'], 'Eleven more vessels from January. Crew lists must be printable.', { deals: ['d_mistral'], who: 'M', mins: 20 }],
  ['a_yusuf', 'call', 'Yusuf licence count', 'completed', -4, ['yusuf'], null, { deals: ['d_hexseat'], outcome: 'Will order before the month is out', who: 'P', mins: 10 }],
  ['a_dinner', 'meeting', 'Dinner with Yusuf and Anja', 'planned', 8, ['yusuf', 'anja'], 'Table for three at eight.', { location: 'Restaurant Nobelhart, Berlin', who: 'P' }],
  ['a_kat', 'call', 'Katarzyna notice period', 'completed', -21, ['katarzyna'], 'She wants a break clause instead. Not hostile, just new.', { deals: ['d_amberren'], who: 'M', mins: 30 }],
  ['a_amberqbr', 'meeting', 'Amberline QBR', 'completed', -35, ['piotr', 'katarzyna'], 'Usage up 18 percent. Piotr plans a Krakow call centre with 60 agents.', { location: 'Warsaw', who: 'M' }],
  ['a_paul', 'call', 'Paul Northrop retest', 'completed', -9, ['paul'], 'Retest passed. Single sign-on live for all branches.', { deals: ['d_northren'], who: 'I', mins: 15 }],
  ['a_melissa', 'call', 'Melissa usage worries', 'completed', -17, ['melissa'], 'Kyle prefers the tool from his old job. Melissa gives us until new year to win him over.', { deals: ['d_cobaltren'], who: 'I', mins: 30 }],
  ['a_rescue', 'meeting', 'Cobalt rescue plan', 'planned', 1, ['melissa', 'kyle'], null, { deals: ['d_cobaltren'], who: 'I' }],
  ['a_sandra', 'call', 'Sandra workshop dates', 'completed', -6, ['sandra'], 'First week of December suits, showroom closed to the public then.', { deals: ['d_calltrain'], who: 'P', mins: 10 }],
  ['a_ed', 'call', 'Ed bounced invoice', 'completed', -25, ['ed'], 'Resent with the right reference, he booked it while we were on the line.', { who: 'P', mins: 5 }],
  ['a_joost', 'call', 'Joost apology', 'completed', -1, ['joost'], 'Took it calmly. Expects a written explanation and something off the next bill.', { who: 'M', mins: 20 }],
  ['a_rca', 'meeting', 'Brightwater root cause review', 'planned', 4, ['joost', 'sanne'], null, { who: 'M' }],
  ['a_wanjiru', 'call', 'Wanjiru go-live', 'completed', -3, ['wanjiru'], 'She accepts the new date but wants two people of ours on site.', { who: 'I', mins: 20 }],
  ['a_daniel', 'call', 'Daniel hardware', 'completed', -8, ['daniel'], 'Scanners arrived, one of twelve broken.', { who: 'I', mins: 10 }],
  ['a_rebecca', 'call', 'Rebecca reference request', 'completed', -27, ['rebecca'], 'Said yes to two calls a quarter, not more.', { who: 'I', mins: 10 }],
  ['a_pineqbr', 'meeting', 'Pinegrove QBR', 'completed', -22, ['rebecca', 'nadine'], 'All green.', { location: 'Portland', who: 'I' }],
  ['a_pete', 'call', 'Pete Kowalczyk intro', 'completed', -12, ['pete'], 'Installers quote from the van. Twenty users at first.', { deals: ['d_solano'], who: 'I', mins: 20 }],
  ['a_meilin', 'call', 'Mei Lin plans', 'completed', -19, ['meilin'], 'Her franchise partner has a say in all systems.', { deals: ['d_tamarind'], who: 'M', mins: 15 }],
  ['a_ray', 'email', 'Ping to Ray Delacroix', 'completed', -26, ['ray'], 'No answer so far.', { deals: ['d_sable'], who: 'P' }],
  ['t_soc2', 'task', 'Send SOC 2 report to Graham Pell', 'planned', -2, ['graham'], null, { deals: ['d_tessera'], priority: 'high', who: 'I' }],
  ['t_paxton', 'task', 'Chase Paxton invoices', 'planned', -5, ['amy'], null, { who: 'P', priority: 'medium' }],
  ['t_rca', 'task', 'Draft root cause document for Brightwater', 'in_progress', 2, ['joost'], null, { who: 'M', priority: 'high' }],
  ['t_deck', 'task', 'Prepare Greyfriars deck', 'planned', 10, ['ian'], null, { deals: ['d_grey'], who: 'P' }],
  ['t_battle', 'task', 'Update battlecard Pipewise', 'planned', -12, [], 'Their new pricing page is out.', { who: 'P', priority: 'low' }],
  ['t_bea', 'task', 'Ask Bea about the connector', 'planned', -1, ['declan'], null, { deals: ['d_dunmore'], who: 'I' }],
  ['t_flights', 'task', 'Book flights to Perth', 'planned', 6, [], null, { deals: ['d_ironbark'], who: 'M' }],
  ['t_ariba', 'task', 'Register on Ariba', 'planned', 3, ['lucinda'], null, { who: 'M' }],
  ['t_order', 'task', 'Order form to Victor', 'planned', 0, ['victor'], null, { deals: ['d_tessera'], priority: 'high', who: 'I' }],
  ['t_nda', 'task', 'Renew Halcyon NDA', 'cancelled', -10, ['rui'], null, { who: 'I' }],
  ['t_dpa', 'task', 'Send DPA to Elena Castellanos', 'completed', -14, ['elena'], null, { who: 'I' }],
  ['t_sample', 'task', 'Upload Fennimore sample', 'completed', -15, ['gus'], null, { who: 'I' }],
  ['t_case', 'task', 'Write Halcyon case study', 'planned', 30, [], null, { companies: ['halcyon'], who: 'I', priority: 'low' }],
  ['t_dupes', 'task', 'Collect alumni duplicates list', 'planned', 7, ['gus'], null, { deals: ['d_fenn'], who: 'I' }],
  ['t_quote', 'task', 'Quote three-year price for Starling', 'planned', 1, ['derek'], null, { deals: ['d_starling'], priority: 'urgent', who: 'M' }],
  ['t_harriet', 'task', 'Call back Harriet Bloom', 'planned', -4, ['harriet'], 'She rang twice.', { priority: 'high', who: 'P' }],
  ['t_italian', 'task', 'Find Italian translator', 'planned', 14, ['giulia'], null, { who: 'P' }],
  ['t_quillon', 'task', 'Clean up Quillon records', 'planned', null, [], null, { companies: ['quillon'], priority: 'low', who: 'M' }],
  ['t_baa', 'task', 'Get BAA countersigned', 'planned', -3, ['marisol'], null, { deals: ['d_oldbridge'], priority: 'urgent', who: 'M' }],
  ['t_webinar', 'task', 'Invite Solano to webinar', 'completed', -11, ['pete'], null, { who: 'I' }],
]
const employers = (people: readonly string[]): string[] => [
  ...new Set(people.map(key => contacts.find(one => one.key === key)!.company!)),
]
/** Tasks are due on their day; everything else begins at some hour of it. */
const when = (type: Activity['type'], on: string | null, minutes: number, i: number) => {
  if (type === 'task') return { due_date: on }
  const hour = String(8 + (i % 8)).padStart(2, '0')
  const at = (minute: number) => `${on}T${hour}:${String(minute).padStart(2, '0')}:00.000Z`
  return { start_at: at(0), end_at: at(type === 'meeting' ? 50 : minutes) }
}
export const activities: readonly Activity[] = ACTIVITIES.map(
  ([key, type, subject, status, offset, people, description, { mins = 15, ...more }], i) => {
    const on = offset === null ? null : workday(offset)
    return {
      key,
      type,
      subject,
      status,
      day: on,
      contacts: people,
      companies: employers(people),
      deals: [],
      description,
      ...when(type, on, mins, i),
      ...more,
    }
  },
)
