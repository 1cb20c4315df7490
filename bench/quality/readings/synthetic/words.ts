/** Conditions and kinds of records in many wordings; `{}` stands for the value. */
import type { EntityName } from '../../../../src/features/ask/lexicon/types.ts'
import type { Condition } from '../../../../src/features/records/query/spec.ts'

export const NOUNS: Record<string, string[]> = {
  deal: ['deals', 'opportunities', 'opps', 'jobs', 'orders in the pipeline'],
  company: ['companies', 'accounts', 'firms', 'businesses', 'organisations'],
  contact: ['contacts', 'people', 'persons', 'folks'],
  activity: ['activities', 'things on the calendar', 'appointments and tasks'],
}
export const TEXT: Record<string, [field: string, ...words: string[]][]> = {
  company: [
    ['country', 'in {}', 'from {}', 'based in {}', '({})', 'that sit in {}', 'located in {}'],
    ['city', 'in {}', 'from {}', 'in the city of {}', 'headquartered in {}'],
    ['industry', 'in {}', 'in the {} business', 'in the {} sector', 'with industry {}', 'doing {}'],
    ['status', 'with status {}', 'marked {}', 'whose status is {}', 'that are {}s'],
  ],
  contact: [
    ['job_title', 'with the title {}', 'who work as {}', 'who are {}', 'that hold the title {}'],
    ['department', 'in {}', 'from the {} department', 'working in {}'],
    ['language', 'who speak {}', 'with language {}'],
  ],
  deal: [
    ['stage.name', 'in {}', 'in stage {}', 'sitting in {}', 'that are at {}', 'currently in {}'],
    ['deal_type', 'of type {}', '({})', 'that are {}', 'with the type {}'],
    ['lead_source', 'that came in through {}', 'from {}', 'with {} as the source', 'we got via {}'],
    [
      'lost_reason',
      'lost because of {}',
      'that we lost over {}',
      'with the lost reason {}',
      'where {} was the reason',
    ],
    ['priority', 'with {} priority', 'with priority {}', 'marked {} priority'],
  ],
  activity: [
    ['type', 'of type {}', 'that are a {}'],
    ['status', 'that are {}', 'with status {}'],
  ],
}
export const NUMBERS: Record<string, [field: string, more: string[], less: string[]][]> = {
  company: [
    [
      'employee_count',
      [
        'with more than {} employees',
        'employing over {} people',
        'bigger than {} staff',
        'with a headcount above {}',
      ],
      [
        'with fewer than {} employees',
        'employing under {} people',
        'smaller than {} staff',
        'with a headcount below {}',
      ],
    ],
    [
      'annual_revenue',
      ['with revenue over {}', 'turning over more than {}', 'making more than {} a year'],
      ['with revenue under {}', 'turning over less than {}', 'making less than {} a year'],
    ],
  ],
  deal: [
    [
      'amount',
      ['over {}', 'worth more than {}', 'above {}', 'bigger than {}'],
      ['under {}', 'worth less than {}', 'below {}', 'smaller than {}'],
    ],
    [
      'probability',
      ['with a probability above {}', 'more than {} percent likely'],
      ['with a probability below {}', 'less than {} percent likely'],
    ],
  ],
  contact: [],
  activity: [
    [
      'duration_minutes',
      ['longer than {} minutes', 'that took more than {} minutes'],
      ['shorter than {} minutes', 'that took less than {} minutes'],
    ],
  ],
}
export const EMPTY: Record<string, [field: string, ...words: string[]][]> = {
  company: [
    [
      'website',
      'without a website',
      'with no website',
      'that lack a website',
      'where the website is missing',
    ],
  ],
  contact: [
    ['phone', 'without a phone number', 'we have no number for', 'whose phone is missing', 'with no phone'],
    ['email', 'without an email address', 'with no email', 'whose email we lack'],
    ['birthday', 'whose birthday we do not know', 'without a birthday'],
  ],
  deal: [
    ['next_step', 'without a next step', 'where no next step is noted', 'with next step empty'],
    ['expected_close_date', 'without a close date', 'with no expected close'],
  ],
  activity: [],
}
export const STATES: Record<string, [where: Condition, ...words: string[]][]> = {
  deal: [
    [
      { field: 'status', op: 'eq', value: 'open' },
      'that are open',
      'still in play',
      'not decided yet',
      'we are still working on',
    ],
    [
      { field: 'status', op: 'eq', value: 'won' },
      'we won',
      'that we got',
      'that were signed',
      'that closed successfully',
    ],
    [
      { field: 'status', op: 'eq', value: 'lost' },
      'we lost',
      'that went to someone else',
      'that fell through',
    ],
  ],
  company: [],
  contact: [
    [
      { field: 'do_not_contact', op: 'eq', value: true },
      'we must not contact',
      'that are off limits',
      'flagged do not contact',
    ],
    [
      { field: 'email_opt_out', op: 'eq', value: true },
      'who opted out of emails',
      'we may not mail',
      'who unsubscribed',
    ],
  ],
  activity: [
    [
      { field: 'is_overdue', op: 'eq', value: true },
      'that are overdue',
      'past their due date',
      'we are late with',
    ],
    [
      { field: 'status', op: 'eq', value: 'completed' },
      'that are done',
      'that took place',
      'already finished',
    ],
    [{ field: 'status', op: 'eq', value: 'planned' }, 'still to do', 'that are planned', 'coming up'],
  ],
}
export const RELATED: Record<string, [relation: string, entity: string, ...words: string[]][]> = {
  company: [
    [
      'deals',
      'deal',
      'with deals {}',
      'that have deals {}',
      'where we have a deal {}',
      'having at least one deal {}',
    ],
    ['contacts', 'contact', 'with people {}', 'where we know someone {}', 'with contacts {}'],
  ],
  contact: [
    [
      'companies',
      'company',
      'at companies {}',
      'who work for a firm {}',
      'whose company is one {}',
      'working for businesses {}',
    ],
    ['deals', 'deal', 'involved in deals {}', 'on deals {}'],
  ],
  deal: [
    [
      'companies',
      'company',
      'with companies {}',
      'at firms {}',
      'whose customer is one {}',
      'of accounts {}',
    ],
  ],
  activity: [
    ['companies', 'company', 'with companies {}', 'at firms {}'],
    ['contacts', 'contact', 'with people {}', 'with contacts {}'],
    ['deals', 'deal', 'about deals {}', 'on a deal {}'],
  ],
}

