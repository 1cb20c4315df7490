import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CopyField } from '#components/copy-field.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Select } from '#components/select.tsx'
import { kith } from '#data/client.ts'
import { refreshKeys } from './api-keys.tsx'

const ACCESS = [
  { value: '*', label: 'Read and change everything' },
  { value: '*:read', label: 'Read everything' },
  { value: 'some', label: 'Scopes that you name' },
] as const

const LIFETIMES = [
  { value: '0', label: 'Does not expire' },
  { value: '30', label: 'Expires in 30 days' },
  { value: '90', label: 'Expires in 90 days' },
  { value: '365', label: 'Expires in a year' },
] as const

const DAY_MS = 86_400_000

/** Asks for name, access and lifetime, and then shows the key, which the service returns only this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<(typeof ACCESS)[number]['value']>('*')
  const [scopes, setScopes] = useState('')
  const [days, setDays] = useState<(typeof LIFETIMES)[number]['value']>('0')
  const [apiKey, setApiKey] = useState('')
  const create = async () => {
    const { key } = await kith.apiKeys.create({
      name: name.trim(),
      scopes: access === 'some' ? scopes.split(/[\s,]+/).filter(Boolean) : [access],
      ...(days === '0' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    })
    setApiKey(key)
    await refreshKeys()
  }
  if (apiKey) return <ShownKey apiKey={apiKey} onClose={onClose} />
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New API key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="key">
            Create
          </Button>
        </>
      }
    >
      <Form id="key" className="flex flex-col gap-3" onSubmit={create}>
        <Labelled name="name" label="Name" hint="The program that uses it.">
          <FieldInput
            value={name}
            required
            autoFocus
            maxLength={255}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Labelled>
        <div className="flex flex-col gap-1">
          <span className="text-xs font-medium text-ink-2">Access</span>
          <Select label="Access" value={access} options={ACCESS} onChange={setAccess} />
        </div>
        {access === 'some' && (
          <Labelled
            name="scopes"
            label="Scopes"
            hint="Such as contacts:read companies:*, separated by spaces."
          >
            <FieldInput value={scopes} required onChange={event => setScopes(event.currentTarget.value)} />
          </Labelled>
        )}
        <div className="flex flex-col gap-1">
          <span className="text-xs font-medium text-ink-2">Lifetime</span>
          <Select label="Lifetime" value={days} options={LIFETIMES} onChange={setDays} />
        </div>
      </Form>
    </Dialog>
  )
}

export const ShownKey = ({ apiKey, onClose }: { apiKey: string; onClose: () => void }) => (
  <Dialog
    isOpen
    onClose={onClose}
    title="Your new key"
    description="Store it now: it is shown only this once."
    footer={
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <div className="flex flex-col gap-4">
      <CopyField label="API key" text={apiKey} />
      <CopyField label="Try it" text={`curl -H 'X-API-Key: ${apiKey}' ${location.origin}/api/companies`} />
    </div>
  </Dialog>
)
