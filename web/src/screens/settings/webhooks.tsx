/** Addresses that events are posted to, with what was delivered. */
import type { Schemas } from '@kith/client'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Confirm } from '#components/dialog.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { offerUndo } from '#data/undo.ts'
import { classes } from '#lib/classes.ts'
import { Deliveries, forgetDeliveries, refreshDeliveries } from './deliveries.tsx'
import { NewWebhookDialog } from './new-webhook.tsx'
import { NoRows, Part, RowsSkeleton, RowText } from './part.tsx'

type Webhook = Schemas['Webhook']

const queryKey = keys.other('webhooks', 'all')

export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey })

const setActive = async (id: string, is_active: boolean) => {
  await kith.webhooks.patch(id, { is_active })
  await refreshWebhooks()
}

export default function Webhooks() {
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => kith.webhooks.list({ page_size: 100 }, { signal }),
  })
  const [isCreating, setCreating] = useState(false)
  const [open, setOpen] = useState<string>()
  return (
    <Part
      title="Webhooks"
      description="Kith posts every event that you choose to an address, signed, in order for each record, and again until it is accepted."
      action={
        <Button variant="primary" onClick={() => setCreating(true)}>
          <Plus size={15} /> New webhook
        </Button>
      }
    >
      {!data && <RowsSkeleton />}
      {data?.items.length === 0 && (
        <NoRows>
          There is no webhook yet. Create one with the address of the program that receives events.
        </NoRows>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label="Webhooks" className="divide-y divide-line rounded-lg border border-line">
          {data.items.map(webhook => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              isOpen={open === webhook.id}
              onToggle={() => setOpen(open === webhook.id ? undefined : webhook.id)}
            />
          ))}
        </ul>
      )}
      {isCreating && (
        <NewWebhookDialog onClose={() => setCreating(false)} onCreated={({ id }) => setOpen(id)} />
      )}
    </Part>
  )
}

interface WebhookRowProps {
  webhook: Webhook
  isOpen: boolean
  onToggle: () => void
}

function stateOf({ is_active, disabled_reason, failing_since }: Webhook) {
  if (!is_active) return { tone: 'neutral', text: disabled_reason ? 'Disabled' : 'Paused' } as const
  return failing_since
    ? ({ tone: 'bad', text: 'Failing' } as const)
    : ({ tone: 'good', text: 'Active' } as const)
}

function WebhookRow({ webhook, isOpen, onToggle }: WebhookRowProps) {
  const { id, url, event_types, description, is_active, disabled_reason } = webhook
  const [isRemoving, setRemoving] = useState(false)
  const { tone, text } = stateOf(webhook)
  const toggle = async () => {
    await setActive(id, !is_active)
    offerUndo(is_active ? 'Paused the webhook' : 'Resumed the webhook', () => setActive(id, is_active))
  }
  const test = async () => {
    await kith.request('POST', '/api/webhooks/{webhook_id}/test', { path: { webhook_id: id } })
    await refreshDeliveries(id)
    toast('Sent a test event')
  }
  const remove = async () => {
    // ends the reads of its deliveries, which would not be found
    flushSync(onToggle)
    forgetDeliveries(id)
    await kith.webhooks.delete(id)
    await refreshWebhooks()
    toast('Deleted the webhook')
  }
  return (
    <li>
      <div className="flex min-h-12 items-center gap-2 px-3 py-1.5">
        <button
          type="button"
          onClick={onToggle}
          aria-expanded={isOpen}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-sm text-left"
        >
          <ChevronRight size={14} className={classes('shrink-0 text-ink-3', isOpen && 'rotate-90')} />
          <RowText title={url} detail={[description, event_types.join(', ')].filter(Boolean).join(' · ')} />
        </button>
        <Badge tone={tone}>{text}</Badge>
      </div>
      {isOpen && (
        <div className="border-t border-line bg-canvas px-3 py-3">
          {disabled_reason && <p className="mb-2 text-bad">{disabled_reason}</p>}
          <div className="mb-3 flex flex-wrap gap-1.5">
            <Button size="sm" onClick={() => void test().catch(showError)}>
              Send a test event
            </Button>
            <Button size="sm" onClick={() => void toggle().catch(showError)}>
              {is_active ? 'Pause' : 'Resume'}
            </Button>
            <Button size="sm" variant="ghost-danger" onClick={() => setRemoving(true)}>
              Delete
            </Button>
          </div>
          <Deliveries webhookId={id} />
        </div>
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title="Delete the webhook?"
        action="Delete"
        onConfirm={() => void remove().catch(showError)}
      >
        Its secret and its deliveries are deleted with it. This cannot be undone.
      </Confirm>
    </li>
  )
}