export const TIMES = [
  'this month',
  'last month',
  'next month',
  'this quarter',
  'last quarter',
  'next quarter',
  'this year',
  'last year',
  'next year',
  'this week',
  'last week',
  'next week',
  'today',
  'tomorrow',
  'in october 2026',
  'in november 2026',
  'in december',
  'in january 2027',
  'in 2026',
  'in 2027',
  'in the first quarter of 2027',
  'in q3 2026',
  'before september 2026',
  'before today',
  'after october 2026',
  'since june 2026',
  'until the end of the year',
  'in the next 30 days',
  'in the last 30 days',
  'in the next two weeks',
  'between october 2026 and january 2027',
]

const COMPLETED: Condition = { field: 'status', op: 'eq', value: 'completed' }
const PLANNED: Condition = { field: 'status', op: 'eq', value: 'planned' }

/** Dates with the condition that belongs to them. */
export const DATES: Record<
  string,
  [field: string, entity: EntityName, such: Condition | undefined, ...words: string[]][]
> = {
  deal: [
    [
      'expected_close_date',
      'deal',
      undefined,
      'expected to close {}',
      'due to close {}',
      'closing {}',
      'with a close date {}',
      'that should come in {}',
    ],
    ['created_at', 'deal', undefined, 'created {}', 'added {}', 'that were opened {}'],
    [
      'closed_at',
      'deal',
      { field: 'status', op: 'eq', value: 'won' },
      'won {}',
      'we won {}',
      'signed {}',
      'that we closed {}',
    ],
    [
      'closed_at',
      'deal',
      { field: 'status', op: 'eq', value: 'lost' },
      'lost {}',
      'we lost {}',
      'that fell through {}',
    ],
  ],
  company: [['created_at', 'company', undefined, 'added {}', 'created {}', 'that are new {}']],
  contact: [
    [
      'birthday',
      'contact',
      undefined,
      'with a birthday {}',
      'whose birthday is {}',
      'who have their birthday {}',
      'turning a year older {}',
    ],
    ['created_at', 'contact', undefined, 'added {}', 'created {}', 'we got to know {}'],
  ],
  activity: [
    ['happened_at', 'activity', COMPLETED, 'that took place {}', 'we had {}', 'done {}', 'completed {}'],
    ['when', 'activity', undefined, '{}', 'on the calendar {}', 'scheduled {}'],
    ['planned_at', 'activity', PLANNED, 'planned {}', 'coming up {}'],
    ['falls_due_at', 'activity', PLANNED, 'due {}', 'to be done {}'],
  ],
}
