/** Live updates: the event stream of the account invalidates the queries that a change concerns. */
import type { Event } from '@kith/client'
import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hasRecord } from './cache.ts'
import { kith, queryClient } from './client.ts'
import { GROUP_OF_KIND, type Kind } from './groups.ts'
import { setEventPosition } from './position.ts'
import { hasUnanswered } from './unanswered.ts'

/** Events of one moment, such as an import, are handled together; the first one after a pause at once. */
const GATHER_MS = 200
/** From this many changed records of a group on, everything of it is read again. */
const MANY = 50

const GROUPS: Readonly<Record<string, string>> = {
  ...GROUP_OF_KIND,
  pipeline: 'pipelines',
  stage: 'stages',
  kb_page: 'documents',
  document: 'documents',
  chat: 'chats',
  chat_message: 'chatMessages',
  email_draft: 'emailDrafts',
  email_template: 'emailTemplates',
  custom_field: 'customFields',
  category: 'categories',
  tag: 'tags',
  view: 'views',
  file: 'files',
  transcription: 'transcriptions',
}

const groupOf = (kind: string): string => GROUPS[kind as Kind] ?? `${kind}s`

/** Groups that are read with the records of another one: pipelines have their stages, the board has both. */
const READ_WITH: Readonly<Record<string, readonly string[]>> = {
  stages: ['pipelines', 'deals'],
  pipelines: ['deals'],
}

/** What other records show of a record that they are linked to. */
const SHOWN_ELSEWHERE = ['name', 'first_name', 'last_name', 'subject', 'title', 'email', 'job_title']

/** Whether other records look different after an event: their links have names, and links to the trash are hidden. */
const isShownElsewhere = ({ type, changes }: Event): boolean =>
  /\.(deleted|restored|erased)$/.test(type) || changes.some(({ field }) => SHOWN_ELSEWHERE.includes(field))

/** A path to related records, such as `company.industry`, or a condition on them. */
const RELATED = /"(?!cf\.)[a-z_]+\.[a-z_.]+"|"(some|every|none|count)":/

/** What the service computes from other fields: an event names those, not these. */
const COMPUTED = [
  'overdue',
  'is_overdue',
  'full_name',
  'status',
  'pipeline_id',
  'weighted_amount',
  'days_in_stage',
  'is_rotten',
  'closed_at',
  'completed_at',
  'falls_due_at',
  'updated_at',
]

/** Whether an event can change which records a list has, or their order. */
function concernsList(event: Event, query: unknown): boolean {
  if (!event.type.endsWith('.updated') && !event.type.endsWith('.stage_changed')) return true
  const text = JSON.stringify(query ?? {})
  if (['search', ...COMPUTED].some(name => text.includes(`"${name}"`))) return true
  return event.changes.some(({ field }) => text.includes(`"${field}"`) || field === 'metadata')
}

/** Invalidating does not restart the first read of a query, which may have missed the change: that is repeated after it. */
function readAgain(predicate: (query: Query) => boolean): void {
  const loading = queryClient.getQueryCache().findAll({
    fetchStatus: 'fetching',
    predicate: query => query.state.data === undefined && predicate(query),
  })
  void queryClient.invalidateQueries({ predicate })
  for (const { promise, queryKey } of loading) {
    promise?.then(
      () => queryClient.invalidateQueries({ queryKey, exact: true }),
      () => {},
    )
  }
}

/**
 * Reads again what these events concern: the records themselves, the lists that they may enter or leave, and the records
 * of other groups that show or compare them.
 */
export function applyEvents(events: readonly Event[]): void {
  const byGroup = Map.groupBy(
    events.flatMap(event => [event.record, event.related].flatMap(end => (end ? [{ event, end }] : []))),
    ({ end }) => groupOf(end.entity_type),
  )
  for (const [group, entries] of byGroup) {
    const ids = new Set(entries.map(({ end }) => end.id))
    const shown = entries.flatMap(({ event, end }) => (isShownElsewhere(event) ? [end.id] : []))
    readAgain(query => {
      const { queryKey, state } = query
      if (queryKey[1] !== group) return concernsOther(query, group, shown)
      if (ids.size >= MANY || queryKey[0] === 'other') return true
      if (queryKey[0] === 'record') return ids.has(String(queryKey[2]))
      if (state.data === undefined) return true
      return hasRecord(state.data, ids) || entries.some(({ event }) => concernsList(event, queryKey[2]))
    })
  }
}

/** Whether a change in a group concerns a query of another one; `shown` are the records that look different now. */
function concernsOther(query: Query, group: string, shown: readonly string[]): boolean {
  const { queryKey, state } = query
  if (READ_WITH[group]?.includes(String(queryKey[1]))) return true
  if (queryKey[0] === 'rows' && RELATED.test(JSON.stringify(queryKey[2]))) return true
  if (shown.length === 0 || !query.isActive()) return false
  const text = JSON.stringify(state.data ?? null)
  return shown.some(id => text.includes(id))
}

/**
 * A browser opens six connections to a service, and each stream needs one: a tab that is not visible for this long
 * gives its connection back.
 */
const HIDDEN_MS = 10_000

/** Calls `start` while the page is visible; its signal is aborted when the page is not. Returns the function to end. */
function whileVisible(start: (signal: AbortSignal) => void): () => void {
  let running: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    running?.abort()
    running = undefined
  }
  const update = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(stop, HIDDEN_MS)
    else if (!running) {
      running = new AbortController()
      start(running.signal)
    }
  }
  update()
  document.addEventListener('visibilitychange', update)
  return () => {
    document.removeEventListener('visibilitychange', update)
    clearTimeout(timer)
    stop()
  }
}

async function listen(account: string, signal: AbortSignal): Promise<void> {
  let gathered: Event[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let flushedAt = 0
  const flush = () => {
    // a record read now would take back for a moment what the page shows of a write
    timer = hasUnanswered() ? setTimeout(flush, GATHER_MS) : undefined
    if (timer !== undefined) return
    flushedAt = performance.now()
    applyEvents(gathered)
    setEventPosition(gathered.at(-1)?.sequence)
    gathered = []
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  const events = kith.events.stream({
    signal,
    headers: { 'x-account-id': account },
    // What was read before the stream began may lack changes that the stream does not have either.
    onStart: after => {
      setEventPosition(after)
      readAgain(() => true)
    },
  })
  for await (const event of events) {
    gathered.push(event)
    timer ??= setTimeout(flush, performance.now() - flushedAt > GATHER_MS ? 0 : GATHER_MS)
  }
}

/** Listens while the component is mounted, the page is visible and there is a session. */
export function useLiveUpdates(account: string | undefined): void {
  useEffect(() => {
    if (account === undefined) return
    // The stream connects again by itself; it ends for good when the session does.
    const end = whileVisible(signal => void listen(account, signal).catch(() => {}))
    return () => {
      end()
      setEventPosition(undefined)
    }
  }, [account])
}
