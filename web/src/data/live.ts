/** Live updates: the event stream of the account invalidates the queries that a change concerns. */
import type { Event } from '@kith/client'
import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hasRecord } from './cache.ts'
import { kith, queryClient } from './client.ts'
import { GROUP_OF_KIND, type Kind } from './groups.ts'
import { setEventPosition } from './position.ts'

/** Events of one moment, such as an import, are handled together. */
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

/** Reads again what these events concern: the records themselves, and the lists that they may enter or leave. */
export function applyEvents(events: readonly Event[]): void {
  const byGroup = Map.groupBy(
    events.flatMap(event => [event.record, event.related].flatMap(end => (end ? [{ event, end }] : []))),
    ({ end }) => groupOf(end.entity_type),
  )
  for (const [group, entries] of byGroup) {
    const ids = new Set(entries.map(({ end }) => end.id))
    readAgain(({ queryKey, state }) => {
      if (queryKey[1] !== group) return false
      if (ids.size >= MANY || queryKey[0] === 'other') return true
      if (queryKey[0] === 'record') return ids.has(String(queryKey[2]))
      if (state.data === undefined) return true
      return hasRecord(state.data, ids) || entries.some(({ event }) => concernsList(event, queryKey[2]))
    })
  }
}

/** Listens while the component is mounted and there is a session. */
export function useLiveUpdates(account: string | undefined): void {
  useEffect(() => {
    if (account === undefined) return
    const stop = new AbortController()
    let gathered: Event[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      applyEvents(gathered)
      setEventPosition(gathered.at(-1)?.sequence)
      gathered = []
    }
    const listen = async () => {
      for await (const event of kith.events.stream({
        signal: stop.signal,
        headers: { 'x-account-id': account },
        // What was read before the stream began may lack changes that the stream does not have either.
        onStart: after => {
          setEventPosition(after)
          readAgain(() => true)
        },
      })) {
        gathered.push(event)
        timer ??= setTimeout(flush, GATHER_MS)
      }
    }
    // The stream connects again by itself; it ends for good when the session does.
    listen().catch(() => {})
    return () => {
      stop.abort()
      clearTimeout(timer)
      setEventPosition(undefined)
    }
  }, [account])
}
