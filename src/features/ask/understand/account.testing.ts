/** The words of a small account for tests of the parser, without a database. */
import type { AccountWords, KnownValue } from '../account/account-words.ts'

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
    { kind: 'activity', field: 'assignee_id', value: 'Ann Lee' },
  ],
  ['cfo|cfos', { kind: 'contact', field: 'job_title', value: 'CFO' }],
]
const values = new Map(
  VALUES.flatMap(([phrases, ...known]) => phrases.split('|').map(phrase => [phrase, known] as const)),
)
const RECORDS: Record<string, string> = { acme: 'A', globex: 'G' }

export const account: AccountWords = {
  values: phrase => values.get(phrase) ?? [],
  records: phrase =>
    RECORDS[phrase] ? { kind: 'company', ids: [RECORDS[phrase]], names: [phrase] } : undefined,
  near: () => [],
  fields: [],
  isUsed: () => true,
  loose: [],
  known: [],
  dollar: 'USD',
  me: 'ME',
}

export const NOW = new Date('2026-11-17T12:00:00Z')
