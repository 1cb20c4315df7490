import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { currencyItems } from '#components/currency-picker.tsx'
import { MultiPicker, Picker, type PickerItem } from '#components/picker.tsx'
import type { Field } from '#data/field-types.ts'
import { useMembers, usePipelines } from '#data/people.tsx'
import { useList } from '#data/records.ts'
import { EditorPopup } from './editor-popup.tsx'
import type { EditorProps } from './field-editor.tsx'

const NONE = { value: '', label: 'None' }

/** The values that a field can have. */
export function useChoices({ type, options, isRequired }: Field): PickerItem[] {
  const { members } = useMembers()
  const { stages, pipelines, pipelineById } = usePipelines()
  const categories = useList('categories', { page_size: 1000 }, { enabled: type === 'categories' })
  const tags = useList('tags', { page_size: 1000 }, { enabled: type === 'tags' })
  const none = isRequired || type === 'multi_select' || type === 'categories' ? [] : [NONE]
  switch (type) {
    case 'user':
      return [
        ...none,
        ...members.map(({ user_id, name }) => ({
          value: user_id,
          label: name,
          icon: <Avatar name={name} />,
        })),
      ]
    case 'stage': {
      const isOne = pipelineById.size < 2
      return stages.map(({ id, name, pipeline_id }) => ({
        value: id,
        label: name,
        ...(isOne ? {} : { detail: pipelineById.get(pipeline_id)?.name ?? '' }),
      }))
    }
    case 'pipeline':
      return pipelines.map(({ id, name }) => ({ value: id, label: name }))
    case 'tags':
      return tags.items.map(({ name }) => ({ value: name, label: name }))
    case 'currency':
      return currencyItems()
    case 'boolean':
      return [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]
    case 'rating':
      return [...none, ...[1, 2, 3, 4, 5].map(step => ({ value: String(step), label: '★'.repeat(step) }))]
    case 'categories':
      return categories.items.map(({ name }) => ({ value: name, label: name }))
    default:
      return [...none, ...(options ?? []).map(({ value, label }) => ({ value, label }))]
  }
}

/** The value in the form that the API accepts. */
export function choiceValue(field: Field, value: string): unknown {
  if (field.type === 'boolean') return value === 'true'
  if (value === '') return null
  return field.type === 'rating' ? Number(value) : value
}

export function ChoiceEditor(props: EditorProps) {
  const isMultiple = props.field.type === 'multi_select' || props.field.type === 'categories'
  return isMultiple ? <SeveralEditor {...props} /> : <OneEditor {...props} />
}

function OneEditor({ field, value, onCommit, onCancel }: EditorProps) {
  const items = useChoices(field)
  const current = items.find(item => item.value === String(value ?? '')) ?? null
  return (
    <EditorPopup label={field.label} onClose={onCancel}>
      <Picker
        label={field.label}
        items={items}
        value={current}
        onChange={item => (item ? onCommit(choiceValue(field, item.value)) : onCancel())}
      />
    </EditorPopup>
  )
}

function SeveralEditor({ field, value, onCommit, onCancel }: EditorProps) {
  const items = useChoices(field)
  const initial = (Array.isArray(value) ? value : []).map(one => ({ value: String(one), label: String(one) }))
  const [chosen, setChosen] = useState<PickerItem[]>(initial)
  const close = () => {
    const values = chosen.map(item => item.value)
    if (values.join() === initial.map(item => item.value).join()) onCancel()
    else onCommit(values)
  }
  return (
    <EditorPopup label={field.label} onClose={close}>
      <MultiPicker label={field.label} items={items} value={chosen} onChange={setChosen} />
    </EditorPopup>
  )
}
