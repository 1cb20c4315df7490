/** The rules between an activity's fields, and how it is completed and reopened. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import type { Crud } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations, Stamps } from '../../kernel/resource.ts'
import { nullable, object, optional, text } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import type { Metadata } from '../custom-fields/change.ts'
import type { Changing } from '../shared/record-operations.ts'
import { type Activity, type ActivityInput, activity, duration } from './record.ts'

export function activityOperations(
  base: Crud<ActivityInput, Activity, 'activities'>,
): Changing<ActivityInput, Activity, Locked> {
  async function create(ctx: Ctx, input: ActivityInput, writing: { set?: Stamps } = {}): Promise<Activity> {
    const given = withSubject(input)
    checkSpan(given)
    return base.create(ctx, given, { set: { ...writing.set, created_by: ctx.user } })
  }

  function update(
    ctx: Ctx,
    id: string,
    input: Partial<ActivityInput>,
    { before }: { before?: Locked } = {},
  ): Promise<Activity> {
    return transaction(ctx, async tx => {
      const current = before ?? (await lockedActivity(tx, id))
      const given = withoutUnchanged(withSubject(input), current)
      checkSpan({ ...current, ...given })
      return base.update(tx, id, given)
    })
  }

  return {
    ...base,
    create,
    update,
    locked: lockedActivity,
    updateMany: base.updatingMany(['title', 'start_at', 'end_at', 'duration_minutes', 'transcription_id']),
    // In a transaction, so that they are retried after a conflict over the same contacts.
    remove: (ctx, ids) => transaction(ctx, tx => base.remove(tx, ids)),
    restore: (ctx, ids) => transaction(ctx, tx => base.restore(tx, ids)),
  }
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
function withoutUnchanged(given: Partial<ActivityInput>, current: Locked): Partial<ActivityInput> {
  const changed = { ...given }
  for (const name of MAY_BE_SENT_BACK) if (changed[name] === current[name]) delete changed[name]
  return changed
}

type Locked = Pick<
  Tables['activities'],
  'status' | 'start_at' | 'end_at' | 'assignee_id' | 'transcription_id' | 'duration_minutes'
> & { metadata: Metadata }

async function lockedActivity(tx: Ctx, id: string): Promise<Locked> {
  const found = await queryOne(
    tx,
    sql<Locked>`select r.status, r.start_at, r.end_at, r.metadata, r.assignee_id, r.transcription_id, ${duration} as duration_minutes
      from ${living(tx, 'activities')} r where r.id = ${id} for no key update`,
  )
  if (!found) throw errors.notFound('Activity')
  return found
}

function reopen(ctx: Ctx, operations: Operations<ActivityInput, Activity>, id: string): Promise<Activity> {
  return transaction(ctx, async tx => {
    const { status } = await lockedActivity(tx, id)
    const isClosed = status === 'completed' || status === 'cancelled'
    return isClosed ? operations.update(tx, id, { status: 'planned' }) : operations.get(tx, id)
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
export const stateEndpoints = (operations: Operations<ActivityInput, Activity>): Endpoint[] => [
  endpoint({
    ...shared,
    path: '/api/activities/{activity_id}/complete',
    summary: 'Complete an activity',
    description: 'One that is completed already keeps its time.',
    body: object({ outcome: optional(nullable(text({ max: 50_000 }))) }),
    bodyOptional: true,
    run: (ctx, { params, body }) =>
      operations.update(ctx, params.activity_id, { ...body, status: 'completed' }),
  }),
  endpoint({
    ...shared,
    path: '/api/activities/{activity_id}/reopen',
    summary: 'Reopen an activity',
    description: 'It keeps its outcome. One that is still to be done stays as it is.',
    run: (ctx, { params }) => reopen(ctx, operations, params.activity_id),
  }),
]
