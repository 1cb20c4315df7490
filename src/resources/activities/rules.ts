/** The rules between an activity's fields, and how it is completed and reopened. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, transaction } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { eachWrite } from '../../kernel/rules.ts'
import { nullable, object, optional, text } from '../../kernel/schema/index.ts'
import { lockRow } from '../../kernel/statements.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { type Activity, type ActivityInput, activity, duration } from './record.ts'

type Locked = Pick<
  Tables['activities'],
  'start_at' | 'end_at' | 'assignee_id' | 'transcription_id' | 'duration_minutes'
>

const base = recordOperations(activity, {
  author: 'created_by',
  dependent: ['title', 'start_at', 'end_at', 'assignee_id', 'transcription_id', 'duration_minutes'],
  before: () =>
    sql<Locked>`r.start_at, r.end_at, r.assignee_id, r.transcription_id, ${duration} as duration_minutes`,
  prepare: (_, writes) =>
    eachWrite(writes, write => {
      const change = withoutUnchanged(withSubject(write.values), write.before)
      checkSpan({ ...write.before, ...change })
      write.values = change
    }),
})

export const activityOperations = {
  ...base,
  // In a transaction, so that they are retried after a conflict over the same contacts.
  remove: (ctx: Ctx, ids: readonly string[]) => transaction(ctx, tx => base.remove(tx, ids)),
  restore: (ctx: Ctx, ids: readonly string[]) => transaction(ctx, tx => base.restore(tx, ids)),
}

/** `title` is another name of `subject`. */
function withSubject<I extends Partial<ActivityInput>>(input: I): Omit<I, 'title'> {
  const { title, ...rest } = input
  return title === undefined || rest.subject !== undefined ? rest : { ...rest, subject: title }
}

function checkSpan({ start_at, end_at }: Pick<ActivityInput, 'start_at' | 'end_at'>): void {
  if (start_at && end_at && end_at < start_at)
    throw errors.invalidValue(['body', 'end_at'], 'end_at must not be before start_at', end_at)
}

const MAY_BE_SENT_BACK = ['assignee_id', 'transcription_id', 'duration_minutes'] as const

/**
 * Values equal to the current ones are not written: an assignee may have left the account since, and a duration
 * computed from start and end must continue to follow them.
 */
function withoutUnchanged(
  input: Partial<ActivityInput>,
  current: Locked | undefined,
): Partial<ActivityInput> {
  const changed = { ...input }
  for (const name of MAY_BE_SENT_BACK) if (current && changed[name] === current[name]) delete changed[name]
  return changed
}

function reopen(ctx: Ctx, id: string): Promise<Activity> {
  return transaction(ctx, async tx => {
    await lockRow(tx, 'activities', id)
    const current = await activityOperations.get(tx, id)
    const isClosed = current.status === 'completed' || current.status === 'cancelled'
    return isClosed ? activityOperations.update(tx, id, { status: 'planned' }) : current
  })
}

const shared = {
  method: 'POST',
  tag: 'Activities',
  permission: 'activities:write',
  response: activity.output,
  single: true,
} as const

/** The database keeps completed_at consistent with the status. */
export const stateEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    path: '/api/activities/{activity_id}/complete',
    summary: 'Complete an activity',
    description: 'An activity that is already completed keeps its completion time.',
    body: object({ outcome: optional(nullable(text({ max: 50_000 }))) }),
    bodyOptional: true,
    run: (ctx, { params, body }) =>
      activityOperations.update(ctx, params.activity_id, { ...body, status: 'completed' }),
  }),
  endpoint({
    ...shared,
    path: '/api/activities/{activity_id}/reopen',
    summary: 'Reopen an activity',
    description: 'The outcome is not changed. An open activity is not changed.',
    run: (ctx, { params }) => reopen(ctx, params.activity_id),
  }),
]
