/** What is asked of the records, in many wordings: `{n}` is the noun, `{s}` what is said of it. */
import type { FieldMeaning } from '../../../../src/features/ask/understand/meaning.ts'
import type { Condition, Measure, Query } from '../../../../src/features/records/query/spec.ts'
import { below, pick, random } from './random.ts'

export interface Head {
  words: (noun: string, such: string) => string
  measure: Measure
  more?: Partial<Query>
  show?: FieldMeaning
  isYesNo?: true
  isNumber?: true
  /** a condition that goes without saying */
  also?: Condition
}
const head = (measure: Measure, more: Omit<Head, 'words' | 'measure'>, ...wordings: string[]): Head => ({
  words: (noun, such) => pick(wordings).replace('{n}', noun).replace('{s}', such),
  measure,
  ...more,
})
export const LIST: Measure = { kind: 'list' }
const text = (entity: FieldMeaning['entity'], field: string): FieldMeaning => ({
  entity,
  field,
  type: 'text',
})

/** What records are counted and added up by. */
const GROUPS: Record<string, [field: string, ...words: string[]][]> = {
  deal: [
    ['stage.name', 'stage', 'step of the pipeline'],
    ['owner.name', 'owner', 'colleague'],
    ['company.name', 'company', 'customer', 'client'],
    ['company.country', 'country'],
    ['company.industry', 'industry', 'trade'],
    ['lead_source', 'source', 'lead source', 'channel'],
    ['lost_reason', 'lost reason', 'reason for losing'],
    ['deal_type', 'type', 'kind of deal'],
  ],
  company: [
    ['country', 'country'],
    ['city', 'city', 'town'],
    ['industry', 'industry', 'sector', 'line of business'],
    ['status', 'status'],
  ],
  contact: [
    ['company.name', 'company', 'firm'],
    ['department', 'department'],
    ['job_title', 'job title', 'role'],
    ['language', 'language'],
    ['company.country', 'country'],
  ],
  activity: [
    ['type', 'type', 'kind'],
    ['assignee.name', 'assignee', 'colleague'],
    ['status', 'status'],
  ],
}

/** A figure for each group, the group with the largest or smallest, and the number of groups. */
function groupHeads(entity: string): Head[] {
  const [field, ...names] = pick(GROUPS[entity] ?? [])
  const group = pick(names)
  const filled: Condition = { field, op: 'is_null', value: false }
  const group_by = [{ field }]
  const first = (direction: 'asc' | 'desc') => ({
    also: filled,
    more: { group_by, order: [{ by: 'measure', direction }], limit: 1 },
  })
  const isMoney = entity === 'deal'
  const money: Measure = { kind: 'sum', field: 'amount' }
  return [
    head(
      { kind: 'count' },
      { more: { group_by } },
      `{n} {s} per ${group}`,
      `number of {n} {s} by ${group}`,
      `how do {n} {s} split by ${group}`,
      `break down {n} {s} by ${group}`,
    ),
    head(
      { kind: 'count' },
      first('desc'),
      `which ${group} has the most {n} {s}`,
      `most {n} {s}: which ${group}`,
      `${group} with the most {n} {s}?`,
    ),
    head(
      { kind: 'count' },
      first('asc'),
      `which ${group} has the fewest {n} {s}`,
      `${group} with the fewest {n} {s}?`,
    ),
    head(
      { kind: 'count' },
      { isNumber: true, more: { group_by } },
      `how many different ${group}s do {n} {s} have`,
      `in how many ${group}s are there {n} {s}`,
      `number of ${group}s among {n} {s}`,
    ),
    ...(isMoney
      ? [
          head(
            money,
            first('desc'),
            `which ${group} has the most money in {n} {s}`,
            `biggest total of {n} {s}: which ${group}`,
            `${group} that brings the most from {n} {s}`,
          ),
          head(
            money,
            { more: { group_by } },
            `value of {n} {s} per ${group}`,
            `money in {n} {s} by ${group}`,
          ),
          head(
            { kind: 'avg', field: 'amount' },
            { more: { group_by } },
            `average value of {n} {s} per ${group}`,
          ),
        ]
      : []),
  ]
}

