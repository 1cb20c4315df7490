import { Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { FieldEditor, isEditable } from '#components/fields/field-editor.tsx'
import { FieldValue } from '#components/fields/field-value.tsx'
import { type FieldEdit, fieldUpdate } from '#data/field-edit.ts'
import { type Field, readField } from '#data/field-types.ts'
import { useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import type { AnyRecord, Subject } from './subject.ts'

interface FactProps {
  subject: Subject
  record: AnyRecord
  field: Field
}

/** Writes a field of the record, shown at once and with Undo. */
export function useCommit({ group, id }: Subject) {
  const { mutate } = useUpdate(group)
  return (edit: FieldEdit, editAgain: () => void) => mutate(fieldUpdate(id, edit, editAgain))
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A field with its value; a click on it, or its button, edits it in place. */
export function Fact({ subject, record, field }: FactProps) {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const commit = useCommit(subject)
  useEffect(() => {
    if (wasEditing.current && !isEditing && document.activeElement === document.body) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  const isWriter = useIsWriter()
  const canEdit = isWriter && isEditable(field)
  const isBlank = isEmpty(readField(record, field))
  return (
    <div className="group grid grid-cols-[112px_minmax(0,1fr)] items-start">
      <dt className="truncate py-1 text-ink-3" title={field.label}>
        {field.label}
      </dt>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button does the same by keyboard */}
      <dd
        className={classes(
          'relative flex min-h-7 min-w-0 items-start rounded-md px-2 py-1',
          canEdit && !isEditing && 'group-hover:bg-hover',
          isEditing && 'shadow-[inset_0_0_0_1.5px_var(--color-accent)]',
        )}
        onClick={event => {
          const isLink = event.target instanceof Element && event.target.closest('a, button')
          if (canEdit && !isEditing && !isLink) setEditing(true)
        }}
      >
        {isEditing ? (
          <FieldEditor
            field={field}
            record={record}
            onCommit={edit => {
              setEditing(false)
              commit(edit, () => setEditing(true))
            }}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <>
            <span
              className={classes(
                'min-w-0 flex-1',
                // whole values: there is no other place to read an address of 30 letters
                'wrap-anywhere',
                field.type === 'long_text' && 'whitespace-pre-line',
              )}
            >
              {isBlank ? <span className="text-ink-3">–</span> : <FieldValue field={field} record={record} />}
            </span>
            {canEdit && (
              <button
                ref={button}
                type="button"
                aria-label={`Edit ${field.label.toLowerCase()}`}
                onClick={() => setEditing(true)}
                className="absolute top-1 right-1 rounded-sm bg-raised p-1 text-ink-3 opacity-0 shadow-float group-hover:opacity-100 focus-visible:opacity-100"
              >
                <Pencil size={12} />
              </button>
            )}
          </>
        )}
      </dd>
    </div>
  )
}
