/** Who gets the mail: contacts by name, or any address. */
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Button } from '#components/button.tsx'
import { Picker, type PickerItem } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { useList } from '#data/records.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import type { Draft } from './boxes.ts'

type Address = Draft['to'][number]

/** The contact and its company, whose values the variables get. */
export interface ChosenContact {
  contact_id: string
  company_id: string | null
}

interface RecipientsProps {
  label: string
  addresses: readonly Address[]
  onChange: (addresses: Address[], chosen?: ChosenContact) => void
}

export function Recipients({ label, addresses, onChange }: RecipientsProps) {
  const [isOpen, setOpen] = useState(false)
  const add = (address: Address, chosen?: ChosenContact) => {
    setOpen(false)
    if (!addresses.some(({ email }) => email === address.email)) onChange([...addresses, address], chosen)
  }
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-1.5 border-b border-line py-1">
      <span className="w-14 shrink-0 text-xs text-ink-3">{label}</span>
      {addresses.map(({ name, email }) => (
        <span
          key={email}
          title={email}
          className="flex h-6 max-w-64 items-center gap-1.5 rounded-md bg-active pr-1 pl-1.5"
        >
          <Avatar name={name || email} />
          <span className="truncate">{name || email}</span>
          <button
            type="button"
            aria-label={`Remove ${name || email}`}
            onClick={() => onChange(addresses.filter(address => address.email !== email))}
            className="rounded-sm p-0.5 text-ink-3 hover:bg-hover hover:text-ink"
          >
            <X size={12} />
          </button>
        </span>
      ))}
      <Popover
        label={`Add to ${label}`}
        isOpen={isOpen}
        onOpenChange={setOpen}
        className=""
        trigger={
          <Button variant="ghost" size="sm" aria-label={`Add a recipient: ${label}`}>
            <Plus size={13} /> {addresses.length === 0 && <span aria-hidden="true">Recipient</span>}
          </Button>
        }
      >
        <ContactPicker onPick={add} />
      </Popover>
    </div>
  )
}

const ADDRESS = /^\S+@\S+\.\S+$/

function ContactPicker({ onPick }: { onPick: (address: Address, chosen?: ChosenContact) => void }) {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), 150)
  const { items, isFetching } = useList('contacts', { ...(search ? { search } : {}), page_size: 20 })
  const contacts = items.filter(({ email }) => email)
  const typed: PickerItem[] = ADDRESS.test(text.trim()) ? [{ value: text.trim(), label: text.trim() }] : []
  const choices = contacts.map(({ id, full_name, email }) => ({
    ...{ value: id, label: full_name, detail: email ?? '' },
    icon: <Avatar name={full_name} />,
  }))
  const pick = (item: PickerItem | null) => {
    const contact = contacts.find(({ id }) => id === item?.value)
    if (contact?.email) {
      const chosen = { contact_id: contact.id, company_id: contact.company_id }
      onPick({ email: contact.email, name: contact.full_name }, chosen)
    } else if (item) onPick({ email: item.value, name: null })
  }
  return (
    <Picker
      label="Find a contact"
      placeholder="Name or address…"
      items={[...typed, ...choices]}
      value={null}
      onChange={pick}
      onSearch={setText}
      isLoading={isFetching}
    />
  )
}
