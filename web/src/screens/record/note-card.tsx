import type { Schemas } from '@kith/client'
import { Ellipsis, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { Form } from '#components/form.tsx'
import { FieldTextarea, Labelled } from '#components/labelled.tsx'
import { Markdown } from '#components/markdown.tsx'
import { Menu, MenuItem } from '#components/menu.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { storeDraft, storedDraft } from '#data/drafts.ts'
import { useMembers } from '#data/people.tsx'
import { useDelete, useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { onSend } from './note-form.tsx'

/** A note with its author; it is edited in its place. */
export function NoteCard({ note }: { note: Schemas['Note'] }) {
  const { byId } = useMembers()
  const update = useUpdate('notes')
  const write = useUpdate('notes', { isForm: true })
  const remove = useDelete('notes')
  const isWriter = useIsWriter()
  const { id, title, content, is_pinned, user_id, created_at } = note
  const name = title ?? 'note'
  const key = `note.${id}`
  /** the text in the editor; undefined: it is closed. It opens with what was written before a reload. */
  const [edited, setEdited] = useState(() => {
    const draft = storedDraft(key)
    return draft?.trim() === content ? undefined : draft
  })
  const type = (text: string) => {
    setEdited(text)
    storeDraft(key, text === content ? '' : text)
  }
  const close = () => {
    setEdited(undefined)
    storeDraft(key, '')
  }
  const pin = () =>
    update.mutate({ id, changes: { is_pinned: !is_pinned }, message: is_pinned ? 'Unpinned' : 'Pinned' })
  const save = async () => {
    const text = edited?.trim()
    if (text && text !== content)
      await write.mutateAsync({ id, changes: { content: text }, message: 'Changed note' })
    close()
  }
  return (
    <article
      aria-label={title ?? 'Note'}
      className={classes(
        'group rounded-lg border px-4 py-3',
        is_pinned ? 'border-line-strong bg-canvas' : 'border-line bg-surface',
      )}
    >
      <header className="flex h-6 items-center gap-1.5 text-xs text-ink-3">
        {is_pinned && <Pin size={12} className="text-accent-text" aria-label="Pinned" />}
        <span className="font-medium text-ink-2">{byId.get(user_id ?? '')?.name ?? 'Service'}</span>
        <TimeAgo time={created_at} />
        {isWriter && (
          <div className="ml-auto flex">
            <IconButton label={is_pinned ? 'Unpin' : 'Pin'} onClick={pin}>
              {is_pinned ? <PinOff size={14} /> : <Pin size={14} />}
            </IconButton>
            <Menu
              align="end"
              trigger={
                <IconButton label={`More for this ${name === 'note' ? 'note' : `note: ${name}`}`}>
                  <Ellipsis size={14} />
                </IconButton>
              }
            >
              <MenuItem icon={<Pencil size={14} />} onSelect={() => setEdited(content)}>
                Edit
              </MenuItem>
              <MenuItem
                icon={<Trash2 size={14} />}
                isDanger
                onSelect={() => remove.mutate({ id, name: title ?? 'the note' })}
              >
                Delete
              </MenuItem>
            </Menu>
          </div>
        )}
      </header>
      {title && <h3 className="mt-1 font-semibold">{title}</h3>}
      {edited !== undefined ? (
        <NoteEditor text={edited} onChange={type} onSave={save} onCancel={close} />
      ) : (
        <div className="mt-1 max-w-[68ch] break-words">
          <Markdown text={content} />
        </div>
      )}
    </article>
  )
}

interface NoteEditorProps {
  text: string
  onChange: (text: string) => void
  onSave: () => Promise<void>
  onCancel: () => void
}

function NoteEditor({ text, onChange, onSave, onCancel }: NoteEditorProps) {
  return (
    <Form className="mt-1 flex flex-col gap-2" onSubmit={onSave}>
      <Labelled name="content" label="Text of the note" isLabelHidden>
        <FieldTextarea
          className="field-sizing-content max-h-[60vh]"
          value={text}
          autoFocus
          onChange={event => onChange(event.currentTarget.value)}
          onKeyDown={onSend(onCancel)}
        />
      </Labelled>
      <div className="flex items-center justify-end gap-2">
        <span className="mr-auto text-xs text-ink-3">Draft, stored in this browser until you save</span>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit">
          Save
        </Button>
      </div>
    </Form>
  )
}
