/** How much the account has, and what the assistant used. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { Skeleton } from '#components/skeleton.tsx'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useMembers } from '#data/people.tsx'
import { formatCompact, formatNumber } from '#lib/format.ts'
import { NoRows, Part, Row, Rows, RowText } from './part.tsx'

const COUNTED = [
  ['contacts', 'Contacts'],
  ['companies', 'Companies'],
  ['deals', 'Deals'],
  ['activities', 'Activities'],
  ['products', 'Products'],
  ['notes', 'Notes'],
  ['files', 'Files'],
  ['transcriptions', 'Recordings'],
] as const

export default function Usage() {
  const counts = useQueries({
    queries: COUNTED.map(([group]) => ({
      queryKey: keys.other(group, 'count'),
      queryFn: ({ signal }: { signal: AbortSignal }) => kith[group].list({ page_size: 1 }, { signal }),
    })),
  })
  return (
    <>
      <Part title="Records" description="What is in the account now, without the trash.">
        <dl className="grid grid-cols-4 gap-px overflow-hidden rounded-lg border border-line bg-line max-[719px]:grid-cols-2">
          {COUNTED.map(([group, label], index) => {
            const total = counts[index]?.data?.total
            return (
              <div key={group} className="bg-surface px-3 py-2.5">
                <dt className="text-xs text-ink-3">{label}</dt>
                <dd className="text-lg font-semibold tabular">
                  {total === undefined ? <Skeleton className="my-1 h-4 w-14" /> : formatNumber(total)}
                </dd>
              </div>
            )
          })}
        </dl>
      </Part>
      <Assistant />
    </>
  )
}

function Assistant() {
  const { data } = useQuery({
    queryKey: keys.other('chats', 'usage'),
    queryFn: ({ signal }) => kith.request('GET', '/api/chats/usage', { signal }),
  })
  const { byId } = useMembers()
  const callers = [...Map.groupBy(data?.items ?? [], ({ caller_id }) => caller_id)].map(([id, days]) => ({
    id,
    name: byId.get(id)?.name ?? 'An API key',
    requests: days.reduce((sum, { requests }) => sum + requests, 0),
    tokens: days.reduce((sum, day) => sum + day.prompt_tokens + day.completion_tokens, 0),
  }))
  const limit = data?.limits.account.tokens_per_day
  return (
    <Part
      title="Assistant"
      description={
        limit
          ? `In the last 30 days. Today ${formatCompact(data.limits.account.tokens_today)} of ${formatCompact(limit)} tokens are used.`
          : 'Answers in the last 30 days, by person and key.'
      }
    >
      {data && callers.length === 0 && (
        <NoRows>The assistant has not used a language model in the last 30 days. Ask it something.</NoRows>
      )}
      {callers.length > 0 && (
        <Rows label="Usage of the assistant">
          {callers.map(({ id, name, requests, tokens }) => (
            <Row key={id}>
              <RowText title={name} />
              <span className="text-ink-2 tabular">{formatNumber(requests)} requests</span>
              <span className="w-28 text-right text-ink-2 tabular">{formatCompact(tokens)} tokens</span>
            </Row>
          ))}
        </Rows>
      )}
    </Part>
  )
}
