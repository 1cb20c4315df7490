/** Changes that the assistant proposes: nothing changes before a person accepts one. */
import type { Schemas } from '@kith/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Check, X } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { Button, buttonClass } from '#components/button.tsx'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import type { Tone } from '#data/field-types.ts'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import { offerUndoOf } from '#data/undo.ts'
import { humanize } from '#lib/format.ts'

type Proposal = Schemas['ChatProposal']

const STATES: Readonly<Record<Proposal['status'], { label: string; tone: Tone }>> = {
  pending: { label: 'Proposed', tone: 'accent' },
  accepted: { label: 'Accepted', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'bad' },
}

/** Those of a chat by the message that proposes them. */
export function useProposals(chat_id: string): ReadonlyMap<string, Proposal[]> {
  const { data } = useQuery({
    queryKey: keys.other('proposals', 'chat', { chat_id }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/chats/proposals', { query: { chat_id, page_size: 100 }, signal }),
  })
  return Map.groupBy(data?.items.toReversed() ?? [], ({ message_id }) => message_id)
}

function useDecision({ id: proposal_id, chat_id, summary }: Proposal) {
  const path = { proposal_id }
  return useMutation({
    mutationFn: (isAccepted: boolean) =>
      isAccepted
        ? kith.request('POST', '/api/chats/proposals/{proposal_id}/accept', { path, body: {} })
        : kith.request('POST', '/api/chats/proposals/{proposal_id}/reject', { path }),
    onSuccess: ({ operation_id, status }) => {
      if (status === 'accepted' && operation_id) offerUndoOf(`Done: ${summary}`, operation_id)
    },
    onError: showError,
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: keys.other('proposals', 'chat', { chat_id }) }),
  })
}

export function ProposalCard({ proposal }: { proposal: Proposal }) {
  const { kind, entity_type, entity_id, summary, values, before, status, error, undone_at } = proposal
  const decide = useDecision(proposal)
  const { label, tone } = undone_at ? { label: 'Undone', tone: 'neutral' as const } : STATES[status]
  const group = GROUP_OF_KIND[entity_type as Kind]
  const mayDecide = status === 'pending' || status === 'failed'
  return (
    <section aria-label={`Proposal: ${summary}`} className="rounded-lg border border-line text-sm">
      <header className="flex min-h-9 items-center gap-2 border-b border-line px-3 py-1.5">
        <span className="min-w-0 flex-1 font-medium">{summary}</span>
        <Badge tone={tone}>{label}</Badge>
      </header>
      <dl className="flex flex-col gap-1 px-3 py-2">
        {Object.entries(values).map(([field, value]) => (
          <div key={field} className="grid grid-cols-[120px_minmax(0,1fr)] gap-2">
            <dt className="text-ink-3">{humanize(field)}</dt>
            <dd className="flex min-w-0 flex-wrap items-center gap-1.5">
              {kind === 'update' && (
                <>
                  <span className="text-ink-3 line-through">{shown(before[field])}</span>
                  <ArrowRight size={12} className="text-ink-3" />
                </>
              )}
              <span className="min-w-0 break-words whitespace-pre-line">{shown(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {error && <p className="px-3 pb-2 text-bad">{error}</p>}
      <footer className="flex items-center gap-2 border-t border-line px-3 py-2 empty:hidden">
        {mayDecide && (
          <>
            <Button
              size="sm"
              variant="primary"
              disabled={decide.isPending}
              onClick={() => decide.mutate(true)}
            >
              <Check size={14} /> Accept
            </Button>
            <Button size="sm" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
              <X size={14} /> Reject
            </Button>
          </>
        )}
        {group && group !== 'notes' && entity_id && (
          <Link
            to="/$group/$id"
            params={{ group, id: entity_id }}
            className={buttonClass('ghost', 'sm', 'ml-auto')}
          >
            Open the {entity_type}
          </Link>
        )}
      </footer>
    </section>
  )
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'empty'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
