/**
 * Sends webhooks, in every process that runs jobs. Each watches the events of all accounts that have an active webhook,
 * creates deliveries for them (fan-out.ts) and sends those of the lanes that it has leased (deliver.ts).
 */
import { isUnavailable } from '../../db/sqlstate.ts'
import { type Services, systemDb } from '../../kernel/context.ts'
import { networks } from '../../lib/addresses.ts'
import { guardedClient } from '../../lib/guarded-post.ts'
import { watchEvents } from '../events/live.ts'
import type { EventKinds } from '../events/types.ts'
import { contextOf, runLane } from './deliver.ts'
import { type FanOut, fanOut } from './fan-out.ts'
import {
  type ActiveWebhook,
  activeWebhooks,
  claimLanes,
  dropLeases,
  type Lane,
  renewLanes,
  untilNextLane,
} from './lanes.ts'

export interface Dispatcher {
  /** Waits briefly for requests in flight; another process sends those again that have no response by then. */
  stop(): Promise<void>
}

/** Notified when webhooks are created or changed, and when something is to be sent without an event. */
export const CHANNEL = 'kith_webhooks'

/** Requests that one process sends at a time. */
const MAX_IN_HAND = 50
/** The longest wait after a lost notification or the death of another process. */
const LOOK_MS = { embedded: 60_000, server: 10_000 }
const STOP_PATIENCE_MS = 3000

export async function startWebhooks(services: Services, kinds: EventKinds): Promise<Dispatcher> {
  const { engine, log, config } = services
  const { leaseMs } = config.jobs
  const db = systemDb(services)
  const client = guardedClient({
    allowed: networks(config.webhooks.allow),
    timeoutMs: config.webhooks.timeoutMs,
  })
  const stopping = new AbortController()
  const tools = { services, kinds, client, signal: stopping.signal }
  const inHand = new Map<Lane, Promise<void>>()
  /** the accounts with active webhooks, and how to stop watching each */
  const watched = new Map<string, () => void>()
  /** accounts with events that have no deliveries yet */
  const behind = new Set<string>()
  const full = new Set<string>()
  let webhooks: ActiveWebhook[] = []
  let isStale = true
  let isLooking = false
  let again = false
  let nextLook: NodeJS.Timeout | undefined

  function start(lane: Lane): void {
    const ended = runLane(tools, lane)
      .catch(failed)
      .then(() => {
        inHand.delete(lane)
        look()
      })
    inHand.set(lane, ended)
  }

  /** A call during a run causes one more run, so that events during the run are not missed. */
  function look(): void {
    if (stopping.signal.aborted) return
    if (isLooking) {
      again = true
      return
    }
    isLooking = true
    clearTimeout(nextLook)
    work()
      .catch(error => {
        failed(error)
        return 1000
      })
      .then(delay => {
        isLooking = false
        if (again) {
          again = false
          look()
        } else if (!stopping.signal.aborted) nextLook = setTimeout(look, delay).unref()
      })
  }

  async function work(): Promise<number> {
    if (isStale) await readWebhooks()
    if (webhooks.length === 0) return LOOK_MS[engine.kind]
    const hasMore = await fanOutAll()
    const free = MAX_IN_HAND - inHand.size
    if (free === 0) return LOOK_MS[engine.kind]
    const lanes = await claimLanes(db, [...inHand.keys()], free, leaseMs)
    for (const lane of lanes) start(lane)
    if (hasMore) return 0
    if (lanes.length === 0) {
      // Nothing is due, so accounts that had too many pending deliveries can get more.
      for (const account of full) behind.add(account)
      full.clear()
    }
    const next = await untilNextLane(db)
    return Math.min(LOOK_MS[engine.kind], Math.max(next ?? LOOK_MS[engine.kind], 20))
  }

  async function readWebhooks(): Promise<void> {
    isStale = false
    webhooks = await activeWebhooks(db)
    const accounts = new Set(webhooks.map(({ account_id }) => account_id))
    for (const [account, unwatch] of watched) {
      if (accounts.has(account)) continue
      unwatch()
      watched.delete(account)
      behind.delete(account)
    }
    for (const account of accounts) {
      behind.add(account)
      if (!watched.has(account))
        watched.set(
          account,
          watchEvents(services, kinds, account, () => wake(account)),
        )
    }
  }

  function wake(account: string): void {
    behind.add(account)
    look()
  }

  /** A batch of each webhook that is behind, so that no account waits for another's history. */
  async function fanOutAll(): Promise<boolean> {
    let hasMore = false
    for (const account of [...behind]) {
      behind.delete(account)
      const states = await fanOutAccount(account).catch(error => {
        behind.add(account)
        throw error
      })
      if (states.includes('more')) behind.add(account)
      if (states.includes('full')) full.add(account)
      hasMore ||= states.includes('more')
    }
    return hasMore
  }

  async function fanOutAccount(account: string): Promise<FanOut[]> {
    const states: FanOut[] = []
    for (const { account_id, id, user_id } of webhooks) {
      if (account_id !== account) continue
      states.push(await fanOut(contextOf(services, { account_id, webhook_id: id, user_id }), kinds, id))
    }
    return states
  }

  function failed(error: unknown): void {
    if (stopping.signal.aborted) return
    log.warn({ err: error }, isUnavailable(error) ? 'webhooks wait for the database' : 'a webhook failed')
  }

  const renewing = setInterval(() => {
    if (inHand.size > 0) renewLanes(db, [...inHand.keys()], leaseMs).catch(failed)
  }, leaseMs / 3).unref()
  // On a server other processes change webhooks, and one that dies leaves events behind.
  const refreshing = setInterval(() => {
    isStale = true
    look()
  }, LOOK_MS[engine.kind]).unref()

  if (engine.kind === 'embedded') await dropLeases(db)
  await engine.listen(CHANNEL, () => {
    isStale = true
    look()
  })
  look()

  return {
    async stop() {
      stopping.abort()
      clearTimeout(nextLook)
      clearInterval(renewing)
      clearInterval(refreshing)
      for (const unwatch of watched.values()) unwatch()
      const ended = Promise.all(inHand.values())
      const patience = new Promise(resolve => setTimeout(resolve, STOP_PATIENCE_MS).unref())
      await Promise.race([ended, patience])
      client.close()
      await ended
    },
  }
}
