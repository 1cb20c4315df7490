import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { nameOf } from '#data/names.ts'
import { useList } from '#data/records.ts'
import { mergeMany } from './bulk-actions.ts'

interface MergeDialogProps {
  group: 'contacts' | 'companies'
  ids: string[]
  isOpen: boolean
  onClose: () => void
  onMerged: () => void
}

export function MergeDialog({ group, ids, isOpen, onClose, onMerged }: MergeDialogProps) {
  const { items } = useList(group, { ids: ids.join(','), page_size: 50 }, { enabled: isOpen })
  const [primary, setPrimary] = useState('')
  const chosen = ids.includes(primary) ? primary : (ids[0] ?? '')
  const merge = async () => {
    const others = ids.filter(id => id !== chosen)
    onClose()
    if (await mergeMany(group, chosen, others)) onMerged()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Merge ${ids.length} ${group}`}
      description="Choose the one that stays. Its empty fields are filled from the others, and their notes, deals and activities move to it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => void merge()}>
            Merge
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-1">
        {items.map(record => (
          <label
            key={record.id}
            className="flex items-center gap-3 rounded-md border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="primary"
              checked={record.id === chosen}
              onChange={() => setPrimary(record.id)}
            />
            <Avatar name={nameOf(record)} isSquare={group === 'companies'} size="md" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{nameOf(record)}</span>
              <span className="block truncate text-xs text-ink-3">
                {[record.email, record.city].filter(Boolean).join(' · ')}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Dialog>
  )
}
