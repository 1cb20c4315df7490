import { type ReactElement, useState } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { Button } from '#components/button.tsx'
import type { PickerItem } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { TagPicker } from '#components/tag-picker.tsx'
import { tagMany } from './bulk-actions.ts'

interface TagPopoverProps {
  group: ListGroupName
  ids: string[]
  trigger: ReactElement
}

export function TagPopover({ group, ids, trigger }: TagPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<PickerItem[]>([])
  const apply = async (remove: boolean) => {
    const tagIds = chosen.map(({ value }) => value)
    if (await tagMany(group, ids, tagIds, remove)) close(false)
  }
  const close = (open: boolean) => {
    setOpen(open)
    setChosen([])
  }
  return (
    <Popover
      trigger={trigger}
      label="Tag the selected rows"
      isOpen={isOpen}
      onOpenChange={close}
      className=""
    >
      <TagPicker value={chosen} onChange={setChosen} />
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
