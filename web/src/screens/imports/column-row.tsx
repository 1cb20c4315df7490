/** A column: its name, samples, field, and what its values are read as. */
import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { inputClass } from '#components/input.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { classes } from '#lib/classes.ts'
import { formatCount } from '#lib/format.ts'
import { COLUMN_GRID, LEFT_OUT, NEW_FIELD } from './columns.tsx'
import type { ImportField } from './fields.ts'
import type { Import } from './kinds.ts'
import { ValueRows } from './value-rows.tsx'
import { type Column, readingsOf } from './values.ts'
import { warningsOf } from './warnings.ts'

interface ColumnRowProps {
  record: Import
  column: Column
  fields: readonly ImportField[]
  field: ImportField | undefined
  onChoose: (choice: string) => void
  onValues: (values: Record<string, string | null>) => void
}

export function ColumnRow({ record, column, fields, field, onChoose, onValues }: ColumnRowProps) {
  const [isOpen, setOpen] = useState(false)
  const readings = readingsOf(column, field, record.value_mapping)
  const unknown = readings?.filter(({ isKnown }) => !isKnown).length ?? 0
  const samples = column.samples.slice(0, 4).join(' · ')
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="border-b border-line px-4 py-1.5">
      <div className={`${COLUMN_GRID} min-h-8 items-center max-[719px]:gap-y-1`}>
        <span className={classes('truncate font-medium', !field && 'text-ink-2')} title={column.header}>
          {column.header || `Column ${column.index + 1}`}
        </span>
        <span className="min-w-0">
          <span className="block truncate text-ink-3" title={samples}>
            {samples || 'Empty'}
          </span>
          {warningsOf(record, column.header).map(text => (
            <span key={text} className="flex gap-1.5 text-xs text-warn">
              <TriangleAlert size={12} className="mt-0.5 shrink-0" /> {text}
            </span>
          ))}
        </span>
        <FieldChoice column={column} fields={fields} field={field} onChoose={onChoose} />
      </div>
      {readings && (
        <div>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex h-6 items-center gap-1 rounded-sm text-xs text-ink-2 hover:text-ink"
          >
            <Chevron size={13} />
            {formatCount(readings.length, 'value')}
            {unknown > 0 && <span className="text-warn">· {unknown} not known here</span>}
          </button>
          {isOpen && field?.choices && (
            <ValueRows
              column={column.header}
              readings={readings}
              choices={field.choices}
              onChange={onValues}
            />
          )}
        </div>
      )}
    </div>
  )
}

type FieldChoiceProps = Pick<ColumnRowProps, 'column' | 'fields' | 'field' | 'onChoose'>

function FieldChoice({ column, fields, field, onChoose }: FieldChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const items = [
    { value: LEFT_OUT, label: 'Not imported' },
    { value: NEW_FIELD, label: 'New custom field', detail: column.header },
    ...fields.map(({ name, label, detail }) => ({ value: name, label, ...(detail ? { detail } : {}) })),
  ]
  return (
    <Popover
      label={`Field for ${column.header}`}
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      className=""
      trigger={
        <button
          type="button"
          aria-label={`Field for ${column.header}: ${[field?.label ?? 'Not imported', field?.detail].filter(Boolean).join(' ')}`}
          className={classes(inputClass, 'flex h-8 items-center gap-2 text-left')}
        >
          <span className={classes('min-w-0 flex-1 truncate', !field && 'text-ink-3')}>
            {field?.label ?? 'Not imported'}{' '}
            {field?.detail && <span className="text-xs text-ink-3">{field.detail}</span>}
          </span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" />
        </button>
      }
    >
      <Picker
        label={`Field for ${column.header}`}
        placeholder="Find a field…"
        items={items}
        value={items.find(({ value }) => value === (field?.name ?? LEFT_OUT)) ?? null}
        onChange={item => {
          setOpen(false)
          if (item) onChoose(item.value)
        }}
      />
    </Popover>
  )
}