/** Orders and how they are said. */
const ORDERS: Record<string, [field: string, ...words: [most: string, least: string][]][]> = {
  deal: [
    ['amount', ['biggest', 'smallest'], ['largest', 'lowest'], ['most valuable', 'least valuable']],
    ['created_at', ['newest', 'oldest'], ['latest', 'earliest']],
    ['probability', ['likeliest', 'least likely']],
    ['expected_close_date', ['latest to close', 'next to close']],
  ],
  company: [
    ['employee_count', ['largest', 'smallest'], ['biggest by staff', 'smallest by staff']],
    ['annual_revenue', ['highest-grossing', 'lowest-grossing']],
    ['created_at', ['newest', 'oldest']],
  ],
  contact: [['created_at', ['newest', 'oldest'], ['most recent', 'first']]],
  activity: [
    ['when', ['latest', 'earliest'], ['last', 'first'], ['most recent', 'oldest']],
    ['duration_minutes', ['longest', 'shortest']],
  ],
}

const RELATED_COUNTS: Record<string, readonly string[]> = {
  company: ['deals', 'contacts', 'activities'],
  contact: ['deals', 'activities'],
  deal: ['activities', 'contacts'],
}

/** The first of an order: one or several, by a field or by the number of related records. */
function orderHeads(entity: string): Head[] {
  const [field, ...words] = pick(ORDERS[entity] ?? [])
  const isMost = random() < 0.6
  const word = pick(words)[isMost ? 0 : 1]
  const limit = random() < 0.5 ? 1 : 2 + below(5)
  const order = [{ by: field, direction: isMost ? ('desc' as const) : ('asc' as const) }]
  const many = limit === 1 ? '' : ` ${limit}`
  const heads = [
    head(
      LIST,
      { more: { order, limit } },
      `the${many} ${word} {n} {s}`,
      `${word}${many} {n} {s}`,
      `which${many} of the {n} {s} ${limit === 1 ? 'is' : 'are'} the ${word}`,
    ),
  ]
  const [relation] = [pick(RELATED_COUNTS[entity] ?? [])]
  if (relation)
    heads.push(
      head(
        LIST,
        { more: { order: [{ by: `${relation}.count`, direction: 'desc' }], limit: 1 } },
        `which of the {n} {s} has the most ${relation}`,
        `{n} {s} with the most ${relation}`,
      ),
      head(
        LIST,
        { more: { order: [{ by: `${relation}.count`, direction: 'asc' }], limit: 1 } },
        `which of the {n} {s} has the fewest ${relation}`,
      ),
    )
  return heads
}

