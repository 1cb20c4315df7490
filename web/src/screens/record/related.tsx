import { Plus } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#components/button.tsx'
import { FieldEditor } from '#components/fields/field-editor.tsx'
import { RecordLink } from '#components/fields/field-value.tsx'
import { type Field, readField } from '#data/field-types.ts'
import { useIsWriter } from '#data/session.ts'
import { useCommit } from './fact.tsx'
import type { AnyRecord, Subject } from './subject.ts'

/** Shown until the person asks for all. */
const FIRST = 6

interface RelatedProps {
  subject: Subject
  record: AnyRecord
  field: Field
}

/** The records of a kind that the record is linked to. */
export function Related({ subject, record, field }: RelatedProps) {
  const [isEditing, setEditing] = useState(false)
  const [isAll, setAll] = useState(false)
  const commit = useCommit(subject)
  const isWriter = useIsWriter()
  const references = (readField(record, field) ?? []) as { id: string; name: string }[]
  const shown = isAll ? references : references.slice(0, FIRST)
  return (
    <section aria-label={field.label} className="mt-5">
      <header className="flex h-7 items-center gap-1.5">
        <h2 className="text-xs font-medium text-ink-3">{field.label}</h2>
        {references.length > 0 && <span className="text-xs text-ink-3 tabular">{references.length}</span>}
        {isWriter && !field.isReadOnly && (
          <IconButton
            label={`Link ${field.label.toLowerCase()}`}
            className="ml-auto"
            onClick={() => setEditing(true)}
          >
            <Plus size={14} />
          </IconButton>
        )}
      </header>
      {isEditing && (
        <FieldEditor
          field={field}
          record={record}
          onCommit={edit => {
            setEditing(false)
            commit(edit, () => setEditing(true))
          }}
          onCancel={() => setEditing(false)}
        />
      )}
      <ul className="flex flex-col">
        {shown.map(reference => (
          <li key={reference.id} className="flex h-7 items-center">
            <RecordLink field={field} reference={reference} />
          </li>
        ))}
      </ul>
      {references.length > shown.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="h-7 rounded-sm text-xs text-ink-2 hover:text-ink"
        >
          Show all {references.length}
        </button>
      )}
    </section>
  )
}
