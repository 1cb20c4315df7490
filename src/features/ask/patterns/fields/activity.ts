/** What questions ask about activities and notes. */
import { sql } from 'kysely'
import { column, dates, type Field, person, value } from './field.ts'

export const ACTIVITY: Field[] = [
  column('type', 'text', /(?:activity )?types?|kinds?/, { groups: true }),
  column('status', 'text', /status(?:es)?/, { groups: true }),
  column('priority', 'text', /priorit(?:y|ies)/, value),
  column('outcome', 'text', /outcomes?|results?/, { groups: true }),
  column('location', 'text', /locations?|where|places?/),
  column('duration_minutes', 'number', /durations?|minutes|long/, {
    label: 'duration in minutes',
    value: () => sql`coalesce(r.duration_minutes, extract(epoch from r.end_at - r.start_at)::int / 60)`,
  }),
  column('falls_due_at', 'time', /due(?: dates?)?|deadlines?/, { label: 'due' }),
  column('start_at', 'time', /starts?|scheduled|begins?|take place|happening|planned for/, {
    label: 'start',
  }),
  column('completed_at', 'time', /completed|finished|done/, { label: 'completed' }),
  {
    key: 'when',
    label: 'on',
    said: /when|on|held|happen(?:ed|s)?|made|had|did/,
    type: 'time',
    // a task that nobody has given a time has none
    value: () =>
      sql`coalesce(r.happened_at, r.start_at, r.falls_due_at, case when r.type <> 'task' then r.created_at end)`,
  },
  {
    // of what is not done: it has no time before it has been planned
    key: 'planned',
    label: 'on',
    said: /(?!)/,
    type: 'time',
    value: () => sql`coalesce(r.start_at, r.falls_due_at)`,
  },
  {
    key: 'assignee_id',
    label: 'assignee',
    said: /assignees?|assigned(?: to)?|owners?|owned|responsible|reps?/,
    type: 'text',
    value: () => person('assignee_id'),
    ...value,
  },
  ...dates,
]

export const NOTE: Field[] = [
  {
    key: 'user_id',
    label: 'author',
    said: /authors?|written(?: by)?|wrote|writes?|took|by/,
    type: 'text',
    value: () => person('user_id'),
    ...value,
  },
  ...dates,
]
