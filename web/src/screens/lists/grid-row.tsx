import { lazy, memo, Suspense } from 'react'
import { hasScreen } from '#app/screens.ts'
import { Avatar } from '#components/avatar.tsx'
import { FieldValue } from '#components/fields/field-value.tsx'
import { RecordAnchor } from '#components/record-link.tsx'
import type { FieldEdit } from '#data/field-edit.ts'
import { type Field, isNumeric, readField } from '#data/field-types.ts'
import { nameOf } from '#data/names.ts'
import { classes } from '#lib/classes.ts'
import type { Column } from './columns.ts'
import type { Row } from './rows.ts'

const FieldEditor = lazy(async () => ({
  default: (await import('#components/fields/field-editor.tsx')).FieldEditor,
}))

export interface RowHandlers {
  onToggle: (id: string, index: number, isRange: boolean) => void
  onActivate: (row: number, column: number) => void
  onEdit: (row: number, column: number) => void
  onCommit: (id: string, edit: FieldEdit) => void
  onCancel: () => void
}

interface GridRowProps extends RowHandlers {
  group: string
  index: number
  row: Row | undefined
  columns: readonly Column[]
  isSelected: boolean
  /** the active column of the active row */
  active: number | undefined
  isEditing: boolean
  top: number
}

/** The browser's own: a component for each row took longer than all its other cells. */
const CHECKBOX = 'size-3.5'

/** One row; drawn again only when its own content changes, so that scrolling draws only new rows. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { group, index, row, columns, isSelected, active, top, onToggle } = props
  if (!row && active === undefined) {
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        tabIndex={-1}
        className="absolute left-0 grid h-9 [contain:strict] w-full grid-cols-(--columns) border-b border-line"
        style={{ transform: `translateY(${top}px)` }}
      >
        <div
          role="gridcell"
          tabIndex={-1}
          aria-label="Loading"
          className="col-span-full [background:var(--bars)]"
        />
      </div>
    )
  }
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={-1}
      className={classes(
        'group absolute left-0 grid h-9 [contain:layout_style] w-full min-w-fit grid-cols-(--columns) border-b border-line',
        isSelected ? 'bg-accent-soft' : row ? 'bg-surface hover:bg-row-hover' : '[background:var(--bars)]',
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        className="sticky left-0 z-1 flex items-center justify-center bg-inherit"
      >
        {row && (
          <input
            type="checkbox"
            tabIndex={active === -1 ? 0 : -1}
            data-cell={`${index}:-1`}
            aria-label={`Select ${nameOf(row)}`}
            checked={isSelected}
            onChange={event => {
              const { nativeEvent } = event
              onToggle(row.id, index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }}
            className={
              isSelected ? CHECKBOX : `${CHECKBOX} opacity-40 group-hover:opacity-100 focus:opacity-100`
            }
          />
        )}
      </div>
      {columns.map((column, position) => (
        <GridCell
          key={column.field.key}
          {...props}
          column={column}
          position={position}
          isActive={active === position}
          group={group}
        />
      ))}
    </div>
  )
})

interface GridCellProps extends GridRowProps {
  column: Column
  position: number
  isActive: boolean
}

function GridCell({ group, row, index, column, position, isActive, isEditing, ...handlers }: GridCellProps) {
  const { field } = column
  const isName = position === 0
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its active cell
    <div
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      data-cell={`${index}:${position}`}
      onClick={() => {
        // also clicks in the editor and in its popup, which React passes on to the cell
        if (!(isActive && isEditing)) handlers.onActivate(index, position)
      }}
      onDoubleClick={() => handlers.onEdit(index, position)}
      className={classes(
        'flex min-w-0 items-center truncate px-2.5 outline-none',
        isName && 'sticky left-9 z-1 border-r border-line bg-inherit font-medium',
        isNumeric(field) && 'justify-end tabular',
        isActive &&
          'focus-within:shadow-[inset_0_0_0_1.5px_var(--color-accent)] focus:shadow-[inset_0_0_0_1.5px_var(--color-accent)]',
      )}
    >
      {!row ? null : isActive && isEditing ? (
        <Suspense>
          <FieldEditor
            key={row.id}
            field={field}
            record={row}
            onCommit={edit => handlers.onCommit(row.id, edit)}
            onCancel={handlers.onCancel}
          />
        </Suspense>
      ) : isName ? (
        <NameCell group={group} row={row} field={field} />
      ) : (
        <span className="block min-w-0 truncate" title={titleOf(field, row)}>
          <FieldValue field={field} record={row} tabIndex={-1} />
        </span>
      )}
    </div>
  )
}

const TEXTS: readonly Field['type'][] = ['text', 'long_text', 'email', 'url', 'list']

/** The whole text of a cell, which may be cut. */
const titleOf = (field: Field, row: Row): string | undefined => {
  const value = TEXTS.includes(field.type) ? readField(row, field) : undefined
  return value === null || value === undefined ? undefined : String(value)
}

function NameCell({ group, row, field }: { group: string; row: Row; field: Field }) {
  const text = String(readField(row, field) ?? '')
  const content = (
    <>
      {group !== 'activities' && <Avatar name={text || nameOf(row)} isSquare={group !== 'contacts'} />}
      <span className="truncate" title={text || nameOf(row)}>
        {text || nameOf(row)}
      </span>
    </>
  )
  const style = 'flex min-w-0 items-center gap-2'
  if (!hasScreen('record')) return <span className={style}>{content}</span>
  return (
    <RecordAnchor group={group} id={row.id} className={`${style} hover:underline`} tabIndex={-1}>
      {content}
    </RecordAnchor>
  )
}
