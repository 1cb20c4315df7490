import { Bookmark, Check, ChevronDown, Save, Trash2, Users } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { FieldInput, Labelled } from '#components/input.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#components/menu.tsx'
import type { FieldKind } from '#data/fields.ts'
import { useCreate, useDelete, useList, useUpdate } from '#data/records.ts'
import type { ChangeState, ListState } from './state.ts'
import { isChanged, stateOfView, type View, viewOf } from './views.ts'

interface ViewsMenuProps {
  kind: FieldKind
  label: string
  state: ListState
  columns: string[]
  change: ChangeState
}

const EMPTY: ListState = {
  search: '',
  filters: [],
  where: undefined,
  sortBy: '',
  isDescending: false,
  columns: undefined,
  view: undefined,
}

export function ViewsMenu({ kind, label, state, columns, change }: ViewsMenuProps) {
  const { items: views } = useList('views', { entity: kind, page_size: 200, sort_by: 'name' })
  const update = useUpdate('views')
  const remove = useDelete('views')
  const [isSaving, setSaving] = useState(false)
  const current = views.find(({ id }) => id === state.view)
  const save = () => {
    if (!current) return
    const { query, columns: keys } = viewOf(kind, state, columns)
    update.mutate({ id: current.id, changes: { query, columns: keys }, message: `Saved ${current.name}` })
  }
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size="sm" className="min-w-0">
            <Bookmark size={14} />
            <span className="truncate">{current?.name ?? `All ${label}`}</span>
            <ChevronDown size={13} className="text-ink-3" />
          </Button>
        }
      >
        <MenuItem
          icon={state.view ? <span className="block w-3.5" /> : <Check size={14} />}
          onSelect={() => change(EMPTY)}
        >
          All {label}
        </MenuItem>
        {views.length > 0 && <MenuLabel>Views</MenuLabel>}
        {views.map(view => (
          <MenuItem
            key={view.id}
            icon={
              view.id === state.view ? (
                <Check size={14} />
              ) : view.is_shared ? (
                <Users size={14} aria-label="Shared" />
              ) : (
                <span className="block w-3.5" />
              )
            }
            onSelect={() => change({ ...EMPTY, ...stateOfView(view) })}
          >
            {view.name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<Save size={14} />} onSelect={() => setSaving(true)}>
          Save as a view…
        </MenuItem>
        {current && (
          <MenuItem
            icon={<Trash2 size={14} />}
            isDanger
            onSelect={() => {
              remove.mutate({ id: current.id, name: current.name })
              change(EMPTY)
            }}
          >
            Delete this view
          </MenuItem>
        )}
      </Menu>
      {current && isChanged(current, state) && (
        <Button size="sm" onClick={save}>
          Save the view
        </Button>
      )}
      <SaveDialog
        isOpen={isSaving}
        onClose={() => setSaving(false)}
        kind={kind}
        state={state}
        columns={columns}
        onSaved={view => change({ ...EMPTY, ...stateOfView(view), search: state.search })}
      />
    </>
  )
}

interface SaveDialogProps extends Omit<ViewsMenuProps, 'label' | 'change'> {
  isOpen: boolean
  onClose: () => void
  onSaved: (view: View) => void
}

function SaveDialog({ isOpen, onClose, kind, state, columns, onSaved }: SaveDialogProps) {
  const create = useCreate('views')
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = {
      ...viewOf(kind, state, columns),
      name: String(form.get('name')),
      is_shared: form.get('shared') === 'on',
    }
    const view = await create.mutateAsync(body).catch(() => undefined)
    if (!view) return
    onClose()
    onSaved(view)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Save as a view"
      description="Filters, order and columns under a name."
      footer={
        <Button variant="primary" type="submit" form="save-view">
          Save
        </Button>
      }
    >
      <form id="save-view" onSubmit={submit} className="flex flex-col gap-3">
        <Labelled label="Name" {...(state.search ? { hint: 'The search text is not part of a view.' } : {})}>
          <FieldInput name="name" required maxLength={255} autoFocus />
        </Labelled>
        <label className="flex items-center gap-2">
          <input type="checkbox" name="shared" />
          Everyone in the account can see it
        </label>
      </form>
    </Dialog>
  )
}
