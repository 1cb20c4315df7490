import { lazy, Suspense } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { SearchBox } from '#components/search-box.tsx'
import type { Field } from '#data/field-types.ts'
import type { FieldKind } from '#data/fields.ts'
import { usePhone } from '#lib/use-media.ts'
import type { Column } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterFields } from './filter-fields.ts'
import type { PhoneToolsProps } from './phone-tools.tsx'
import type { ChangeState, ListState } from './state.ts'
import { ViewsMenu } from './views-menu.tsx'

const PhoneTools = lazy(async () => ({ default: (await import('./phone-tools.tsx')).PhoneTools }))

interface ToolbarProps extends Pick<PhoneToolsProps, 'onSort' | 'isSelecting' | 'onSelecting'> {
  group: ListGroupName
  kind: FieldKind
  state: ListState
  change: ChangeState
  fields: readonly Field[]
  columns: readonly Column[]
  onColumns: (keys: string[]) => void
}

export function Toolbar(props: ToolbarProps) {
  const { group, kind, state, change, fields, columns, onColumns, onSort, isSelecting, onSelecting } = props
  const isPhone = usePhone()
  const keys = columns.map(({ field }) => field.key)
  return (
    <div className="-ml-2 flex min-w-0 flex-1 flex-wrap items-center gap-1.5 py-1.5">
      <ViewsMenu kind={kind} label={group} state={state} columns={keys} change={change} />
      <SearchBox value={state.search} onChange={search => change({ search })} label={`Search ${group}`} />
      {state.where ? (
        <span className="flex items-center gap-1">
          <Badge tone="accent">Advanced filter</Badge>
          <Button variant="ghost" size="sm" onClick={() => change({ where: undefined })}>
            Clear
          </Button>
        </span>
      ) : (
        <FilterBar
          fields={filterFields(group, fields)}
          filters={state.filters}
          onChange={(filters, isStep) => change({ filters }, isStep)}
        />
      )}
      {isPhone ? (
        <Suspense>
          <PhoneTools
            fields={fields}
            sortBy={state.sortBy}
            isDescending={state.isDescending}
            onSort={onSort}
            isSelecting={isSelecting}
            onSelecting={onSelecting}
          />
        </Suspense>
      ) : (
        <div className="ml-auto">
          <ColumnsMenu fields={fields} columns={columns} onChange={onColumns} />
        </div>
      )}
    </div>
  )
}
