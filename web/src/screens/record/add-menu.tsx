import { useNavigate } from '@tanstack/react-router'
import { File as FileIcon, Handshake, ListChecks, Package, Plus, StickyNote, User } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CreateDialog } from '#components/create-dialog.tsx'
import { Menu, MenuItem } from '#components/menu.tsx'
import { refreshLists } from '#data/records.ts'
import { dealPreset } from './deals.tsx'
import { hasActivities, type Subject } from './subject.ts'

/** Adds something to the record, from any of its tabs. */
export function AddMenu({ subject }: { subject: Subject }) {
  const { group, kind, id } = subject
  const navigate = useNavigate()
  const [creating, setCreating] = useState<'deal' | 'contact'>()
  const open = (search: Record<string, string>) =>
    void navigate({ to: '/$group/$id', params: { group, id }, search, replace: true })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button variant="primary" size="sm">
            <Plus size={14} />
            Add
          </Button>
        }
      >
        <MenuItem
          icon={<StickyNote size={14} />}
          shortcut="n"
          onSelect={() => open({ tab: 'timeline', add: 'note' })}
        >
          Note
        </MenuItem>
        {hasActivities(kind) && (
          <MenuItem
            icon={<ListChecks size={14} />}
            shortcut="a"
            onSelect={() => open({ tab: 'timeline', add: 'activity' })}
          >
            Activity
          </MenuItem>
        )}
        {kind === 'company' && (
          <MenuItem icon={<User size={14} />} onSelect={() => setCreating('contact')}>
            Contact
          </MenuItem>
        )}
        {(kind === 'company' || kind === 'contact') && (
          <MenuItem icon={<Handshake size={14} />} onSelect={() => setCreating('deal')}>
            Deal
          </MenuItem>
        )}
        {kind === 'deal' && (
          <MenuItem icon={<Package size={14} />} onSelect={() => open({ tab: 'items' })}>
            Line item
          </MenuItem>
        )}
        <MenuItem icon={<FileIcon size={14} />} onSelect={() => open({ tab: 'files' })}>
          File
        </MenuItem>
      </Menu>
      {creating && (
        <CreateDialog
          kind={creating}
          isOpen
          onClose={() => setCreating(undefined)}
          preset={creating === 'deal' ? dealPreset(subject) : { company_id: id }}
          onCreated={() => void refreshLists(group)}
        />
      )}
    </>
  )
}
