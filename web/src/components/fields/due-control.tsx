/** A day with an optional time, in a form and in place. */
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Input } from '#components/input.tsx'
import { toast } from '#components/toast.tsx'
import { draftOf, forgetDraft, keepDraft } from '#data/drafts.ts'
import { dueFrom, dueInputs } from '#data/due.ts'
import { EditorPopup } from './editor-popup.tsx'
import type { EditorProps } from './field-editor.tsx'

interface DueInputsProps {
  label: string
  initial: unknown
  onChange: (due: string | null) => void
  autoFocus?: boolean
}

export function DueInputs({ label, initial, onChange, autoFocus = false }: DueInputsProps) {
  const [{ day, time }, setInputs] = useState(() => dueInputs(initial))
  const set = (next: { day: string; time: string }) => {
    setInputs(next)
    onChange(dueFrom(next.day, next.time))
  }
  return (
    <div className="flex gap-1.5">
      <Input
        type="date"
        aria-label={`${label} day`}
        autoFocus={autoFocus}
        value={day}
        onChange={event => set({ day: event.target.value, time })}
      />
      <div className="w-28 shrink-0">
        <Input
          type="time"
          aria-label={`${label} time`}
          value={time}
          onChange={event => set({ day, time: event.target.value })}
        />
      </div>
    </div>
  )
}

/** What is written has no key of its own: its draft is forgotten with the time. */
const DRAFT = 'due_at'

export function DueEditor({ field, record, value, onCommit, onCancel }: EditorProps) {
  const initial = draftOf(record, DRAFT) ?? value ?? null
  const due = useRef(initial)
  const form = useRef<HTMLDivElement>(null)
  const cancel = () => {
    forgetDraft(record, DRAFT)
    onCancel()
  }
  const save = () => {
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])]
    // the browser reports half a date as an empty text, which would empty the field
    if (inputs.some(({ validity }) => validity.badInput)) return toast('Write the whole date, or nothing')
    if (due.current === value) return cancel()
    keepDraft(record, DRAFT, String(due.current ?? ''))
    onCommit(due.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      cancel()
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      save()
    }
  }
  return (
    <EditorPopup label={field.label} onClose={save}>
      <div ref={form} role="group" aria-label={field.label} className="w-72 p-2" onKeyDown={onKeyDown}>
        <DueInputs
          label={field.label}
          initial={initial}
          onChange={next => {
            due.current = next
          }}
          autoFocus
        />
        <div className="mt-2 flex justify-between gap-2">
          <Button
            variant="ghost"
            size="sm"
            onClick={() => {
              due.current = null
              if (value === null || value === undefined) cancel()
              else onCommit(null)
            }}
          >
            Clear
          </Button>
          <Button variant="primary" size="sm" onClick={save}>
            Save
          </Button>
        </div>
      </div>
    </EditorPopup>
  )
}
