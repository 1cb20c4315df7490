/** Limits the assistant per caller and per account. Usage is counted in the database, for all processes. */
import { sql } from 'kysely'
import { type Ctx, one, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { insertRows, rows } from '../../kernel/statements.ts'
import { present } from '../../lib/values.ts'

/** Counts a request in the transaction of the question; throws when a limit is exceeded. */
export async function countRequest(tx: Ctx): Promise<void> {
  const { requestsPerMinute, tokensPerDay } = tx.services.config.assistant
  const used = await queryOne(
    tx,
    sql<{ own: number; all: number; wait: number }>`
      select coalesce(sum(u.prompt_tokens + u.completion_tokens), 0)::float8 as all,
        coalesce(sum(u.prompt_tokens + u.completion_tokens) filter (where u.caller_id = ${tx.caller.id}), 0)::float8 as own,
        ceil(extract(epoch from date_trunc('day', now()) + interval '1 day' - now()))::int as wait
      from ${rows(tx, 'assistant_usage')} u where u.day = current_date`,
  )
  const { own, all, wait } = present(used, 'the sum of used tokens')
  if (over(own, tokensPerDay.caller)) throw errors.usedUp('Your tokens for today are used up', wait)
  if (over(all, tokensPerDay.account)) throw errors.usedUp('The account’s tokens for today are used up', wait)
  await countIn(tx, tx.caller.id, requestsPerMinute.caller)
  await countIn(tx, tx.account, requestsPerMinute.account)
  await addUsage(tx, { requests: 1, prompt: 0, completion: 0 })
}

const over = (used: number, limit: number) => limit > 0 && used >= limit

async function countIn(tx: Ctx, subject: string, limit: number): Promise<void> {
  if (limit === 0) return
  const counted = await insertRows(
    tx,
    'assistant_rates',
    [{ subject, minute: sql`date_trunc('minute', now())`, requests: 1 }],
    {
      onConflict: sql`(account_id, subject) do update set minute = excluded.minute,
        requests = case when r.minute = excluded.minute then r.requests + 1 else 1 end`,
      returning: sql<{
        requests: number
        wait: number
      }>`r.requests, ceil(extract(epoch from r.minute + interval '1 minute' - now()))::int as wait`,
    },
  )
  const { requests, wait } = one(counted)
  if (requests > limit) throw errors.tooManyRequests(Math.max(1, wait))
}

export async function addUsage(
  tx: Ctx,
  { requests, prompt, completion }: { requests: number; prompt: number; completion: number },
): Promise<void> {
  await insertRows(
    tx,
    'assistant_usage',
    [
      {
        day: sql`current_date`,
        caller_id: tx.caller.id,
        caller_kind: tx.caller.kind,
        requests,
        prompt_tokens: prompt,
        completion_tokens: completion,
      },
    ],
    {
      onConflict: sql`(account_id, day, caller_id) do update set requests = r.requests + excluded.requests,
        prompt_tokens = r.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = r.completion_tokens + excluded.completion_tokens`,
    },
  )
}
