/** The statements on lanes: take those that are due, renew leases, find when the next one is due. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { query } from '../../kernel/context.ts'
import { unscoped } from '../../kernel/statements.ts'

export interface Lane {
  account_id: string
  webhook_id: string
  record_id: string
  lease_id: string
  /** the user who created the webhook */
  user_id: string
}

/** The first pending delivery of a lane, with everything needed to send it. */
export interface PendingDelivery {
  id: string
  message_id: string
  event_type: string
  event_sequence: number | null
  created_at: string
  url: string
  secret: string
  previous_secret: string | null
  is_failing: boolean
}

/** Concurrent requests of one process to one webhook; a failing webhook gets one at a time. */
const PER_WEBHOOK = 8

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1000}::float8)`

/**
 * Takes lanes that are due, at most `free` of them. Accounts take turns: the lanes of each account are numbered,
 * beginning after those that this process already has, and the lowest numbers are taken first.
 */
export const claimLanes = (db: Db, inHand: readonly Lane[], free: number, leaseMs: number): Promise<Lane[]> =>
  query(
    { db },
    sql<Lane>`with in_hand as (
        select h.account_id, h.webhook_id, count(*) as lanes
        from unnest(${inHand.map(lane => lane.account_id)}::uuid[], ${inHand.map(lane => lane.webhook_id)}::uuid[])
          h (account_id, webhook_id) group by 1, 2
      ), candidates as (
        select w.account_id, w.id as webhook_id, w.created_by, l.record_id, l.next_at,
          coalesce((select sum(h.lanes) from in_hand h where h.account_id = w.account_id), 0)
            + row_number() over (partition by w.account_id order by l.next_at) as turn
        from ${unscoped('webhooks')} w
        left join in_hand h on h.account_id = w.account_id and h.webhook_id = w.id
        cross join lateral (
          select l.record_id, l.next_at from ${unscoped('webhook_lanes')} l
          where l.account_id = w.account_id and l.webhook_id = w.id and l.next_at <= now()
          order by l.next_at
          limit greatest(0, case when w.failing_since is null then ${PER_WEBHOOK}::int else 1 end - coalesce(h.lanes, 0))
        ) l
        where w.is_active
      ), chosen as (
        select c.* from candidates c order by c.turn, c.next_at limit ${free}
      ), due as (
        select l.account_id, l.webhook_id, l.record_id, c.created_by from chosen c
        join ${unscoped('webhook_lanes')} l
          on l.account_id = c.account_id and l.webhook_id = c.webhook_id and l.record_id = c.record_id
        where l.next_at <= now() for update of l skip locked
      )
      update ${unscoped('webhook_lanes')} l set lease_id = gen_random_uuid(), next_at = now() + ${seconds(leaseMs)}
      from due where l.account_id = due.account_id and l.webhook_id = due.webhook_id and l.record_id = due.record_id
      returning l.account_id, l.webhook_id, l.record_id, l.lease_id, due.created_by as user_id`,
  )

/** Renews the leases of lanes in hand. A lane that is locked is being written to by its owner, who renews it. */
export const renewLanes = (db: Db, inHand: readonly Lane[], leaseMs: number) =>
  query(
    { db },
    sql`with free as (
        select l.account_id, l.webhook_id, l.record_id from ${unscoped('webhook_lanes')} l
        join unnest(${inHand.map(lane => lane.account_id)}::uuid[], ${inHand.map(lane => lane.webhook_id)}::uuid[],
          ${inHand.map(lane => lane.record_id)}::uuid[], ${inHand.map(lane => lane.lease_id)}::uuid[])
          h (account_id, webhook_id, record_id, lease_id)
          on h.account_id = l.account_id and h.webhook_id = l.webhook_id and h.record_id = l.record_id
            and h.lease_id = l.lease_id
        for update of l skip locked
      )
      update ${unscoped('webhook_lanes')} l set next_at = now() + ${seconds(leaseMs)}
      from free where l.account_id = free.account_id and l.webhook_id = free.webhook_id
        and l.record_id = free.record_id`,
  )

/**
 * Milliseconds until the next lane is due; undefined when there is none. Lanes that have been due for more than a
 * second are ignored: they wait for another lane to end, not for a time.
 */
export async function untilNextLane(db: Db): Promise<number | undefined> {
  const [next] = await query(
    { db },
    sql<{ ms: number | null }>`select (extract(epoch from min(n.next_at) - now()) * 1000)::float8 as ms
      from ${unscoped('webhooks')} w cross join lateral (
        select l.next_at from ${unscoped('webhook_lanes')} l
        where l.account_id = w.account_id and l.webhook_id = w.id and l.next_at > now() - interval '1 second'
        order by l.next_at limit 1
      ) n where w.is_active`,
  )
  return next?.ms ?? undefined
}

/** Only one process can open the embedded database, so leases of an earlier process are void. */
export const dropLeases = (db: Db) =>
  query(
    { db },
    sql`update ${unscoped('webhook_lanes')} set lease_id = null, next_at = now() where lease_id is not null`,
  )

export interface ActiveWebhook {
  account_id: string
  id: string
  user_id: string
}

export const activeWebhooks = (db: Db): Promise<ActiveWebhook[]> =>
  query(
    { db },
    sql<ActiveWebhook>`select w.account_id, w.id, w.created_by as user_id from ${unscoped('webhooks')} w
      where w.is_active order by w.account_id, w.id`,
  )
