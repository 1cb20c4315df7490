/** The statements of the queue. They run with the rights of the service, because a worker serves every account. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/engine.ts'

export interface QueuedJob {
  account_id: string
  id: string
  name: string
  data: unknown
  user_id: string
  attempts: number
  max_attempts: number
  losses: number
  cancelled: boolean
}

/** If workers die this often in a row during one job without progress, the job is the cause. */
export const MAX_LOSSES = 20

export interface Slots {
  name: string
  free: number
}

const run = async <R>(db: Db, statement: RawBuilder<R>): Promise<R[]> => (await statement.execute(db)).rows

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1000}::float8)`

/**
 * The accounts that have jobs of these names in the queue. Each is found by one step in the index, however many jobs
 * an account has queued.
 */
const waitingAccounts = (slots: readonly Slots[]) =>
  sql`waiting (name, slots, account_id) as (
      select f.name, f.slots, (select q.account_id from jobs q
        where q.name = f.name and q.status = 'queued' order by q.account_id limit 1)
      from unnest(${slots.map(({ name }) => name)}::text[], ${slots.map(({ free }) => free)}::int[]) f (name, slots)
      union all
      select w.name, w.slots, (select q.account_id from jobs q
        where q.name = w.name and q.status = 'queued' and q.account_id > w.account_id order by q.account_id limit 1)
      from waiting w where w.account_id is not null
    )`

/**
 * Takes the jobs that are due, as many of each name as there are free slots. Accounts take turns: first the one with
 * the fewest running jobs of that name, of those the one whose last job began earliest. Within an account the order is
 * that of the queue. So another account does not wait for the hundred exports that one has queued.
 */
export const claim = (
  db: Db,
  worker: string,
  slots: readonly Slots[],
  leaseMs: number,
): Promise<QueuedJob[]> =>
  run(
    db,
    sql<QueuedJob>`with recursive ${waitingAccounts(slots)}, running as (
        select r.name, r.account_id, count(*) as jobs from jobs r where r.status = 'running' group by 1, 2
      ), candidates as (
        select w.name, w.slots, j.account_id, j.id, j.run_at,
          coalesce(r.jobs, 0) + row_number() over (partition by w.name, w.account_id order by j.run_at, j.id) as turn,
          (select max(l.started_at) from jobs l
            where l.name = w.name and l.account_id = w.account_id and l.started_at is not null) as last_began
        from waiting w
        left join running r on r.name = w.name and r.account_id = w.account_id
        cross join lateral (
          select q.account_id, q.id, q.run_at from jobs q
          where q.name = w.name and q.account_id = w.account_id and q.status = 'queued' and q.run_at <= now()
          order by q.run_at, q.id limit w.slots
        ) j
      ), ranked as (
        select c.account_id, c.id, c.slots,
          row_number() over (partition by c.name order by c.turn, c.last_began nulls first, c.run_at, c.id) as position
        from candidates c
      ), due as (
        select j.account_id, j.id from ranked c
        join jobs j on j.account_id = c.account_id and j.id = c.id
        where c.position <= c.slots and j.status = 'queued' for update of j skip locked
      )
      update jobs j set status = 'running', worker_id = ${worker}, held_until = now() + ${seconds(leaseMs)},
        started_at = coalesce(j.started_at, now()), updated_at = now()
      from due where j.account_id = due.account_id and j.id = due.id
      returning j.account_id, j.id, j.name, j.data, j.user_id, j.attempts, j.max_attempts, j.losses,
        j.cancel_requested_at is not null as cancelled`,
  )

/** Milliseconds until the next queued job is due. */
export async function untilNext(db: Db, names: readonly string[]): Promise<number | undefined> {
  const [next] = await run(
    db,
    sql<{ ms: number | null }>`select (extract(epoch from min(run_at) - now()) * 1000)::float8 as ms from jobs
      where status = 'queued' and name = any(${names}::text[])`,
  )
  return next?.ms ?? undefined
}

/**
 * Renews the leases of the worker's jobs. Returns the jobs whose lease it still has, and which of them are to be
 * cancelled. A job whose row is locked is writing at this moment and renews its lease itself.
 */
export const renew = (db: Db, worker: string, leaseMs: number) =>
  run(
    db,
    sql<{ id: string; cancelled: boolean }>`with free as (
        select account_id, id from jobs where worker_id = ${worker} and status = 'running' for update skip locked
      ), renewed as (
        update jobs j set held_until = now() + ${seconds(leaseMs)}
        from free where j.account_id = free.account_id and j.id = free.id
      )
      select id, cancel_requested_at is not null as cancelled from jobs
      where worker_id = ${worker} and status = 'running'`,
  )

/** Jobs whose lease has expired go back to the queue. `all`: every job, because no other process can be running one. */
export const recover = (db: Db, all: boolean) =>
  run(
    db,
    sql<{ id: string; name: string }>`with lost as (
        select account_id, id from jobs where status = 'running' and ${all ? sql`true` : sql`held_until < now()`}
        for update skip locked
      )
      update jobs j set status = 'queued', worker_id = null, held_until = null, losses = j.losses + 1, run_at = now(),
        updated_at = now()
      from lost where j.account_id = lost.account_id and j.id = lost.id returning j.id, j.name`,
  )

/** The chores that are due now. The process that takes one owns it until it is due again. */
export async function dueChores(
  db: Db,
  chores: readonly { name: string; everyMinutes: number }[],
): Promise<string[]> {
  const names = chores.map(({ name }) => name)
  const due = await run(
    db,
    sql<{ name: string }>`insert into chores as c (name, due_at)
      select g.name, now() + make_interval(mins => g.every)
      from unnest(${names}::text[], ${chores.map(({ everyMinutes }) => everyMinutes)}::int[]) g (name, every)
      on conflict (name) do update set due_at = excluded.due_at where c.due_at <= now()
      returning c.name`,
  )
  return due.map(({ name }) => name)
}
