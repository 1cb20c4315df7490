/** What is asked of the records, in many wordings: `{n}` is the noun, `{s}` what is said of it. */
import type { FieldMeaning } from '../../../../src/features/ask/understand/meaning.ts'
import type { Measure, Query } from '../../../../src/features/records/query/spec.ts'
import { pick } from './random.ts'

export interface Head {
  words: (noun: string, such: string) => string
  measure: Measure
  more?: Partial<Query>
  show?: FieldMeaning
  isYesNo?: true
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

export function headsOf(entity: string): Head[] {
  const heads = [
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
