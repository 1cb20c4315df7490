import type { Schemas } from '@kith/client'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CopyField } from '#components/copy-field.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { kith } from '#data/client.ts'
import { refreshWebhooks } from './webhooks.tsx'

const CHOICES = ['contact.*', 'company.*', 'deal.*', 'deal.stage_changed', 'activity.*', 'note.*']

interface NewWebhookProps {
  onClose: () => void
  onCreated: (webhook: Schemas['NewWebhook']) => void
}

/** Asks for the address and the events, and then shows the secret, which the service returns only this once. */
export function NewWebhookDialog({ onClose, onCreated }: NewWebhookProps) {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState('deal.*')
  const [secret, setSecret] = useState('')
  const chosen = types.split(/[\s,]+/).filter(Boolean)
  const create = async () => {
    const created = await kith.webhooks.create({ url: url.trim(), event_types: chosen })
    setSecret(created.secret)
    onCreated(created)
    await refreshWebhooks()
  }
  if (secret) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="The secret of your webhook"
        description="Check the signature of each event with it. It is shown only this once."
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <CopyField label="Secret" text={secret} />
      </Dialog>
    )
  }
  const toggle = (type: string) =>
    setTypes((chosen.includes(type) ? chosen.filter(one => one !== type) : [...chosen, type]).join(' '))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New webhook"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="webhook">
            Create
          </Button>
        </>
      }
    >
      <Form id="webhook" className="flex flex-col gap-3" onSubmit={create}>
        <Labelled name="url" label="Address">
          <FieldInput
            type="url"
            required
            autoFocus
            value={url}
            placeholder="https://"
            onChange={event => setUrl(event.currentTarget.value)}
          />
        </Labelled>
        <Labelled name="event_types" label="Events" hint="Separated by spaces; deal.* means all of deals.">
          <FieldInput value={types} required onChange={event => setTypes(event.currentTarget.value)} />
        </Labelled>
        <div className="flex flex-wrap gap-1.5">
          {CHOICES.map(type => (
            <button
              key={type}
              type="button"
              aria-pressed={chosen.includes(type)}
              onClick={() => toggle(type)}
              className="h-6 rounded-md border border-line-strong px-1.5 font-mono text-xs text-ink-2 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
            >
              {type}
            </button>
          ))}
        </div>
      </Form>
    </Dialog>
  )
}
