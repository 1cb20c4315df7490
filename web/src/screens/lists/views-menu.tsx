import { Bookmark, Check, ChevronDown, Save, Trash2, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#components/menu.tsx'
import type { FieldKind } from '#data/fields.ts'
import { useDelete, useList, useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import type { ChangeState, ListState } from './state.ts'
import { isChanged, stateOfView, viewOf } from './views.ts'

const SaveDialog = lazy(async () => ({ default: (await import('./save-view.tsx')).SaveDialog }))

export interface ViewsMenuProps {
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
  const isWriter = useIsWriter()
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
          <Button variant="ghost" size="sm" className="max-w-60">
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
        {isWriter && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Save size={14} />} onSelect={() => setSaving(true)}>
              Save as a view…
            </MenuItem>
          </>
        )}
        {isWriter && current && (
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
      {isWriter && current && isChanged(current, state) && (
        <Button size="sm" onClick={save}>
          Save the view
        </Button>
      )}
      {isSaving && (
        <Suspense>
          <SaveDialog
            isOpen
            onClose={() => setSaving(false)}
            kind={kind}
            state={state}
            columns={columns}
            onSaved={view => change({ ...EMPTY, ...stateOfView(view), search: state.search })}
          />
        </Suspense>
      )}
    </>
  )
}
