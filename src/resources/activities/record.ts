/** An activity: a call, a meeting, a task or an email that is planned or was done. */
import { sql } from 'kysely'
import {
  boolean,
  date,
  datetime,
  dict,
  type Infer,
  int,
  nullable,
  object,
  oneOf,
  optional,
  type RecordSchema,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { isRecord } from '../../lib/values.ts'
import { kind, linkFrom, targets } from '../kinds.ts'
import { externalIdsInput, externalIdsOutput } from '../shared/external-ids.ts'
import {
  account,
  base,
  customFields,
  customFieldsMirror,
  idList,
  longText,
  referenceItems,
  shortText,
  urlText,
} from '../shared/fields.ts'
import { customizable } from '../shared/record-operations.ts'
import { activityFilters, isOverdue } from './filters.ts'

const moment = (options: { description?: string } = {}) => optional(nullable(datetime(options)))
const subjectText = (options: { description?: string } = {}) => text({ min: 1, max: 255, ...options })

const fields = {
  type: oneOf(['call', 'meeting', 'task', 'email', 'other']),
  subject: subjectText(),
  title: optional(
    subjectText({ description: 'The same as subject, which takes precedence if both are sent' }),
  ),
  description: longText(),
  status: withDefault(oneOf(['planned', 'in_progress', 'completed', 'cancelled']), 'planned'),
  priority: optional(nullable(oneOf(['low', 'medium', 'high', 'urgent']))),
  due_at: moment(),
  due_date: optional(
    nullable(
      date({ description: 'A day without a time; the activity is overdue after the end of that day in UTC' }),
    ),
  ),
  start_at: moment(),
  end_at: moment({ description: 'Not before start_at' }),
  all_day: withDefault(
    boolean({
      description:
        'Whole days, from the day of start_at to that of end_at in UTC; an end_at at midnight is the end of the day before',
    }),
    false,
  ),
  duration_minutes: optional(
    nullable(int({ min: 0, description: 'The time from start_at to end_at, unless set' })),
  ),
  direction: optional(nullable(oneOf(['inbound', 'outbound']))),
  outcome: longText(),
  location: shortText(),
  meeting_url: urlText(),
  assignee_id: optional(nullable(uuid({ description: 'A member of the account' }))),
  contact_ids: idList,
  company_ids: idList,
  deal_ids: idList,
  reminder_at: moment(),
  transcription_id: optional(nullable(uuid())),
  metadata: optional(dict()),
  external_ids: externalIdsInput,
}

const bySubject = object(fields)
const byTitle = object({ ...fields, subject: optional(subjectText()) })

/** Subject or title is required; if both are missing, the error names the subject. */
const activityInput: RecordSchema<Infer<typeof byTitle>> = {
  ...bySubject,
  json: {
    ...byTitle.json,
    anyOf: [{ required: ['subject'] }, { required: ['title'] }],
    title: 'ActivityCreate',
    examples: [{ type: 'call', subject: 'Talk about the offer', due_at: '2027-01-15T09:00:00Z' }],
  },
  check(input, loc, issues) {
    const isTitled = isRecord(input) && input.subject === undefined && input.title !== undefined
    const schema = isTitled ? byTitle : bySubject
    return schema.check(input, loc, issues)
  },
}

const links = {
  contact_ids: linkFrom('activity_contacts', 'activity'),
  company_ids: linkFrom('activity_companies', 'activity'),
  deal_ids: linkFrom('activity_deals', 'activity'),
}

/** The given duration, else the whole minutes from start to end. */
export const duration = sql`coalesce(r.duration_minutes, floor(extract(epoch from r.end_at - r.start_at) / 60)::bigint)`

export const activity = customizable({
  ...kind('activity'),
  input: activityInput,
  output: object(
    {
      ...base,
      ...fields,
      title: text({ description: 'The same as subject' }),
      contact_ids: referenceItems,
      company_ids: referenceItems,
      deal_ids: referenceItems,
      completed_at: nullable(
        datetime({
          description: 'For an activity created as completed, its end, start or due time, if that has passed',
        }),
      ),
      is_overdue: boolean({ description: 'Open, and its due time or day has passed' }),
      created_by: nullable(uuid()),
      ...account,
      custom_fields: customFieldsMirror,
      external_ids: externalIdsOutput,
    },
    { title: 'Activity' },
  ),
  computed: {
    title: () => sql`r.subject`,
    duration_minutes: () => duration,
    is_overdue: () => isOverdue,
    custom_fields: customFields,
  },
  // the due time, or the end of the due day: each alone would leave out the activities that have the other
  furtherSorts: { falls_due_at: 'timestamptz' },
  links,
  references: {
    assignee_id: targets.member,
    transcription_id: { table: 'transcriptions', label: 'Transcription', name: 'file_name' },
  },
  search: 'text',
  hasBytes: true,
  filters: activityFilters,
})
export type ActivityInput = Infer<typeof activityInput>
export type Activity = Infer<typeof activity.output>
