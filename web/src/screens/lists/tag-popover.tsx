import { type ReactElement, useState } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { Button } from '#components/button.tsx'
import { MultiPicker, type PickerItem } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { showError } from '#components/toast.tsx'
import { methodsOf } from '#data/groups.ts'
import { refreshLists, useList } from '#data/records.ts'
import { tagMany } from './bulk-actions.ts'

interface TagPopoverProps {
  group: ListGroupName
  ids: string[]
  trigger: ReactElement
}

const NEW = 'new:'

export function TagPopover({ group, ids, trigger }: TagPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<PickerItem[]>([])
  const { items: tags } = useList('tags', { page_size: 1000, sort_by: 'name' }, { enabled: isOpen })
  const name = text.trim()
  const matches = tags.filter(tag => tag.name.toLowerCase().includes(name.toLowerCase()))
  const isNew = name !== '' && !tags.some(tag => tag.name.toLowerCase() === name.toLowerCase())
  const items = [
    ...matches.map(tag => ({ value: tag.id, label: tag.name })),
    ...(isNew ? [{ value: NEW + name, label: `Create “${name}”` }] : []),
  ]
  const choose = async (picked: PickerItem[]) => {
    const created = picked.find(({ value }) => value.startsWith(NEW))
    if (!created) return setChosen(picked)
    const tag = await methodsOf<{ id: string; name: string }>('tags').create({
      name: created.value.slice(NEW.length),
    })
    void refreshLists('tags')
    setChosen([...picked.filter(item => item !== created), { value: tag.id, label: tag.name }])
  }
  const apply = async (remove: boolean) => {
    const tagIds = chosen.map(({ value }) => value)
    if (await tagMany(group, ids, tagIds, remove)) close(false)
  }
  const close = (open: boolean) => {
    setOpen(open)
    setChosen([])
    setText('')
  }
  return (
    <Popover
      trigger={trigger}
      label="Tag the selected rows"
      isOpen={isOpen}
      onOpenChange={close}
      className=""
    >
      <MultiPicker
        label="Tags"
        placeholder="Find or create a tag…"
        items={items}
        onSearch={setText}
        value={chosen}
        onChange={picked => void choose(picked).catch(showError)}
      />
      <div className="flex gap-1 border-t border-line p-2">
        <Button
          variant="primary"
          size="sm"
          className="flex-1"
          disabled={chosen.length === 0}
          onClick={() => void apply(false)}
        >
          Add
        </Button>
        <Button size="sm" disabled={chosen.length === 0} onClick={() => void apply(true)}>
          Remove
        </Button>
      </div>
    </Popover>
  )
}
