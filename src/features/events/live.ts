/**
 * Wakes the streams of an account when it has new events. While streams are open, each process polls the database four
 * times a second, for all its accounts together. A NOTIFY with every change would make the commits of all accounts wait
 * for each other: PostgreSQL serializes commits that notify.
 */
import { sql } from 'kysely'
import { query, type Services, systemDb } from '../../kernel/context.ts'
import { processState } from '../../kernel/process-state.ts'
import { unscoped } from '../../kernel/statements.ts'
import { lastSequence } from './numbers.ts'
import { type EventKinds, tablesOf } from './types.ts'

const POLL_MS = 250
const AFTER_ERROR_MS = 2000

interface Watched {
  wakes: Set<() => void>
  lastSequence: number
}

interface Live {
  accounts: Map<string, Watched>
  isPolling: boolean
}

const liveOf = processState((): Live => ({ accounts: new Map(), isPolling: false }))

/** Calls `wake` when the account has new events, until the returned function is called. */
export function watchEvents(
  services: Services,
  kinds: EventKinds,
  account: string,
  wake: () => void,
): () => void {
  const live = liveOf(services)
  const watched = live.accounts.get(account) ?? { wakes: new Set(), lastSequence: 0 }
  live.accounts.set(account, watched)
  watched.wakes.add(wake)
  if (!live.isPolling) void poll(services, kinds, live)
  return () => {
    watched.wakes.delete(wake)
    if (watched.wakes.size === 0 && live.accounts.get(account) === watched) live.accounts.delete(account)
  }
}

/** The number of the last event of which the streams of the account were woken. */
export const knownSequence = (services: Services, account: string): number =>
  liveOf(services).accounts.get(account)?.lastSequence ?? 0

async function poll(services: Services, kinds: EventKinds, live: Live): Promise<void> {
  const { engine, log } = services
  live.isPolling = true
  while (live.accounts.size > 0) {
    const { statements } = engine.stats()
    const worked = await look(services, kinds, live).catch(error => {
      log.warn({ err: error }, 'new events could not be read')
      return undefined
    })
    // Only this process uses the embedded database, so nothing changes without a statement. The poll itself is one
    // statement.
    if (worked === false && engine.kind === 'embedded')
      await engine.statementsAbove(statements + 1, AbortSignal.timeout(15_000))
    await new Promise(resolve => setTimeout(resolve, worked === undefined ? AFTER_ERROR_MS : POLL_MS).unref())
  }
  live.isPolling = false
}

interface News {
  account_id: string
  last_sequence: number
  is_behind: boolean
}

/** Numbers new events and wakes the streams. Returns false if there were none. */
async function look(services: Services, kinds: EventKinds, { accounts }: Live): Promise<boolean> {
  const db = systemDb(services)
  const latest = await query(
    { db },
    sql<News>`select a.id as account_id, coalesce(f.last_sequence, 0) as last_sequence,
        f.account_id is null or coalesce(f.mark_seq > f.numbered_to, false)
        or exists (select from ${unscoped('changes')} c where c.account_id = a.id and c.seq > f.numbered_to
          and c.kind = any(${tablesOf(kinds)}::text[])
          and not exists (select from ${unscoped('events')} e where e.account_id = a.id and e.seq = c.seq)) as is_behind
      from unnest(${[...accounts.keys()]}::uuid[]) a (id)
      left join ${unscoped('event_feeds')} f on f.account_id = a.id`,
  )
  let isNews = false
  for (const { account_id, last_sequence, is_behind } of latest) {
    const last = is_behind ? await lastSequence(db, account_id, kinds) : last_sequence
    const watched = accounts.get(account_id)
    isNews ||= is_behind
    if (!watched || watched.lastSequence === last) continue
    watched.lastSequence = last
    for (const wake of watched.wakes) wake()
  }
  return isNews
}
