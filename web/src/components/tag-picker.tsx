/** Tags to choose, with a new one for a name that no tag has. */
import { useState } from 'react'
import { methodsOf } from '#data/groups.ts'
import { refreshLists, useList } from '#data/records.ts'
import { MultiPicker, type PickerItem } from './picker.tsx'
import { showError } from './toast.tsx'

const NEW = 'new:'

interface TagPickerProps {
  value: PickerItem[]
  onChange: (tags: PickerItem[]) => void
}

export function TagPicker({ value, onChange }: TagPickerProps) {
  const [text, setText] = useState('')
  const { items: tags, isFetching } = useList('tags', { page_size: 1000, sort_by: 'name' })
  const name = text.trim()
  const matches = tags.filter(tag => tag.name.toLowerCase().includes(name.toLowerCase()))
  const isNew = name !== '' && !tags.some(tag => tag.name.toLowerCase() === name.toLowerCase())
  const items = [
    ...matches.map(tag => ({ value: tag.id, label: tag.name })),
    ...(isNew ? [{ value: NEW + name, label: `Create “${name}”` }] : []),
  ]
  const choose = async (picked: PickerItem[]) => {
    const created = picked.find(one => one.value.startsWith(NEW))
    if (!created) return onChange(picked)
    const tag = await methodsOf<{ id: string; name: string }>('tags').create({
      name: created.value.slice(NEW.length),
    })
    void refreshLists('tags')
    onChange([...picked.filter(item => item !== created), { value: tag.id, label: tag.name }])
  }
  return (
    <MultiPicker
      label="Tags"
      placeholder="Find or create a tag…"
      items={items}
      isLoading={isFetching}
      onSearch={setText}
      value={value}
      onChange={picked => void choose(picked).catch(showError)}
    />
  )
}
