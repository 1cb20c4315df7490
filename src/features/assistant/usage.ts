/** `GET /api/chats/usage`: the usage of the assistant, and its limits. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import {
  date,
  type Infer,
  int,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { rows } from '../../kernel/statements.ts'

const counts = {
  requests: int({ min: 0 }),
  prompt_tokens: int({ min: 0 }),
  completion_tokens: int({ min: 0 }),
}

const limit = object(
  {
    requests_per_minute: nullable(int()),
    tokens_per_day: nullable(int()),
    tokens_today: int({ min: 0 }),
  },
  { title: 'ChatUsageLimit' },
)

const usageOutput = object(
  {
    from: date(),
    to: date(),
    ...counts,
    limits: object({ caller: limit, account: limit }),
    items: list(object({ day: date(), caller_id: uuid(), caller_kind: text(), ...counts })),
  },
  { title: 'ChatUsage' },
)
type UsageItem = Infer<typeof usageOutput>['items'][number]
type Counts = Pick<UsageItem, keyof typeof counts>

const MAX_DAYS = 366

async function usage(
  ctx: Ctx,
  { from, to }: { from?: string; to?: string },
): Promise<Infer<typeof usageOutput>> {
  const day = 86_400_000
  const until = to ?? new Date().toISOString().slice(0, 10)
  const since = from ?? new Date(Date.parse(until) - 29 * day).toISOString().slice(0, 10)
  if (since > until) throw errors.invalidValue(['query', 'from'], 'it must not be after `to`', since)
  if (Date.parse(until) - Date.parse(since) >= MAX_DAYS * day)
    throw errors.invalidValue(['query', 'from'], `at most ${MAX_DAYS} days at once`, since)
  const items = await query(
    ctx,
    sql<UsageItem>`select u.day::text as day, u.caller_id, u.caller_kind, u.requests, u.prompt_tokens, u.completion_tokens
      from ${rows(ctx, 'assistant_usage')} u where u.day between ${since}::date and ${until}::date
      order by u.day desc, u.caller_id limit 1000`,
  )
  const sums = await query(
    ctx,
    sql<Counts>`select coalesce(sum(u.requests), 0)::float8 as requests,
        coalesce(sum(u.prompt_tokens), 0)::float8 as prompt_tokens,
        coalesce(sum(u.completion_tokens), 0)::float8 as completion_tokens
      from ${rows(ctx, 'assistant_usage')} u where u.day between ${since}::date and ${until}::date`,
  )
  const today = await query(
    ctx,
    sql<{ own: number; all: number }>`
      select coalesce(sum(u.prompt_tokens + u.completion_tokens), 0)::float8 as all,
        coalesce(sum(u.prompt_tokens + u.completion_tokens) filter (where u.caller_id = ${ctx.caller.id}), 0)::float8 as own
      from ${rows(ctx, 'assistant_usage')} u where u.day = current_date`,
  )
  const { own, all } = one(today)
  const { requestsPerMinute, tokensPerDay } = ctx.services.config.assistant
  const limitOf = (scope: 'caller' | 'account', used: number) => ({
    requests_per_minute: requestsPerMinute[scope] || null,
    tokens_per_day: tokensPerDay[scope] || null,
    tokens_today: used,
  })
  return {
    from: since,
    to: until,
    ...one(sums),
    limits: { caller: limitOf('caller', own), account: limitOf('account', all) },
    items,
  }
}

export const usageEndpoint = endpoint({
  method: 'GET',
  path: '/api/chats/usage',
  tag: 'Chat messages',
  permission: 'chats:read',
  summary: 'Get the usage of the assistant',
  description:
    'By day (UTC) and by key or user, by default for the last 30 days, with the current limits. ' +
    'The usage of one answer is in its `metadata.usage`.',
  query: object({ from: optional(date()), to: optional(date()) }),
  response: usageOutput,
  run: (ctx, request) => usage(ctx, request.query),
})
