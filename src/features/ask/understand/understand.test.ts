import { describe, expect, it } from 'vitest'
import { understand } from './index.ts'
import type { AccountWords, KnownValue } from './leaves.ts'
import { meaningText } from './shorthand.testing.ts'

const VALUES: [phrases: string, ...known: KnownValue[]][] = [
  ...['Germany', 'Norway', 'France'].map((value): [string, ...KnownValue[]] => [
    value.toLowerCase(),
    { kind: 'company', field: 'country', value },
    { kind: 'contact', field: 'country', value },
  ]),
  ['energy', { kind: 'company', field: 'industry', value: 'Energy' }],
  ['retail', { kind: 'company', field: 'industry', value: 'Retail' }],
  ['proposal', { kind: 'deal', field: 'stage_id', value: 'Proposal' }],
  ['negotiation', { kind: 'deal', field: 'stage_id', value: 'Negotiation' }],
  ['customer|customers', { kind: 'company', field: 'status', value: 'customer' }],
  ['lead|leads', { kind: 'contact', field: 'status', value: 'lead' }],
  ['vip', { kind: 'company', field: 'tag', value: 'VIP' }],
  [
    'ann lee',
    { kind: 'deal', field: 'owner_id', value: 'Ann Lee' },
    { kind: 'contact', field: 'owner_id', value: 'Ann Lee' },
  ],
  ['cfo|cfos', { kind: 'contact', field: 'job_title', value: 'CFO' }],
]
const values = new Map(
  VALUES.flatMap(([phrases, ...known]) => phrases.split('|').map(phrase => [phrase, known] as const)),
)
const RECORDS: Record<string, string> = { acme: 'A', globex: 'G' }

const account: AccountWords = {
  values: phrase => values.get(phrase) ?? [],
  records: phrase => (RECORDS[phrase] ? { kind: 'company', ids: [RECORDS[phrase]] } : undefined),
  fields: [],
  me: 'ME',
}
const NOW = new Date('2026-11-17T12:00:00Z')
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
  ])('ends on hostile input: %s', question => {
    expect(() => read(question)).not.toThrow()
  })
})
