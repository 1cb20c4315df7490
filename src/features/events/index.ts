/** `GET /api/events` and `GET /api/events/stream`: what changed in the account, in order. */
import type { Ctx } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors, HttpError } from '../../kernel/errors.ts'
import { type EventSource, eventStream, waker } from '../../kernel/event-stream.ts'
import type { Resource } from '../../kernel/resource.ts'
import {
  boolean,
  datetime,
  int,
  json,
  type Loc,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { knownSequence, watchEvents } from './live.ts'
import { checkPosition, lastSequence } from './numbers.ts'
import { eventPages, fitted } from './pages.ts'
import { AFTER, eventsAfter, numberedAfter, type ReadEvents } from './read.ts'
import { type Selection, select } from './select.ts'
import { sharedPage } from './shared-pages.ts'
import { type EventKinds, eventKindsOf } from './types.ts'

const RETRY_MS = 1000
/** A stream ends after this time and the client reconnects, so that a revoked key or role takes effect. */
const MAX_STREAM_MS = 10 * 60_000

const reference = { entity_type: text({ examples: ['deal'] }), id: uuid() }

export const eventSchema = object(
  {
    sequence: int({
      min: 0,
      description: '1, 2, 3, … in each account, without gaps; 0 for a test of a webhook',
    }),
    type: text({
      examples: ['contact.created', 'deal.stage_changed', 'deal.contact_linked', 'company.tag_linked'],
    }),
    at: datetime(),
    record: object(reference, { title: 'EventRecord' }),
    related: nullable(object(reference, { title: 'EventRelated' }), {
      description:
        'For a link, the record at its other end; for a tag on a record, the tag; for a file, the record that it is on',
    }),
    changes: list(object({ field: text(), from: json(), to: json() }, { title: 'EventChange' }), {
      description:
        'For an update, the changed fields; for a creation, the initial values. Empty once the record is erased',
    }),
    actor: object(
      {
        kind: text({ examples: ['key', 'user', 'job', 'import', 'system'] }),
        id: nullable(uuid()),
        user_id: nullable(uuid()),
      },
      { title: 'EventActor' },
    ),
    operation_id: nullable(uuid({ description: 'The operation that it was part of, which can be undone' })),
  },
  { title: 'Event' },
)

const types = optional(
  text({
    max: 4000,
    description:
      'Event types, separated by commas; `deal.*` for all of deals. Default: all types whose records your scopes can read',
    examples: ['deal.stage_changed,contact.*'],
  }),
)

const position = int({ min: 0, max: Number.MAX_SAFE_INTEGER })

const shared = { method: 'GET', tag: 'Events', permission: 'events:read' } as const

export function eventEndpoints(resources: readonly Resource[]): Endpoint[] {
  const kinds = eventKinds(resources)
  return [
    endpoint({
      ...shared,
      path: '/api/events',
      summary: 'List events',
      description:
        'Every committed change of a record is one event. Events have one order in the account, and none appears before another with a smaller sequence: continue with `after=<next_after>` to miss none. A position after the last event is a 422: it comes from before a backup was restored, or from another account. Each kind of record needs its read scope.',
      query: object({
        after: withDefault(position, 0),
        types,
        limit: withDefault(int({ min: 1, max: 1000 }), 100),
      }),
      response: object(
        {
          items: list(eventSchema),
          next_after: int({ min: 0, description: 'The value of `after` for the next request' }),
          has_more: boolean({ description: 'There are more events now' }),
        },
        { title: 'EventPage' },
      ),
      run: (ctx, { query }) => {
        const selection = select(ctx, kinds, splitTypes(query.types), ['query', 'types'])
        return eventsAfter(ctx, kinds, selection, query.after, query.limit)
      },
    }),
    endpoint({
      ...shared,
      path: '/api/events/stream',
      summary: 'Stream events',
      description:
        'Server-sent events: `id` is the sequence, `event` the type, `data` the event. It starts after `Last-Event-ID` or `after`, or without them at the next event; a position after the last event is a 422, as in the list. It ends after ten minutes; clients reconnect with `Last-Event-ID`, as an `EventSource` does.',
      query: object({ after: optional(position), types }),
      responseContent: { 'text/event-stream': { type: 'string' } },
      run: async (ctx, { query, header, signal }) => {
        const selection = select(ctx, kinds, splitTypes(query.types), ['query', 'types'])
        const lastId = lastEventId(header('last-event-id'))
        const after = lastId ?? query.after
        if (after !== undefined)
          await checkPosition(ctx, kinds, after, lastId === undefined ? AFTER : LAST_EVENT_ID)
        const from = after ?? (await lastSequence(ctx.db, ctx.account, kinds))
        const options = { retryMs: RETRY_MS, startId: String(from) }
        return eventStream(ctx.services, source(ctx, kinds, selection, from), signal, options)
      },
    }),
  ]
}

export const eventKinds = (resources: readonly Resource[]): EventKinds =>
  new Map(eventKindsOf(resources).map(kind => [kind.key, kind]))

const splitTypes = (given: string | undefined): string[] =>
  (given ?? '').split(',').flatMap(type => type.trim() || [])

const LAST_EVENT_ID: Loc = ['header', 'last-event-id']

function lastEventId(given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw errors.invalidValue(LAST_EVENT_ID, 'this must be the id of an event of this stream', given)
}

function source(ctx: Ctx, kinds: EventKinds, selection: Selection, from: number): EventSource {
  const { wake, woken } = waker()
  const unwatch = watchEvents(ctx.services, kinds, ctx.account, wake)
  const endsAt = Date.now() + MAX_STREAM_MS
  // Numbers only until it has caught up; then `watchEvents` does, four times a second. A stream that went on would number
  // after every write: 12 times as often, which made writes on the embedded engine wait for the disk.
  let read: ReadEvents = eventsAfter
  const chosen = selection.pairs.join()
  const nextPage = eventPages((after, limit) => {
    const numbers = read === eventsAfter
    const sequence = knownSequence(ctx.services, ctx.account)
    return sharedPage(ctx.services, [ctx.account, chosen, after, limit, numbers, sequence].join(), async () =>
      fitted(await pageWithin(read, ctx, kinds, selection, after, limit), limit),
    )
  }, from)
  return {
    async next() {
      const { events, has_more } = await nextPage()
      if (!has_more) read = numberedAfter
      if (has_more) wake()
      return { events, isOver: Date.now() > endsAt }
    },
    changed: woken,
    close: unwatch,
  }
}

/** A page that is too large for the budget of bytes is read one event at a time. */
async function pageWithin(
  read: ReadEvents,
  ctx: Ctx,
  kinds: EventKinds,
  selection: Selection,
  after: number,
  limit: number,
) {
  try {
    return await read(ctx, kinds, selection, after, limit)
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 413) throw error
    return read(ctx, kinds, selection, after, 1)
  }
}
