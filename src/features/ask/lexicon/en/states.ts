/** English words for states of records. A value `$today` stands for the day on which the question is asked. */
import { is, open, undone, words } from '../entries.ts'
import type { StateEntry } from '../types.ts'

const mayContact = { field: 'do_not_contact', op: 'eq', value: false }
const mayEmail = { and: [mayContact, { field: 'email_opt_out', op: 'eq', value: false }] }

export const STATES: readonly StateEntry[] = [
  ...(['deal', 'company', 'contact'] as const).map(entity => ({
    entity,
    words: words(
      'untagged, not tagged, without tags, without a tag, with no tags, without any tags, have no tags',
    ),
    where: { none: 'tags' },
  })),
  ...['four', 'five', 'six', 'seven'].map((digits, i) => ({
    entity: 'deal' as const,
    words: words(`${digits}-figure, ${digits} figure`),
    where: {
      and: [
        { field: 'amount', op: 'gte', value: 10 ** (i + 3) },
        { field: 'amount', op: 'lt', value: 10 ** (i + 4) },
      ],
    },
  })),
  {
    entity: 'contact',
    words: words('we can email, we may email, we are allowed to email, may be emailed, can be emailed'),
    where: mayEmail,
  },
  {
    entity: 'contact',
    words: words(
      'we can contact, we may contact, we are allowed to contact, may be contacted, can be contacted',
    ),
    where: mayContact,
  },
  {
    entity: 'product',
    words: words('active, still active, on sale, for sale'),
    where: { field: 'active', op: 'eq', value: true },
  },
  {
    entity: 'product',
    words: words('inactive, discontinued, not active, no longer active, not on sale'),
    where: { field: 'active', op: 'eq', value: false },
  },
  ...(['monthly', 'quarterly', 'yearly'] as const).map(period => ({
    entity: 'product' as const,
    words: words(`${period}, billed ${period}, are billed ${period}, paid ${period}`),
    where: is('billing_period', period),
  })),
  {
    entity: 'deal',
    words: words(`open, still open, in the pipeline, in play, unclosed, ongoing, active, live, not closed,
      we could still win, could we still win, can we still win, we can still win, on the table`),
    where: open,
  },
  {
    entity: 'deal',
    words: words('won, closed won'),
    verbs: words('win, won, ever won, close, closed, sell, sold, sign, signed'),
    where: is('status', 'won'),
    date: 'closed_at',
  },
  {
    entity: 'deal',
    words: words('lost, closed lost'),
    verbs: words('lose, lost, losing'),
    where: is('status', 'lost'),
    date: 'closed_at',
  },
  {
    entity: 'deal',
    words:
      words(`slipped, overdue, late, have slipped, past due, past their close date, past their expected close date,
      have slipped past their close date, have slipped past their expected close date, past its close date,
      whose close date has passed, that should have closed already, that should have closed, have passed their close date, has passed its close date,
      whose expected close date has passed, whose close date is past, whose close date is in the past,
      should have closed, close date has passed, with a close date in the past, past their closing date`),
    where: { and: [open, { field: 'expected_close_date', op: 'lt', value: '$today' }] },
  },
  ...(['deal', 'contact'] as const).map(entity => ({
    entity,
    words:
      words(`nobody owns, without an owner, unassigned, unowned, does nobody own, that nobody owns, no one owns,
      nobody assigned, with nobody assigned`),
    where: { field: 'owner_id', op: 'is_null', value: true },
  })),
  {
    entity: 'contact',
    words: words(`do not contact, we must not contact, must we not contact, marked as do not contact,
      flagged do not contact, flagged as do not contact, marked do not contact, are we not allowed to contact,
      we are not allowed to contact, don t want to be contacted, who don t want to be contacted, doesn t want to be contacted, does not want to be contacted,
      do not want to be contacted, must not be contacted, can we not contact,
      we should not contact`),
    where: { field: 'do_not_contact', op: 'eq', value: true },
  },
  {
    entity: 'contact',
    words: words(`opted out, opted out of emails, opted out of email, unsubscribed, opted out of mails,
      can t we email, we can t email, may we not email, we may not email, have opted out, has opted out,
      opted out of our emails, has opted out of emails, have opted out of emails, can we not email, we must not email,
      must we not email`),
    where: { field: 'email_opt_out', op: 'eq', value: true },
  },
  {
    entity: 'activity',
    words:
      words(`still open, open, not done yet, not done, outstanding, pending, to do, unfinished, planned, scheduled,
      still to do, left to do, to be done, to be made, still to be made, still to be held, still to come, to be held`),
    where: undone,
    date: 'planned_at',
  },
  {
    entity: 'activity',
    words: words('coming up, upcoming, ahead, lined up'),
    where: { and: [undone, { field: 'planned_at', op: 'gte', value: '$today' }] },
    date: 'planned_at',
  },
  {
    entity: 'activity',
    words:
      words(`completed, done, finished, logged as completed, marked as completed, marked completed, marked as done,
      marked done, carried out`),
    verbs: words('make, made, log, logged, hold, held, do, did, done, complete, completed, had'),
    where: is('status', 'completed'),
    date: 'happened_at',
  },
  { entity: 'activity', words: words('urgent'), where: is('priority', 'urgent') },
  { entity: 'activity', words: words('in progress, under way'), where: is('status', 'in_progress') },
  ...(['inbound', 'outbound'] as const).map(way => ({
    entity: 'activity' as const,
    words: way === 'inbound' ? words('inbound, incoming') : words('outbound, outgoing'),
    where: is('direction', way),
  })),
  { entity: 'note', words: words('pinned'), where: { field: 'is_pinned', op: 'eq', value: true } },
  {
    entity: 'deal',
    words: words('closed'),
    where: { field: 'status', op: 'in', value: ['won', 'lost'] },
    date: 'closed_at',
  },
  { entity: 'activity', words: words('cancelled, canceled, called off'), where: is('status', 'cancelled') },
  {
    entity: 'activity',
    words: words(
      'overdue, late, past due, missed, overdue today, overdue now, late today, overdue as of today',
    ),
    where: { field: 'is_overdue', op: 'eq', value: true },
  },
  ...(['deal', 'activity'] as const).flatMap(entity =>
    (['high', 'medium', 'low'] as const).map(value => ({
      entity,
      words: words(`${value} priority, ${value}-priority`),
      where: is('priority', value),
    })),
  ),
]
