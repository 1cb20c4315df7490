import type { Schemas } from '@kith/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { formatNumber, humanize } from '#lib/format.ts'

type Delivery = Schemas['WebhookDelivery']

const TONES = { pending: 'warn', succeeded: 'good', failed: 'bad' } as const
/** Deliveries have no events: the log is read again at this pace while something is on its way. */
const PACE_MS = 1500

const keyOf = (webhook_id: string) => keys.other('webhooks', 'deliveries', { webhook_id })

export const refreshDeliveries = (webhook_id: string) =>
  queryClient.invalidateQueries({ queryKey: keyOf(webhook_id) })

export const forgetDeliveries = (webhook_id: string) =>
  queryClient.removeQueries({ queryKey: keyOf(webhook_id) })

/** The last deliveries, the latest first. */
export function Deliveries({ webhookId: webhook_id }: { webhookId: string }) {
  const { data } = useQuery({
    queryKey: keyOf(webhook_id),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/webhooks/{webhook_id}/deliveries', {
        path: { webhook_id },
        query: { page_size: 25 },
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? PACE_MS : false,
  })
  const [shown, setShown] = useState<Delivery>()
  if (!data) return <div className="h-9" role="status" aria-label="Loading" />
  if (data.items.length === 0) {
    return <p className="text-ink-2">Nothing was delivered in the last seven days. Send a test event.</p>
  }
  return (
    <>
      <ul aria-label="Deliveries" className="divide-y divide-line rounded-md border border-line bg-surface">
        {data.items.map(delivery => (
          <li key={delivery.id}>
            <button
              type="button"
              onClick={() => setShown(delivery)}
              className="flex h-9 w-full items-center gap-3 px-2.5 text-left hover:bg-hover"
            >
              <Badge tone={TONES[delivery.status]}>{humanize(delivery.status)}</Badge>
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{delivery.event_type}</span>
              <span className="text-xs text-ink-3 tabular">{resultOf(delivery)}</span>
              <TimeAgo
                time={delivery.created_at}
                className="w-24 text-right text-xs text-ink-3 max-[719px]:hidden"
              />
            </button>
          </li>
        ))}
      </ul>
      {shown && <DeliveryDialog delivery={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

const resultOf = ({ response_status, error, duration_ms }: Delivery): string =>
  [
    response_status ?? (error ? 'no answer' : ''),
    duration_ms === null ? '' : `${formatNumber(duration_ms)} ms`,
  ]
    .filter(Boolean)
    .join(' · ')

/** The request and every attempt, to find out why a receiver refused it. */
function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const path = { webhook_id: delivery.webhook_id, delivery_id: delivery.id }
  const { data } = useQuery({
    queryKey: keys.other('webhooks', 'delivery', path),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/webhooks/{webhook_id}/deliveries/{delivery_id}', { path, signal }),
  })
  const replay = async () => {
    await kith.request('POST', '/api/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', { path })
    await refreshDeliveries(path.webhook_id)
    onClose()
    toast('Sending it again')
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={delivery.event_type}
      description={delivery.error ?? resultOf(delivery)}
      footer={<Button onClick={() => void replay().catch(showError)}>Send again</Button>}
    >
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long request is scrolled by keyboard
        tabIndex={0}
        className="max-h-[50vh] min-h-40 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs scroll-thin"
      >
        {data ? JSON.stringify({ request: data.request, attempts: data.attempts }, null, 2) : ''}
      </pre>
    </Dialog>
  )
}
