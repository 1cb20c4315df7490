/** Edits all mail addresses or phone numbers of a contact: leaving saves, Escape does not. */
import { Plus, Star, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { Input } from '#components/input.tsx'
import { Select } from '#components/select.tsx'
import {
  ADDRESS_KEY,
  ADDRESS_TYPES,
  type Address,
  type AddressList,
  addressChanges,
  addressesOf,
} from '#data/addresses.ts'
import { draftOf, forgetDraft, keepDraft } from '#data/drafts.ts'
import { humanize } from '#lib/format.ts'
import { EditorPopup } from './editor-popup.tsx'
import type { EditorProps } from './field-editor.tsx'

const NEW: Address = { value: '', type: 'work', is_primary: false }

export function AddressEditor({ field, record, value, onCommit, onCancel }: EditorProps) {
  const list = field.type as AddressList
  const noun = ADDRESS_KEY[list]
  const initial = addressesOf(list, value)
  const [rows, setRows] = useState<Address[]>(() => {
    const draft = draftOf(record, field.key)
    const first = draft ? (JSON.parse(draft) as Address[]) : initial
    return first.length > 0 ? first : [{ ...NEW, is_primary: true }]
  })
  const change = (index: number, changes: Partial<Address>) =>
    setRows(rows.with(index, { ...(rows[index] ?? NEW), ...changes }))
  const cancel = () => {
    forgetDraft(record, field.key)
    onCancel()
  }
  const save = () => {
    const changes = addressChanges(list, rows)
    if (JSON.stringify(changes) === JSON.stringify(addressChanges(list, initial))) return cancel()
    keepDraft(record, field.key, JSON.stringify(rows))
    onCommit(changes.value, undefined, changes.also)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isInput = event.target instanceof HTMLInputElement
    if (event.key === 'Escape' && isInput) {
      event.stopPropagation()
      cancel()
    } else if (event.key === 'Enter' && isInput) {
      event.preventDefault()
      save()
    }
  }
  return (
    <EditorPopup label={field.label} onClose={save}>
      <div
        role="group"
        aria-label={field.label}
        className="flex w-92 max-w-[100vw] flex-col gap-1.5 p-2"
        onKeyDown={onKeyDown}
      >
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows can be alike while they are typed
          <div key={index} className="flex items-center gap-1">
            <div className="min-w-0 flex-1">
              <Input
                aria-label={`${humanize(noun)} ${index + 1}`}
                type={noun === 'email' ? 'email' : 'tel'}
                autoFocus={index === rows.length - 1}
                value={row.value}
                onChange={event => change(index, { value: event.target.value })}
              />
            </div>
            <div className="w-24 shrink-0">
              <Select
                label={`Type of ${noun} ${index + 1}`}
                value={row.type}
                options={ADDRESS_TYPES[list].map(type => ({ value: type, label: humanize(type) }))}
                onChange={type => change(index, { type })}
              />
            </div>
            <IconButton
              label={`Make ${noun} ${index + 1} the primary one`}
              aria-pressed={row.is_primary}
              className={row.is_primary ? 'text-warn' : undefined}
              onClick={() => setRows(rows.map((one, other) => ({ ...one, is_primary: other === index })))}
            >
              <Star size={14} fill={row.is_primary ? 'currentColor' : 'none'} />
            </IconButton>
            <IconButton
              label={`Remove ${noun} ${index + 1}`}
              onClick={() => setRows(rows.toSpliced(index, 1))}
            >
              <X size={14} />
            </IconButton>
          </div>
        ))}
        <div className="flex justify-between">
          <Button variant="ghost" size="sm" onClick={() => setRows([...rows, NEW])}>
            <Plus size={14} />
            Add {noun === 'email' ? 'an email' : 'a phone'}
          </Button>
          <Button variant="primary" size="sm" onClick={save}>
            Save
          </Button>
        </div>
      </div>
    </EditorPopup>
  )
}
