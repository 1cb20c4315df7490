import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { MultiPicker, Picker, type PickerItem } from '#components/picker.tsx'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { useList } from '#data/records.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { EditorPopup } from './editor-popup.tsx'
import type { EditorProps } from './field-editor.tsx'

export { nameOf } from '#data/names.ts'

interface Reference {
  id: string
  name: string
}

const itemOf = (kind: Kind, { id, name }: Reference): PickerItem => ({
  value: id,
  label: name,
  icon: <Avatar name={name} isSquare={kind !== 'contact'} />,
})

/** Records of a kind that match what was typed; without a text the most recently changed ones. */
export function useRecordSearch(kind: Kind) {
  const [text, setText] = useState('')
  const search = useDebounced(text, 150)
  const query = {
    page_size: 20,
    ...(search ? { search } : { sort_by: 'updated_at', sort_order: 'desc' as const }),
  }
  const { items, isFetching } = useList(GROUP_OF_KIND[kind], query)
  const matches = items.map(record => itemOf(kind, { id: record.id, name: nameOf(record) }))
  return { items: matches, isLoading: isFetching, onSearch: setText, text }
}

export function ReferenceEditor(props: EditorProps) {
  return props.field.type === 'references' ? <SeveralEditor {...props} /> : <OneEditor {...props} />
}

function OneEditor({ field, record, value, onCommit, onCancel }: EditorProps) {
  const kind = field.kind ?? 'company'
  const { text: _text, ...search } = useRecordSearch(kind)
  const current = value ? itemOf(kind, value as Reference) : null
  const items = field.isRequired ? search.items : [{ value: '', label: 'None' }, ...search.items]
  const choose = (item: PickerItem | null) => {
    if (!item) return onCancel()
    const names = field.names ? [(record as Record<string, unknown>)[field.names] ?? []].flat() : []
    const shown =
      field.names && item.value ? { [field.names]: [{ id: item.value, name: item.label }, ...names] } : {}
    onCommit(item.value || null, shown)
  }
  return (
    <EditorPopup label={field.label} onClose={onCancel}>
      <Picker label={field.label} {...search} items={items} value={current} onChange={choose} />
    </EditorPopup>
  )
}

function SeveralEditor({ field, value, onCommit, onCancel }: EditorProps) {
  const kind = field.kind ?? 'contact'
  const { text, ...search } = useRecordSearch(kind)
  const initial = ((value ?? []) as Reference[]).map(reference => itemOf(kind, reference))
  // first those to remove, which a search for others need not have
  const others = search.items.filter(item => initial.every(one => one.value !== item.value))
  const items = text ? search.items : [...initial, ...others]
  const [chosen, setChosen] = useState(initial)
  const close = () => {
    const ids = chosen.map(item => item.value)
    if (ids.join() === initial.map(item => item.value).join()) return onCancel()
    onCommit(ids, { [field.key]: chosen.map(({ value: id, label: name }) => ({ id, name })) })
  }
  return (
    <EditorPopup label={field.label} onClose={close}>
      <MultiPicker label={field.label} {...search} items={items} value={chosen} onChange={setChosen} />
    </EditorPopup>
  )
}
