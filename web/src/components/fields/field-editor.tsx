/** Edits the value of a field in place: Enter or leaving saves it, Escape does not. */
import { type ReactNode, useState } from 'react'
import type { FieldEdit } from '#data/field-edit.ts'
import { type Field, readField } from '#data/field-types.ts'
import { AddressEditor } from './address-editor.tsx'
import { ChoiceEditor } from './choice-editor.tsx'
import { DueEditor } from './due-control.tsx'
import { ReferenceEditor } from './reference-editor.tsx'
import { TextEditor } from './text-editor.tsx'

export { isEditable } from '#data/field-types.ts'

export interface EditorProps {
  field: Field
  record: { id: string }
  value: unknown
  /** `shown` is the value in the form of the record, where that differs; `also` are other fields that it sets */
  onCommit: (value: unknown, shown?: object, also?: FieldEdit['also']) => void
  onCancel: () => void
}

const CHOICES = ['select', 'currency', 'multi_select', 'boolean', 'user', 'stage', 'categories', 'rating']

interface FieldEditorProps extends Omit<EditorProps, 'value' | 'onCommit'> {
  onCommit: (edit: FieldEdit) => void
}

export function FieldEditor({ onCommit, ...props }: FieldEditorProps): ReactNode {
  const { record, field } = props
  // as the person saw it: what others write meanwhile does not become what is edited
  const [before] = useState(() => readField(record, field))
  const editor: EditorProps = {
    ...props,
    value: before,
    onCommit: (value, shown, also) =>
      onCommit({ field, value, before, ...(shown ? { shown } : {}), ...(also ? { also } : {}) }),
  }
  if (CHOICES.includes(field.type)) return <ChoiceEditor {...editor} />
  if (field.type === 'reference' || field.type === 'references') return <ReferenceEditor {...editor} />
  if (field.type === 'emails' || field.type === 'phones') return <AddressEditor {...editor} />
  if (field.type === 'due') return <DueEditor {...editor} />
  return <TextEditor {...editor} />
}