export function headsOf(entity: string): Head[] {
  const heads = [
    ...groupHeads(entity),
    ...orderHeads(entity),
    head(
      LIST,
      {},
      '{n} {s}',
      'which {n} {s}?',
      'show me {n} {s}',
      'give me all {n} {s} please',
      'what are the {n} {s}',
      'i need the {n} {s}',
      '{s}: which {n}?',
    ),
    head(
      { kind: 'count' },
      {},
      'how many {n} {s}',
      'number of {n} {s}?',
      'count the {n} {s}',
      'what is the count of {n} {s}',
      '{n} {s} - how many?',
    ),
    head(
      LIST,
      { isYesNo: true },
      'are there {n} {s}?',
      'do we have any {n} {s}?',
      'any {n} {s}?',
      'is there even one of the {n} {s}',
    ),
  ]
  if (entity === 'deal') {
    heads.push(
      head(
        { kind: 'sum', field: 'amount' },
        {},
        'total value of {n} {s}',
        'how much are {n} {s} worth together',
        'what do the {n} {s} add up to',
        'sum of {n} {s}',
        '{n} {s}: how much money is that',
      ),
      head(
        { kind: 'avg', field: 'amount' },
        {},
        'average size of {n} {s}',
        'what is the mean amount of {n} {s}',
        'on average, how big are {n} {s}',
      ),
      head(
        LIST,
        { more: { order: [{ by: 'amount', direction: 'desc' }], limit: 1 } },
        'the biggest of the {n} {s}',
        'which of the {n} {s} is worth most?',
        'top one among {n} {s} by value',
      ),
      head(
        LIST,
        { more: { order: [{ by: 'amount', direction: 'asc' }], limit: 1 } },
        'the smallest of the {n} {s}',
        'which of the {n} {s} is worth least?',
      ),
      head(
        { kind: 'count' },
        { more: { group_by: [{ field: 'stage.name' }] } },
        '{n} {s} per stage',
        'how do the {n} {s} split by stage',
      ),
      head(
        { kind: 'sum', field: 'amount' },
        { more: { group_by: [{ field: 'owner.name' }] } },
        'value of {n} {s} per owner',
        'how much does each of us have in {n} {s}',
      ),
      head(
        LIST,
        { show: text('deal', 'next_step') },
        'next step of the {n} {s}',
        'what comes next for {n} {s}',
      ),
      head(LIST, { show: text('deal', 'lost_reason') }, 'why were {n} {s} lost', 'lost reason of {n} {s}'),
      head(
        LIST,
        { show: { entity: 'deal', field: 'expected_close_date', type: 'date' } },
        'when do {n} {s} close',
        'expected close date of {n} {s}',
      ),
    )
  }
  if (entity === 'company') {
    heads.push(
      head(
        { kind: 'sum', field: 'employee_count' },
        {},
        'how many people do {n} {s} employ together',
        'total headcount of {n} {s}',
      ),
      head(
        LIST,
        { more: { order: [{ by: 'employee_count', direction: 'desc' }], limit: 1 } },
        'which of the {n} {s} has the most employees',
        'largest by staff among {n} {s}',
      ),
      head(
        LIST,
        { more: { order: [{ by: 'annual_revenue', direction: 'desc' }], limit: 1 } },
        'which of the {n} {s} has the highest revenue',
        'top {n} {s} by turnover',
      ),
      head(
        { kind: 'count' },
        { more: { group_by: [{ field: 'country' }] } },
        '{n} {s} by country',
        'how many {n} {s} in each country',
      ),
      head(
        LIST,
        { show: text('company', 'city') },
        'where are the {n} {s}',
        'city of {n} {s}',
        'in which town sit {n} {s}',
      ),
      head(LIST, { show: text('company', 'website') }, 'website of {n} {s}', 'web address of {n} {s}'),
      head(LIST, { show: text('company', 'phone') }, 'phone of {n} {s}', 'how do I ring {n} {s}'),
    )
  }
  if (entity === 'contact') {
    heads.push(
      head(
        LIST,
        {},
        'who are the people {s}',
        'everyone {s}',
        'whom do we know {s}',
        'anybody {s}? names please',
      ),
      head(
        LIST,
        { show: text('contact', 'email') },
        'email addresses of {n} {s}',
        'mail of {n} {s} pls',
        'how do i write to {n} {s}',
      ),
      head(LIST, { show: text('contact', 'phone') }, 'phone numbers of {n} {s}', 'number to call {n} {s}'),
      head(
        LIST,
        { show: text('contact', 'job_title') },
        'job titles of {n} {s}',
        'what do {n} {s} do for a living',
      ),
    )
  }
  if (entity === 'activity') {
    heads.push(
      head(
        { kind: 'sum', field: 'duration_minutes' },
        {},
        'how many minutes did {n} {s} take altogether',
        'total minutes of {n} {s}',
      ),
      head(
        LIST,
        { show: { entity: 'activity', field: 'when', type: 'date' } },
        'when are {n} {s}',
        'date of {n} {s}',
      ),
    )
  }
  return heads
}
