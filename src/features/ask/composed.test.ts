import { expect, it } from 'vitest'
import { readingsOf } from './readings.ts'
import { inMemory } from './testing/wordings.testing.ts'
import { day, type Writer } from './testing/writer.testing.ts'

/** A lift service whose account has fields of each type: dates that pass, a flag, numbers to add up. */
async function lifts(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const field = (entity_type: string, name: string, field_type: string) =>
    to.create('/api/custom-fields', {
      entity_type,
      name,
      key: name.toLowerCase().replaceAll(' ', '_'),
      field_type,
    })
  await field('company', 'Permit until', 'date')
  await field('company', 'Insured', 'boolean')
  await field('company', 'Cabins', 'number')
  await field('deal', 'Crew days', 'number')
  await field('deal', 'Work start', 'date')
  const company = (name: string, permit: number, more: object, own: object = {}) =>
    to.create('/api/companies', { name, ...more, metadata: { permit_until: day(permit), ...own } })
  const hotel = await company(
    'Hotel Alba',
    -20,
    { industry: 'Hotels', annual_revenue: 900_000, country: 'Italy' },
    { insured: true, cabins: 8 },
  )
  const bank = await company(
    'Banca Nord',
    40,
    { industry: 'Banking', annual_revenue: 5_000_000 },
    { insured: false },
  )
  const deal = (name: string, stage: string, company_id: string, more: object) =>
    to.create('/api/deals', { name, stage, company_id, amount: 5000, currency: 'EUR', ...more })
  await deal('Alba cabins', 'Proposal', hotel, {
    probability: 30,
    metadata: { crew_days: 12, work_start: day(9) },
  })
  await deal('Nord doors', 'Won', bank, { metadata: { crew_days: 4, work_start: day(-9) } })
  const person = (first_name: string, job_title: string, company_id: string) =>
    to.create('/api/contacts', {
      first_name,
      last_name: 'Rossi',
      company_id,
      job_title,
      birthday: '1984-05-02',
      language: 'Italian',
    })
  await person('Ada', 'Site Manager', hotel)
  await person('Bea', 'Principal Buyer', bank)
  await person('Cleo', 'Owner', await company('Saint-Cyr Flats', 90, {}))
}

inMemory('composed readings', lifts, account => {
  const textsOf = async (question: string) =>
    readingsOf(question, await account().words(question), new Date()).map(({ text }) => text)

  it.each([
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
    [
      'If I add up the crew days of all won deals, what do I get?',
      'sum of Crew days of deals: status is won',
    ],
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
  ])('%s', async (question, reading) => {
    expect((await textsOf(question)).slice(0, 8)).toContain(reading)
  })

  it.each([
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
  ])('does not read otherwise: %s', async (question, other) => {
    expect((await textsOf(question)).filter(text => other.test(text))).toEqual([])
  })

  it.each([
    // "runs out" is an end, and does not say who runs something
    ['whose permit runs out before next summer', 'list companies: Permit until before 2027-06-01'],
    ['hm, show whatever s open and in proposal', 'list deals: stage is Proposal'],
  ])('reads every word otherwise: %s', async (question, other) => {
    const readings = readingsOf(question, await account().words(question), new Date())
    expect(readings.filter(({ left }) => left.length === 0).map(({ text }) => text)).not.toContain(other)
  })
})
