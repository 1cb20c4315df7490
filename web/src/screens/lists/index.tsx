/** Lists of contacts, companies, deals, activities and products. */
import { useNavigate } from '@tanstack/react-router'
import { Download, Plus, SearchX } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { hasScreen } from '#app/screens.ts'
import { Button, IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { showError } from '#components/toast.tsx'
import { messageOf } from '#data/client.ts'
import { type FieldEdit, fieldUpdate } from '#data/field-edit.ts'
import { type FieldKind, useFields } from '#data/fields.ts'
import { kindOf } from '#data/groups.ts'
import { rememberList } from '#data/last-list.ts'
import { useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { formatNumber, humanize } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { usePhone } from '#lib/use-media.ts'
import { moved, rememberColumns, useColumns } from './columns.ts'
import { Grid } from './grid.tsx'
import { NothingHere } from './nothing-here.tsx'
import { PhoneList } from './phone-list.tsx'
import { allIds, useRows, useWindows } from './rows.ts'
import { useSelection } from './selection.ts'
import { queryOf, searchOf, useListState } from './state.ts'
import { Toolbar } from './toolbar.tsx'

/** Loaded when they are needed, after the first rows. */
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }))
const CreateDialog = lazy(async () => ({
  default: (await import('#components/create-dialog.tsx')).CreateDialog,
}))
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/** As many as a bulk change takes. */
const MOST_SELECTED = 10_000

export default function Lists() {
  const { group } = useListState()
  // the key resets selection and position when the group changes
  return <List key={group} />
}

function List() {
  const { group, state, change } = useListState()
  const kind = kindOf(group) as FieldKind
  const navigate = useNavigate()
  const isPhone = usePhone()
  const fields = useFields(kind)
  const { columns, resize } = useColumns(group, fields, state.columns)
  const query = useMemo(() => queryOf(state), [state])
  const [windows, onRange] = useWindows()
  const rows = useRows(group, query, windows)
  const { total, rowAt } = rows
  const selection = useSelection(index => rowAt(index)?.id)
  const [isCreating, setCreating] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [isSelecting, setSelecting] = useState(false)
  const { mutate } = useUpdate(group)
  const { clear } = selection
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query shows other rows
  useEffect(() => clear(), [query, clear])
  useEffect(() => rememberList(group, { search: searchOf(state), query, window: 0 }), [group, state, query])
  const isWriter = useIsWriter()
  useShortcuts({ c: isWriter ? () => setCreating(true) : undefined })

  const sort = (key: string) => {
    const isSame = state.sortBy === key
    if (isSame && state.isDescending) change({ sortBy: '', isDescending: false })
    else change({ sortBy: key, isDescending: isSame })
  }
  const chooseColumns = (keys: string[]) => {
    rememberColumns(group, keys)
    change({ columns: keys })
  }
  const commit = useCallback(
    (id: string, edit: FieldEdit, editAgain: () => void) => mutate(fieldUpdate(id, edit, editAgain)),
    [mutate],
  )
  const selectAll = () => {
    if (selection.ids.size > 0) selection.clear()
    else allIds(group, query, MOST_SELECTED).then(selection.setAll, showError)
  }
  const selectRest = () => void allIds(group, query, MOST_SELECTED).then(selection.setAll, showError)
  const open = (id: string) => {
    if (hasScreen('record')) void navigate({ to: '/$group/$id', params: { group, id } })
  }

  const title = humanize(group)
  const keys = columns.map(({ field }) => field.key)
  const shared = { group, label: title, total, rowAt, onRange, columns, isOutdated: rows.isOutdated }
  const isFiltered = state.search !== '' || state.filters.length > 0 || state.where !== undefined
  return (
    <Screen
      title={title}
      aside={<span className="text-ink-3 tabular">{rows.isLoading ? '' : formatNumber(total)}</span>}
      actions={
        <>
          <IconButton label="Export" onClick={() => setExporting(true)} disabled={total === 0}>
            <Download size={15} />
          </IconButton>
          {isWriter && (
            <Button variant="primary" size="sm" onClick={() => setCreating(true)}>
              <Plus size={14} />
              New {kind}
            </Button>
          )}
        </>
      }
      toolbar={
        <Toolbar
          group={group}
          kind={kind}
          state={state}
          change={change}
          fields={fields}
          columns={columns}
          onColumns={chooseColumns}
          onSort={sort}
          isSelecting={isSelecting}
          onSelecting={next => {
            setSelecting(next)
            if (!next) selection.clear()
          }}
        />
      }
    >
      {rows.error ? (
        <EmptyState icon={SearchX} title="The list could not be read">
          {messageOf(rows.error)}
        </EmptyState>
      ) : !rows.isLoading && total === 0 ? (
        <NothingHere
          kind={kind}
          isFiltered={isFiltered}
          onClear={() => change({ search: '', filters: [], where: undefined })}
          {...(isWriter ? { onCreate: () => setCreating(true) } : {})}
        />
      ) : isPhone ? (
        <PhoneList {...shared} {...(isSelecting ? { selection } : {})} />
      ) : (
        <Grid
          {...shared}
          total={rows.isLoading ? 20 : total}
          sortBy={state.sortBy}
          isDescending={state.isDescending}
          isWriter={isWriter}
          selection={selection}
          onSort={sort}
          onResize={resize}
          onMove={(from, to) => chooseColumns(moved(keys, from, to))}
          onSelectAll={selectAll}
          onCommit={commit}
          onOpen={open}
        />
      )}
      <Suspense>
        {selection.ids.size > 0 && (
          <BulkBar
            group={group}
            ids={selection.ids}
            total={total}
            fields={fields}
            onSelectAll={selectRest}
            onClear={selection.clear}
          />
        )}
        {isExporting && (
          <ExportDialog
            group={group}
            query={query}
            ids={selection.ids}
            total={total}
            columns={columns}
            onClose={() => setExporting(false)}
          />
        )}
        {isCreating && (
          <CreateDialog
            kind={kind}
            isOpen
            onClose={() => setCreating(false)}
            onCreated={({ id }) => open(id)}
          />
        )}
      </Suspense>
    </Screen>
  )
}
