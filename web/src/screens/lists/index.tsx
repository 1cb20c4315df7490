/** Lists of contacts, companies, deals, activities and products. */
import { useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { ScreenSkeleton } from '#components/skeleton.tsx'
import { messageOf } from '#data/client.ts'
import { changesOf, type Field } from '#data/field-types.ts'
import { type FieldKind, useFields } from '#data/fields.ts'
import { kindOf } from '#data/groups.ts'
import { useUpdate } from '#data/records.ts'
import { formatNumber, humanize } from '#lib/format.ts'
import { moved, rememberColumns, useColumns } from './columns.ts'
import { Grid } from './grid.tsx'
import { useRows } from './rows.ts'
import { useSelection } from './selection.ts'
import { queryOf, useListState } from './state.ts'

export default function Lists() {
  const { group } = useListState()
  // another group is another list: nothing of the first one's selection or position stays
  return <List key={group} />
}

function List() {
  const { group, state, change } = useListState()
  const navigate = useNavigate()
  const fields = useFields(kindOf(group) as FieldKind)
  const { columns, resize } = useColumns(group, fields, state.columns)
  const query = useMemo(() => queryOf(state), [state])
  const [range, setRange] = useState({ first: 0, last: 0 })
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const { total, rowAt, isLoading, isOutdated, error } = useRows(group, query, range.first, range.last)
  const selection = useSelection(index => rowAt(index)?.id)
  const update = useUpdate(group)
  const { clear } = selection
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query shows other rows
  useEffect(() => clear(), [query, clear])

  const sort = (key: string) => {
    const isSame = state.sortBy === key
    if (isSame && state.isDescending) change({ sortBy: '', isDescending: false })
    else change({ sortBy: key, isDescending: isSame })
  }
  const choose = (keys: string[]) => {
    rememberColumns(group, keys)
    change({ columns: keys })
  }
  const { mutate } = update
  const commit = useCallback(
    (id: string, field: Field, value: unknown, shown: object = {}) =>
      mutate({
        id,
        changes: changesOf(field, value),
        shown,
        message: `Changed ${field.label.toLowerCase()}`,
      }),
    [mutate],
  )

  const title = humanize(group)
  return (
    <Screen title={title} aside={<span className="text-ink-3 tabular">{formatNumber(total)}</span>}>
      {isLoading ? (
        <ScreenSkeleton />
      ) : error ? (
        <EmptyState icon={SearchX} title="The list could not be read">
          {messageOf(error)}
        </EmptyState>
      ) : (
        <Grid
          group={group}
          label={title}
          total={total}
          rowAt={rowAt}
          onRange={onRange}
          columns={columns}
          sortBy={state.sortBy}
          isDescending={state.isDescending}
          isOutdated={isOutdated}
          selection={selection}
          onSort={sort}
          onResize={resize}
          onMove={(from, to) => choose(moved(columns, from, to).map(({ field }) => field.key))}
          onSelectAll={() => selection.clear()}
          onCommit={commit}
          onOpen={id => void navigate({ to: '/$group/$id', params: { group, id } })}
        />
      )}
    </Screen>
  )
}
