import { describe, expect, it } from 'vitest'
import { english } from '../lexicon/index.ts'
import { Memory } from '../testing/memory.testing.ts'
import { account, NOW } from './account.testing.ts'
import { chartOf, MAX_STEPS } from './chart.ts'
import { understand } from './index.ts'
import { leavesOf } from './leaves.ts'
import { RULES } from './rules/index.ts'
import { meaningText } from './shorthand.testing.ts'
import { tokensOf } from './tokens.ts'

const read = (question: string) => understand(question, account, NOW)

describe('the meaning of a question', () => {
  it.each([
    ['deals not from Acme or Globex', 'deal list not some companies[id in A|G]'],
    ['deals from Acme or Globex', 'deal list some companies[id in A|G]'],
    ['are all deals in EUR?', 'every deal list: none of deal list not currency=EUR'],
    ['companies whose deals are all won', 'company list (every deals[status=won] and some deals[any])'],
    ['companies without open deals', 'company list none deals[status=open]'],
    ['deals at companies with fewer than 50 employees', 'deal list some companies[employee_count<50]'],
    [
      'contacts at companies in Germany with more than 100 employees',
      'contact list some companies[(country=Germany and employee_count>100)]',
    ],
    ['how many open deals are not in Proposal?', 'deal count (status=open and not stage.name=Proposal)'],
    ['which companies have no deals?', 'company list none deals[any]'],
    ['companies with more than 2 deals', 'company list count deals[any]>2'],
    [
      'which companies have both open and won deals?',
      'company list (some deals[status=open] and some deals[status=won])',
    ],
    ['neither open nor won deals', 'deal list not status in open|won'],
    [
      'open deals over 10k in Germany or France',
      'deal list (amount>10000 and status=open and some companies[country in Germany|France])',
    ],
    ['deals in Proposal or Negotiation', 'deal list stage.name in Proposal|Negotiation'],
    ['all open deals except those from Acme', 'deal list (status=open and not some companies[id in A])'],
    [
      'which contacts have neither an email nor a phone?',
      'contact list (email is_null true and phone is_null true)',
    ],
    [
      'companies in Energy or Retail without contacts',
      'company list (industry in Energy|Retail and none contacts[any])',
    ],
    [
      'how many of the completed meetings were due in October 2026?',
      'activity count (falls_due_at>=2026-10-01 and falls_due_at<2026-11-01 and status=completed and type=meeting)',
    ],
    ['how many products are there', 'product count'],
    ['products over 100 EUR', 'product list (currency=EUR and unit_price>100)'],
    ['which product is the most expensive?', 'product list order unit_price desc limit 1'],
    ['which open deal is the largest?', 'deal list status=open order amount desc limit 1'],
    ['What is our most expensive product?', 'product list order unit_price desc limit 1'],
    ['do we have any discontinued products?', 'product list active=false'],
    ['which products are not active?', 'product list active=false'],
    ['which products are inactive', 'product list active=false'],
    ['which products are billed monthly or yearly', 'product list billing_period in monthly|yearly'],
    ['average price of products', 'product avg unit_price'],
    ['which products are in open deals', 'product list some deals[status=open]'],
    ['how many products have no deals', 'product count none deals[any]'],
    ['average amount of won deals per country', 'deal avg amount status=won by company.country'],
    ['total value of open deals by owner', 'deal sum amount status=open by owner.name'],
    ['how many contacts are there without an email address?', 'contact count email is_null true'],
    ['deals created last month', 'deal list (created_at>=2026-10-01 and created_at<2026-11-01)'],
    [
      'deals won last year or lost this year',
      'deal list ((closed_at>=2025-01-01 and closed_at<2026-01-01 and status=won) or (closed_at>=2026-01-01 and closed_at<2027-01-01 and status=lost))',
    ],
    ['which deals are neither won nor lost', 'deal list not status in won|lost'],
    ['which companies only have lost deals?', 'company list (every deals[status=lost] and some deals[any])'],
    ['which companies have only won deals?', 'company list (every deals[status=won] and some deals[any])'],
    ['customers that are not in Germany', 'company list (status=customer and not country=Germany)'],
    ['deals over 20000 USD', 'deal list (amount>20000 and currency=USD)'],
    // the name of a currency is no country
    ['which deals are in US dollars', 'deal list currency=USD'],
    ['deals in Swiss francs', 'deal list currency=CHF'],
    ['deals over 5000 Australian dollars', 'deal list (amount>5000 and currency=AUD)'],
    ['how many deals are in CAD', 'deal count currency=CAD'],
    ['show the do-not-contact list', 'contact list do_not_contact=true'],
    ['how many deals are over €10k?', 'deal count (amount>10000 and currency=EUR)'],
    ['deals over 5 lakh', 'deal list amount>500000'],
    ['deals over 2 crore', 'deal list amount>20000000'],
    [
      'companies whose deals are all over 10k',
      'company list (every deals[amount>10000] and some deals[any])',
    ],
    ['deals between 10k and 50k', 'deal list (amount>=10000 and amount<=50000)'],
    ['open deals over 10k but under 50k', 'deal list (amount>10000 and amount<50000 and status=open)'],
    ['the 3 biggest open deals', 'deal list status=open order amount desc limit 3'],
    ['top 5 companies by employees', 'company list order employee_count desc limit 5'],
    ['is every deal in EUR?', 'every deal list: none of deal list not currency=EUR'],
    ['do all companies have a contact?', 'every company list: none of company list not some contacts[any]'],
    ['contacts with deals over 10k', 'contact list some deals[amount>10000]'],
    [
      'who are the CFOs of companies in Norway?',
      'contact list (job_title=CFO and some companies[country=Norway])',
    ],
    [
      'companies with at least one open deal over 10000',
      'company list count deals[(amount>10000 and status=open)]>=1',
    ],
    ['deals owned by Ann Lee that are not open', 'deal list (owner.name=Ann Lee and not status=open)'],
    ['list every deal', 'deal list'],
    ['my open deals', 'deal list (owner_id=ME and status=open)'],
    [
      'leads from companies with open deals in Negotiation',
      'contact list (status=lead and some companies[some deals[(stage.name=Negotiation and status=open)]])',
    ],
    [
      'companies not in Germany and not in France',
      'company list (not country=France and not country=Germany)',
    ],
    [
      'open deals that were created before 2026 or over 20k',
      'deal list (status=open and (amount>20000 or created_at<2026-01-01))',
    ],
    ['companies tagged VIP or in Retail', 'company list (industry=Retail or some tags[name=VIP])'],
  ])('%s', (question, meaning) => {
    const understood = read(question)
    expect(understood && meaningText(understood.meaning)).toBe(meaning)
    expect(understood?.alternatives).toEqual([])
  })

  it.each([
    ['deals with sauna', 'deal list cf.rooms in Sauna'],
    [
      'open deals with both sauna and pool',
      'deal list (cf.rooms in Pool and cf.rooms in Sauna and status=open)',
    ],
    ['deals with sauna or pool', 'deal list (cf.rooms in Pool or cf.rooms in Sauna)'],
    ['sauna only deals', undefined],
    ['deals with sauna only', undefined],
  ])('knows that a deal can have several rooms: %s', (question, meaning) => {
    const rooms = ['Sauna', 'Pool'].map(value => ({
      ...{ kind: 'deal', field: 'cf.rooms', value },
      isOneOfMany: true as const,
    }))
    const values = (phrase: string) => {
      const named = rooms.filter(({ value }) => value.toLowerCase() === phrase)
      return named.length > 0 ? named : account.values(phrase)
    }
    const understood = understand(question, { ...account, values }, NOW)
    expect(understood && meaningText(understood.meaning)).toBe(meaning)
  })

  it.each([
    ['deals with sauna', ['Club', 'Spa']],
    ['deals with both sauna and pool', ['Spa']],
    ['deals with sauna or pool', ['Baths', 'Club', 'Spa']],
    ['deals with sauna only', undefined],
  ])('does not take a choice for one whose name it is part of: %s', async (question, names) => {
    const memory = new Memory()
    const field = { entity_type: 'deal', name: 'Rooms', key: 'rooms', field_type: 'multi_select' }
    await memory.create('/api/custom-fields', field)
    for (const [name, rooms] of [
      ['Spa', ['Sauna', 'Pool']],
      ['Club', ['Sauna']],
      ['Baths', ['Pool', 'Sauna tent']],
    ] as const)
      await memory.create('/api/deals', { name, stage: 'Proposal', metadata: { rooms } })
    expect((await memory.answer(question))?.citations.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    [['AUD'], 'AUD'],
    [['AUD', 'EUR'], 'AUD'],
    [['AUD', 'USD'], 'USD'],
    [['AUD', 'CAD'], 'USD'],
    [['EUR'], 'USD'],
  ])('takes dollars for those of the account: deals in %s', async (currencies, dollar) => {
    const memory = new Memory()
    for (const currency of currencies)
      await memory.create('/api/deals', { name: 'Hall', stage: 'Proposal', amount: 9000, currency })
    for (const question of ['deals over 4000 dollars', 'deals over $4000', 'deals in dollars']) {
      const understood = await memory.understand(question)
      expect(understood && meaningText(understood.meaning)).toContain(`currency=${dollar}`)
    }
    const american = await memory.understand('deals over 4000 US dollars')
    expect(american && meaningText(american.meaning)).toContain('currency=USD')
  })

  it('takes a phrase that names a field of the account for that field', () => {
    const manager = { kind: 'deal', key: 'cf.manager', label: 'Account manager', type: 'text' } as const
    const textOf = (fields: (typeof manager)[]) => {
      const understood = understand('open deals without an account manager', { ...account, fields }, NOW)
      expect(understood?.alternatives).toEqual([])
      return understood && meaningText(understood.meaning)
    }
    expect(textOf([manager])).toBe('deal list (cf.manager is_null true and status=open)')
    expect(textOf([])).toBe('deal list (owner_id is_null true and status=open)')
  })

  it.each([
    'deals we could lose',
    'would we win if we lowered prices?',
    'what if we lost Acme?',
    'deals that might close this month',
    'the weather in Germany',
  ])('has none for: %s', question => {
    expect(read(question)).toBeUndefined()
  })

  it.each([
    'open '.repeat(39).trim(),
    `deals ${'or open '.repeat(19)}`.trim(),
    `companies ${'with deals at companies '.repeat(9)}`.trim(),
    `deals not ${'not '.repeat(37)}open`,
    'x'.repeat(1000),
    `companies in ${'Germany or '.repeat(17)}France`,
    `how many ${'open won lost deals '.repeat(9)}`.trim(),
  ])('does a bounded amount of work on hostile input: %s', question => {
    const tokens = tokensOf(question)
    const leaves = leavesOf(tokens, english, account, NOW)
    const { steps, edges } = chartOf(tokens.length, leaves, RULES)
    // an edge is at most a step, and one step may finish after the limit
    expect(steps).toBeLessThanOrEqual(2 * MAX_STEPS)
    expect(edges.length).toBeLessThanOrEqual(leaves.length + MAX_STEPS)
    expect(() => read(question)).not.toThrow()
  })

  it('does not read more than 40 words or 1,000 characters without spaces', () => {
    expect(read(`deals ${'or open '.repeat(30)}`)).toBeUndefined()
    expect(read('x'.repeat(1000))).toBeUndefined()
  })
})
