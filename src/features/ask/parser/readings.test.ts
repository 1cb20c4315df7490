/**
 * What the parser reads of questions that the rules do not read. It is a trained model, so it need not read every one of
 * them: how many it must is stated, and what it does not read is told.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { endLocalModels, localEmbedder } from '../../../ai/local-embedder.ts'
import { answerTo } from '../answer.ts'
import { decide, type Models, parsedFor } from '../decide.ts'
import { glassWorld } from '../testing/glass-world.testing.ts'
import { liftWorld } from '../testing/lift-world.testing.ts'
import type { Memory } from '../testing/memory.testing.ts'
import { smallWorld } from '../testing/small-world.testing.ts'
import { inMemory } from '../testing/wordings.testing.ts'
import { understand } from '../understand/index.ts'

type Read = readonly (readonly [question: string, reading: string])[]
type NeverRead = readonly (readonly [question: string, other: RegExp])[]

const ONLY_FLOAT = 'list companies: Glass used is Float and no other'
const AMOUNT = 'whether the amount: deal'
const OTHERS = 'list contacts: not (contact Olga Stern), with companies (contact Olga Stern)'

const SMALL: Read = [
  [
    'of our German accounts, which one employs the most',
    'list companies: country is Germany; highest number of employees first; only the first one',
  ],
  ['deals, leave the lost ones out', 'list deals: not (status is lost)'],
  ['non-German accounts', 'list companies: not (country is Germany)'],
  ['non-Norwegian firms, hm', 'list companies: not (country is Norway)'],
  ['hm, firms with some other status than customer', 'list companies: not (status is customer)'],
  ['firms where we know no one, hm', 'list companies: with no contacts'],
  [
    'How many people do our German firms employ, hm?',
    'sum of number of employees of companies: country is Germany',
  ],
  [
    "How much is open if Acme isn't counted?",
    'sum of amount of deals: status is open, not (company Acme Corp)',
  ],
  ['which open deals top 10k, hm', 'list deals: amount over 10000, status is open'],
  ["Which tasks should have been done but weren't?", 'list activities: overdue, type is task'],
  [
    'Is there a deal open in Germany, and if so which one?',
    'list deals: status is open, company country is Germany',
  ],
  [
    'hm, who have we had a call with so far this year',
    'list contacts: with activities (date it took place from 2026-01-01, date it took place before 2026-11-18, status is completed, type is call)',
  ],
  [
    'hm, who do we know at companies where a deal is open',
    'list contacts: with companies (with deals (status is open))',
  ],
  ['firm with more deals than any other, hm', 'list companies; most deals first; only the first one'],
  [
    'open deals of 2k at least and no more than 8k, hm',
    'list deals: amount at least 2000, amount at most 8000, status is open',
  ],
  ['hm, what is no longer on sale', 'list products: active is no'],
  ['firms without a deal running', 'list companies: with no deals (status is open)'],
  [
    'how high is our win rate in Germany, overall',
    'win rate of deals: status is won or lost, company country is Germany',
  ],
  ['deals in negotiaton, what are they worth', 'sum of amount of deals: stage is Negotiation'],
  [
    'Acme renewal vs Initech audit: does Acme have the higher value?',
    'whether the amount: deal Acme renewal more than deal Initech audit',
  ],
  ['acme renewal next step pls', 'next step of deals: deal Acme renewal'],
  ['folks at Acme, their mail addresses', 'email of contacts: company Acme Corp'],
  [
    'is there anybody we must not contact at Initech? give the name',
    'whether there are contacts: must not be contacted, company Initech',
  ],
  [
    'who are the colleagues of Ann Smith',
    'list contacts: not (contact Ann Smith), with companies (contact Ann Smith)',
  ],
  [
    'difference in dollars between the Acme renewal and the Initech audit',
    'compare the amount: deal Acme renewal with deal Initech audit',
  ],
  ['for which firms is the number of employees not filled in', 'list companies: without number of employees'],
  ['Would you mind checking whether Ann Smith has an email on file?', 'email of contacts: contact Ann Smith'],
  ['which product do we not sell anymore', 'list products: active is no'],
  [
    'what is the gap between our biggest and our smallest won deal, in money',
    'difference between the largest and the smallest amount of deals: status is won',
  ],
  [
    'hm, what share of the accounts sits in Germany would you say',
    'share of companies: country is Germany among companies',
  ],
  [
    'our biggest open deal, its next step pls',
    'next step of deals: status is open; highest amount first; only the first one',
  ],
  ['German firms that just arent customers', 'list companies: country is Germany, not (status is customer)'],
  [
    'what do we weight the open pipeline at, in all',
    'sum of amount weighted by probability of deals: status is open',
  ],
  [
    'what have leads from a webinar in oslo as phone',
    'phone of contacts: city is Oslo, lead source is webinar, status is lead',
  ],
]

const SMALL_NEVER: NeverRead = [
  // the quarter was taken for a word to group by, and then dropped
  ['hm, won this quarter so far?', /deals: status is won$/],
  ['what do we have on average in open deals, hm', /^(?!average)/],
  ['hm how many audits did we count', /^list/],
  ['firms which only lost deals have, nothing else', /^list companies: with deals \(status is lost\)$/],
  ['hm which firms have only lost deals', /^list companies: with deals \(status is lost\)$/],
  ['hm how many audits did we count', /^number of deals: deal Initech audit$/],
  ['the smallest firm by employees with an open deal, hm', /lowest amount first/],
  ['hm deals with a close date before 2027', /^number of deals.*; by/],
  ['open deals. Where do they sit?', /^list deals/],
  ['average amount of a deal, hm, all statuses', /; by status/],
  ['hm, in which country did we win the most this year', /; by year|deals: .*date created/],
  ['firms in Germany, hm, by country', /^number of companies.*; by country/],
  ['hm which is worth more, Acme renewal or Initech audit', /^compare the number of deals: deal/],
  ['hm firms with more than 100 employees, employees', /^sum of number of employees of companies: number/],
  ['unsigned firms, hm', /^list companies$/],
  ['hm Mia, open ones', /^sum of amount of deals: (?!.*status)/],
  ['hm, difference between the largest and the second largest open deal', /^list/],
  ['are all of them in Proposal, the open deals, hm', /^whether there are/],
  // one deal that is both, not one and another
  ['hm firms that bought something for more than 10k', /with deals \(amount over 10000\), with deals/],
  // one figure for each
  ['hm how much has each colleague won so far', /^sum of [^;]*$/],
  // others than those who are named are not asked for
  ['hm why didn t the Acme renewal work', /not \(deal/],
  ['hm, firms nobody has had a completed call with', /not \(status is completed\)/],
  // what is said in two words, or with "only", is said of the question
  ['In 2025, did we lose anything? Hm.', /^whether there are deals: status is lost$/],
  ['only what is decided: won how much, in money?', /deals: status is won$/],
  ['which firms belong to Acme, hm', /^list companies: company Acme Corp$/],
  // the largest deal need not be in the largest pipeline
  ['hm which country has got the biggest pipeline', /^company country of deals: status is open; highest/],
  ['Norwegian deals, any stage, above 4,000 dollars, hm', /^whether/],
  // the stage of a deal that is named is not asked for by its value
  ['hm what is the Acme renewal in Proposal', /^stage of deals: .*stage is Proposal/],
]

const LIFTS: Read = [
  // a figure beside a field is its value
  ['companies with 8 cabins', 'list companies: Cabins is 8'],
  ['hm, cabins 8, which firms', 'list companies: Cabins is 8'],
  // people speak it, and companies are there
  [
    'which of our Italian companies have an open deal',
    'list companies: country is Italy, with deals (status is open)',
  ],
  // amounts
  ['hm, what is open and below 50%', 'list deals: probability under 50, status is open'],
  ['over 20 % and open, which are these', 'list deals: probability over 20, status is open'],
  ['firms turning over less than a million a year', 'list companies: annual revenue under 1000000'],
  ['hm, who makes more than 1 200 000 per year', 'list companies: annual revenue over 1200000'],
  // what deals would bring that are not decided yet
  ['if every open deal came in, how much is that', 'sum of amount of deals: status is open'],
  [
    'how many crew days if everything in proposal goes through',
    'sum of Crew days of deals: stage is Proposal',
  ],
  ['hm, if we win every deal, what do we get', 'sum of amount of deals: status is open'],
  ['how much cash could we land if all deals hit', 'sum of amount of deals: status is open'],
  ['for what is open, how many crew days would we need', 'sum of Crew days of deals: status is open'],
  ['If I add up the crew days of all won deals, what do I get?', 'sum of Crew days of deals: status is won'],
  [
    'Alba: won and open together, how many euros is that',
    'sum of amount of deals: status is won or open, company Hotel Alba',
  ],
  ['crew days altogether: won, lost, open', 'sum of Crew days of deals'],
  // dates that have passed or are still to come
  ['Whose permit has already run out?', 'list companies: Permit until before 2026-11-17'],
  ['hm, permits no longer valid', 'list companies: Permit until before 2026-11-17'],
  ['which permits are still in force', 'list companies: Permit until from 2026-11-17'],
  ['whose permit hasn t expired, hm', 'list companies: Permit until from 2026-11-17'],
  ['people at firms whose permit is over', 'list contacts: company Permit until before 2026-11-17'],
  [
    'which work starts next',
    'list deals: Work start from 2026-11-17; lowest Work start first; only the first one',
  ],
  [
    'of the valid permits, whose runs out first',
    'list companies: Permit until from 2026-11-17; lowest Permit until first; only the first one',
  ],
  [
    'hm, whose permit runs out before February',
    'list companies: Permit until from 2026-11-17, Permit until before 2027-02-01',
  ],
  [
    'work that starts before year end, still ahead of us',
    'list deals: Work start from 2026-11-17, Work start before 2027-01-01',
  ],
  ['born in the eighties, who', 'list contacts: birthday from 1980-01-01, birthday before 1990-01-01'],
  [
    'January 2027: whose permit ends in that month?',
    'list companies: Permit until from 2027-01-01, Permit until before 2027-02-01',
  ],
  [
    'deals not closed although the expected date is behind us',
    'list deals: expected close date before 2026-11-17, status is open, not (status is won or lost)',
  ],
  [
    'my to-dos, the due date has passed',
    'list activities: assignee is me, due date before 2026-11-17, status is planned or in_progress, type is task',
  ],
  [
    'hm, firms with a turnover of 500k-1m',
    'list companies: annual revenue at least 500000, annual revenue at most 1000000',
  ],
  // what is filled in, and what is no
  ['hm, deals with crew days filled in', 'list deals: with Crew days'],
  ['firms where insured was never ticked or unticked', 'list companies: without Insured'],
  ['one deal has no crew days planned, what is it called', 'list deals: without Crew days'],
  ['firms with insured filled in, hm', 'list companies: with Insured'],
  ['firms that are not insured, explicitly no', 'list companies: Insured is no'],
  ['insured: written no. Which firms?', 'list companies: Insured is no'],
  [
    'hm, where is the phone or the website missing, firms',
    'list companies: without phone or without website',
  ],
  // fields and values in other words
  ['Saint-Cyr: how many cabins', 'Cabins of companies: company Saint-Cyr Flats'],
  ['hm, people whose title is owner', 'list contacts: job title is Owner'],
  ['Alba cabins, the WS please', 'Work start of deals: deal Alba cabins'],
  [
    'hm, whom have we sat down with in October',
    'list contacts: with activities (type is meeting, date from 2026-10-01, date before 2026-11-01)',
  ],
  ['who don t want to get emails any more', 'list contacts: opted out of email'],
  ['hm, who turned off our newsletters', 'list contacts: opted out of email'],
  ['whom is it forbidden to call', 'list contacts: must not be contacted'],
  ['site managers. Where do they work?', 'company of contacts: job title is Site Manager'],
  ['hm, PBs', 'list contacts: job title is Principal Buyer'],
  ['banks we know, hm', 'list companies: industry is Banking'],
  [
    'who employs more people, Alba or Nord',
    'compare the number of employees: company Hotel Alba with company Banca Nord',
  ],
  ['todos that I did not make in time', 'list activities: overdue, type is task'],
  // "but hasn't" says nothing more
  [
    'hm, work that should have closed but hasn t',
    'list deals: expected close date before 2026-11-17, status is open',
  ],
  ['totals of the open deals by stage, hm', 'sum of amount of deals: status is open; by stage'],
  // what is said of which records, and of when
  [
    'open deals times their probability, hm',
    'sum of amount weighted by probability of deals: status is open',
  ],
  [
    'won crew days in all, September 2026',
    'sum of Crew days of deals: date closed from 2026-09-01, date closed before 2026-10-01, status is won',
  ],
  ['work of which the crew days go beyond 10', 'list deals: Crew days over 10'],
  ['monthly-billed articles, hm', 'list products: billing period is monthly'],
]

const LIFTS_NEVER: NeverRead = [
  // what would be on another condition, or of other deals
  ['how much would we have if every open deal was half the size', /./],
  ['if everything in proposal falls through, how much do we lose', /./],
  ['how much if every lost deal had come in', /./],
  ['how many deals could we lose', /./],
  ['if every open deal came in, which firms would be customers', /^list/],
  ['how many euros is that, won', /^number/],
  // "not" is said of what follows it, and of nothing after that
  ['Who makes above a million a year but isn t in banking?', /industry is Banking(?!\))/],
  ['non-Martian hotels with a permit', /not \(/],
  ['non-customers with a revenue over 500k', /not \(annual revenue/],
  ['deals that haven t been won or lost, hm', /or not \(/],
  ['which firms have no deal, won ones included', /status is won/],
  ['firms that have insured = no', /^list companies: not \(Insured/],
  // what is asked of all of them
  ['firms where we won every deal', /^list companies: with deals \(status is won\)$/],
  ['hm, firms whose deals were all lost', /^list companies: with deals \(status is lost\)$/],
  ['our hotels: have we won every one?', /^(?:list|whether there)/],
  ['firms with wins and losses alike', /won or lost/],
  // other records or figures than those that are asked for
  ['a deal is open there: who do we know at that firm?', /^list companies/],
  ['people, hm, at firms with a won deal', /^list contacts: with companies, /],
  ['probability of the open deals summed up', /^sum of probability/],
  ['top plumber by won amount', /./],
  ['where does Ada work, hm', /^job title/],
  ['crew days of work closing in 2027 minus 2026', /^sum/],
  // one of several things is not all of them
  ['which deals have no planned call, meeting or task, hm', /type is call\)$/],
  // "how many deals" is no sum of them
  ['how many won deals do we have alltogether', /^sum/],
  // a department is no country
  ['everyone from the HR department', /Croatia/],
  // what is over is not said of another date, or of none
  ['firms with a year of more than a hundred cabins', /annual revenue/],
]

const GLASS: Read = [
  // no other choice
  ['firms with only float glass, hm', ONLY_FLOAT],
  ['which firms go just for float', ONLY_FLOAT],
  ['hm, which firms are float only', ONLY_FLOAT],
  ['hm, firms that take float and nothing else', ONLY_FLOAT],
  ['firms that take nothing but float, hm', ONLY_FLOAT],
  ['hm, firms with float as their only glass', ONLY_FLOAT],
  ['firms that use only float and no other glass', ONLY_FLOAT],
  [
    'firms that use float and tinted and nothing else',
    'list companies: Glass used is Float and no other, Glass used is Tinted and no other',
  ],
  // every outcome
  ['deals of Bellow Doors, hm, open, won and lost together', 'list deals: company Bellow Doors'],
  ['hm, deals of Bellow Doors, whatever their stage', 'list deals: company Bellow Doors'],
  ['hm, deals of Bellow Doors including the lost ones', 'list deals: company Bellow Doors'],
  ['how many deals of Bellow Doors, no matter if won, lost or open', 'number of deals: company Bellow Doors'],
  ['deals of Bellow Doors, hm, dead or alive', 'list deals: company Bellow Doors'],
  ['hm, what are won and open deals worth together', 'sum of amount of deals: status is won or open'],
  [
    'won plus open together, how many euros is that',
    'sum of amount of deals: currency is EUR, status is won or open',
  ],
  // without others
  [
    'hm, firms nobody has planned anything for',
    'list companies: with no activities (status is planned or in_progress)',
  ],
  [
    'hm, firms we have something planned with',
    'list companies: with activities (status is planned or in_progress)',
  ],
  [
    'firms nobody has called, met or mailed, hm',
    'list companies: with no activities (type is call or meeting or email)',
  ],
  [
    'hm, firms with no calls, meetings or tasks',
    'list companies: with no activities (type is call or meeting or task)',
  ],
  [
    'hm, firms we never logged a call, email or task for',
    'list companies: with no activities (type is call or email or task)',
  ],
  // two that are compared
  [
    'hm, who has more people on staff, Ardent Frames or Bellow Doors',
    'compare the number of employees: company Ardent Frames with company Bellow Doors',
  ],
  ['is Stair panels cheaper than Atrium roof, hm', `${AMOUNT} Atrium roof more than deal Stair panels`],
  [
    'is Atrium roof worth more than Lobby screen and Stair panels put together',
    `${AMOUNT} Atrium roof more than deal Lobby screen or Stair panels`,
  ],
  [
    'are Lobby screen and Stair panels together worth more than Atrium roof',
    `${AMOUNT} Lobby screen or Stair panels more than deal Atrium roof`,
  ],
  [
    'hm, does Ardent Frames have more open deals than Bellow Doors',
    'whether the number of deals: deal Ardent Frames more than deal Bellow Doors',
  ],
  // who else is there
  ['who works where Olga Stern works, not counting herself', OTHERS],
  ['hm, who works together with Olga Stern', OTHERS],
  ['hm, who else works at the company of Olga Stern', OTHERS],
  ['hm, phone numbers of the colleagues of Olga Stern', OTHERS.replace('list', 'phone of')],
  [
    'hm, open deals of the colleagues of Olga Stern',
    'list deals: status is open, with contacts (not (contact Olga Stern), with companies (contact Olga Stern))',
  ],
]

const GLASS_NEVER: NeverRead = [
  ['hm, firms that take float and nothing else', /Float(?! and no other)/],
  ['hm, list only the float firms', /no other/],
  ['hm, how many deals are open, won and lost', /^number of deals$/],
  ['how many deals has Bellow Doors got, no matter if won, lost or open', /status is (?:won|lost|open)/],
  ['is Stair panels cheaper than Atrium roof, hm', /Stair panels more than/],
  ['hm, phone numbers of the colleagues of Olga Stern', /^phone of contacts: contact Olga Stern$/],
  ['hm, how many is Ardent Frames', /^number of companies: company Ardent Frames$/],
]

const local = localEmbedder(undefined)
const models: Models = {
  embed: texts => local.embed(texts, true),
  parse: (question, items) => local.parse?.(question, items) ?? Promise.resolve([]),
}
afterAll(endLocalModels)

async function decided(account: Memory, question: string) {
  const words = await account.words(question)
  const understood = understand(question, words, new Date())
  return decide(question, words, understood, models, async ({ meaning }) =>
    answerTo({ ...words, run: account.run }, meaning).catch(() => undefined),
  )
}

const tested = (read: Read, least: number, never: NeverRead, most: number) => (account: () => Memory) => {
  it(`reads at least ${least} of ${read.length} questions`, async () => {
    const unread: string[] = []
    for (const [question, reading] of read) {
      const words = await account().words(question)
      const readings = await parsedFor(question, words, new Date(), models)
      if (!readings?.some(({ text }) => text === reading)) unread.push(question)
    }
    expect(read.length - unread.length, `unread:\n${unread.join('\n')}`).toBeGreaterThanOrEqual(least)
  })

  it(`is sure of another reading of at most ${most} of ${never.length} questions`, async () => {
    const misread: string[] = []
    for (const [question, other] of never) {
      const decision = await decided(account(), question)
      const text = decision?.isSure ? decision.reading.text : ''
      if (text !== '' && other.test(text)) misread.push(`${question}: ${text}`)
    }
    expect(misread.length, `misread:\n${misread.join('\n')}`).toBeLessThanOrEqual(most)
  })
}

describe('what the parser reads', () => {
  inMemory('of a small account', smallWorld, tested(SMALL, 27, SMALL_NEVER, 4))
  inMemory('of a lift service', liftWorld, tested(LIFTS, 43, LIFTS_NEVER, 2))
  inMemory('of a glass trade', glassWorld, tested(GLASS, 24, GLASS_NEVER, 2))
})
