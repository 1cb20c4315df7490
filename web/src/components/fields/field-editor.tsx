/** Edits the value of a field in place: Enter or leaving saves it, Escape does not. */
import type { ReactNode } from 'react'
import { type Field, readField } from '#data/field-types.ts'
import { ChoiceEditor } from './choice-editor.tsx'
import { ReferenceEditor } from './reference-editor.tsx'
import { TextEditor } from './text-editor.tsx'

export { isEditable } from '#data/field-types.ts'

export interface EditorProps {
  field: Field
  record: { id: string }
  value: unknown
  /** `shown` is the value in the form of the record, where that differs from what is written */
  onCommit: (value: unknown, shown?: object) => void
  onCancel: () => void
}

const CHOICES = ['select', 'multi_select', 'boolean', 'user', 'stage', 'categories', 'rating']

export function FieldEditor(props: Omit<EditorProps, 'value'>): ReactNode {
  const editor = { ...props, value: readField(props.record, props.field) }
  if (CHOICES.includes(props.field.type)) return <ChoiceEditor {...editor} />
  if (props.field.type === 'reference' || props.field.type === 'references')
    return <ReferenceEditor {...editor} />
  return <TextEditor {...editor} />
}
