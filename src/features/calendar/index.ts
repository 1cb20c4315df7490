/** The calendar of a member as iCalendar, for calendar programs, which call it with nothing but a token in the address. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Ctx, contextFor, query, queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { type Endpoint, endpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { rawReply } from '../../kernel/reply.ts'
import { datetime, object, text } from '../../kernel/schema/index.ts'
import { deleteRows, insertRows, living, rows } from '../../kernel/statements.ts'
import { feedOwner } from '../../resources/accounts/feed-owner.ts'
import { type CalendarEvent, calendarText } from './ics.ts'

/** Days around the present that a calendar has, and the most events. */
const DAYS_BACK = 90
const DAYS_AHEAD = 400
const MAX_EVENTS = 2000

const FEED = '/api/activities/calendar.ics'
const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

const about = {
  path: '/api/activities/calendar-feed',
  tag: 'Activities',
  permission: 'activities:read',
  role: 'viewer',
} as const

export const calendarFeedEndpoints: Endpoint[] = [
  endpoint({
    ...about,
    method: 'POST',
    summary: 'Create the address of a calendar',
    description: `Calendar programs subscribe to \`url\`: the caller's own activities, from ${DAYS_BACK} days ago to ${DAYS_AHEAD} days ahead. The address contains a secret and is shown this once; a new one replaces it.`,
    response: object({ url: text(), created_at: datetime() }, { title: 'CalendarFeed' }),
    status: 201,
    shownOnce: ['url'],
    run: createFeed,
  }),
  endpoint({
    ...about,
    method: 'GET',
    summary: 'Get whether there is an address of a calendar',
    description: '404 if the caller has none. The address itself is shown only when it is created.',
    response: object({ created_at: datetime() }, { title: 'CalendarFeedState' }),
    run: async ctx => {
      const feed = await queryOne(
        ctx,
        sql`select f.created_at from ${rows(ctx, 'calendar_feeds')} f where f.user_id = ${ctx.user}`,
      )
      if (!feed) throw errors.notFound('Calendar feed')
      return feed
    },
  }),
  endpoint({
    ...about,
    method: 'DELETE',
    summary: 'Revoke the address of a calendar',
    description: 'Calendar programs that use it get a 404 from then on. 404 if the caller has none.',
    response: empty,
    run: async ctx => {
      const gone = await deleteRows(ctx, 'calendar_feeds', sql`r.user_id = ${ctx.user}`, sql`r.user_id`)
      if (gone.length === 0) throw errors.notFound('Calendar feed')
      return {}
    },
  }),
  publicEndpoint({
    method: 'GET',
    path: FEED,
    tag: 'Activities',
    summary: 'Get a calendar',
    description:
      'In iCalendar (RFC 5545), by the address that `POST /api/activities/calendar-feed` returned. Cancelled activities are left out. Activities of whole days (`all_day`) have the days of their times in UTC, where an `end_at` at midnight is the end of the day before; `reminder_at` is an alarm.',
    query: object({ token: text({ min: 1, max: 100 }) }),
    responseContent: { 'text/calendar': { type: 'string' } },
    run: async (ctx, { query: { token } }) => {
      const events = await eventsOf(await readerOf(ctx, token))
      return rawReply(calendarText('Kith', events), 'text/calendar; charset=utf-8', {
        'cache-control': 'private, max-age=300',
      })
    },
  }),
]

async function createFeed(ctx: Ctx) {
  const token = randomBytes(32).toString('base64url')
  const created_at = new Date().toISOString()
  const feed = { user_id: ctx.user, token_hash: tokenHash(token), created_at }
  await insertRows(ctx, 'calendar_feeds', [feed], {
    onConflict: sql`(account_id, user_id) do update
      set token_hash = excluded.token_hash, created_at = excluded.created_at`,
  })
  return { url: `${ctx.services.config.publicUrl ?? ''}${FEED}?token=${token}`, created_at }
}

/** The member whose calendar the token is for, with the permission to read activities and nothing else. */
async function readerOf(ctx: ServiceCtx, token: string): Promise<Ctx> {
  const owner = await feedOwner(ctx, tokenHash(token))
  if (!owner) throw errors.notFound('Calendar')
  const { accountId, userId, role } = owner
  return contextFor(ctx.services, {
    kind: 'user',
    id: userId,
    userId,
    accountId,
    role,
    scopes: ['activities:read'],
  })
}

const eventsOf = (ctx: Ctx): Promise<CalendarEvent[]> => {
  const time = sql`coalesce(r.start_at, r.due_at, r.due_date::timestamp at time zone 'UTC', r.end_at)`
  return query(
    ctx,
    sql<CalendarEvent>`select r.id, r.created_at, r.updated_at, r.type, r.subject, left(r.description, 2000) as description,
        r.location, r.meeting_url, r.status, r.start_at, r.end_at, r.due_at, r.due_date, r.all_day, r.duration_minutes, r.reminder_at
      from ${living(ctx, 'activities')} r
      where r.assignee_id = ${ctx.user} and r.status <> 'cancelled'
        and ${time} between now() - make_interval(days => ${DAYS_BACK}) and now() + make_interval(days => ${DAYS_AHEAD})
      order by ${time}, r.id limit ${MAX_EVENTS}`,
  )
}
