import type { KeyboardEvent } from 'react'
import { Button } from '#components/button.tsx'
import { Form } from '#components/form.tsx'
import { Keys } from '#components/keys.tsx'
import { FieldTextarea, Labelled } from '#components/labelled.tsx'
import { useStoredDraft } from '#data/drafts.ts'
import type { CreateOf } from '#data/groups.ts'
import { notesOf, type Subject } from './subject.ts'
import { useAdd } from './use-add.ts'

/** `mod+enter` sends a form that has a text of several lines. */
export const onSend = (cancel?: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault()
    event.currentTarget.closest('form')?.requestSubmit()
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
    if (!text) return
    const note: CreateOf<'notes'> = { content: text, entity_type: subject.kind, entity_id: subject.id }
    await create.mutateAsync(note)
    write('')
  }
  return (
    <Form className="flex flex-col gap-2" onSubmit={send}>
      <Labelled name="content" label="New note" isLabelHidden>
        <FieldTextarea
          placeholder={`Write a note about ${subject.name}…`}
          className="field-sizing-content max-h-80 min-h-16"
          value={content}
          autoFocus={autoFocus ?? false}
          onChange={event => write(event.currentTarget.value)}
          onKeyDown={onSend()}
        />
      </Labelled>
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
    </Form>
  )
}
