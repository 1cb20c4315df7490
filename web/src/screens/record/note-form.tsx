import type { KeyboardEvent } from 'react'
import { Button } from '#components/button.tsx'
import { Textarea } from '#components/input.tsx'
import { Keys } from '#components/keys.tsx'
import { useStoredDraft } from '#data/drafts.ts'
import type { CreateOf } from '#data/groups.ts'
import { notesOf, type Subject } from './subject.ts'
import { useAdd } from './use-add.ts'

/** `mod+enter` sends a form that has a text of several lines. */
export const onSend = (send: () => void, cancel?: () => void) => (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault()
    send()
  } else if (event.key === 'Escape' && cancel) {
    event.stopPropagation()
    cancel()
  }
}

/** A new note on the record. */
export function NoteForm({ subject, autoFocus }: { subject: Subject; autoFocus?: boolean }) {
  const [content, write] = useStoredDraft(`note.${subject.kind}.${subject.id}`)
  const create = useAdd('notes', notesOf(subject))
  const send = async () => {
    const text = content.trim()
    if (!text || create.isPending) return
    const note: CreateOf<'notes'> = { content: text, entity_type: subject.kind, entity_id: subject.id }
    // the text of a refused note remains in the field
    const created = await create.mutateAsync(note).catch(() => undefined)
    if (created) write('')
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <Textarea
        aria-label="New note"
        placeholder={`Write a note about ${subject.name}…`}
        className="field-sizing-content max-h-80 min-h-16"
        value={content}
        autoFocus={autoFocus ?? false}
        onChange={event => write(event.target.value)}
        onKeyDown={onSend(() => void send())}
      />
      <div className="flex items-center justify-end gap-2">
        {content.trim() !== '' && (
          <>
            <span className="mr-auto text-xs text-ink-3">Draft, stored in this browser</span>
            <Button variant="ghost" size="sm" onClick={() => write('')}>
              Discard
            </Button>
            <Keys shortcut="mod+enter" />
          </>
        )}
        <Button
          variant="primary"
          size="sm"
          type="submit"
          disabled={content.trim() === '' || create.isPending}
        >
          Add note
        </Button>
      </div>
    </form>
  )
}
