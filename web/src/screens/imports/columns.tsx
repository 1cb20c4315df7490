/** The columns of the file, each with samples and the field that it goes into. */
import { ColumnRow } from './column-row.tsx'
import { type ImportField, newKey } from './fields.ts'
import type { Import } from './kinds.ts'
import type { Settings } from './use-import.ts'

export const COLUMN_GRID =
  'grid grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_240px] gap-x-4 max-[719px]:grid-cols-1'

/** A choice of the picker that is no field. */
export const LEFT_OUT = ''
export const NEW_FIELD = '+'

interface ColumnsProps {
  record: Import
  fields: readonly ImportField[]
  onChange: (change: Settings) => void
}

export function Columns({ record, fields, onChange }: ColumnsProps) {
  const { columns, mapping } = record
  const choose = (header: string, choice: string) => {
    if (choice === LEFT_OUT) return onChange({ mapping: { [header]: null } })
    if (choice !== NEW_FIELD) return onChange({ mapping: { [header]: choice } })
    // with all columns named, the option creates a field for this one alone
    onChange({ mapping: { ...mapping, [header]: newKey(header) }, options: { create_fields: true } })
  }
  const byName = new Map(fields.map(field => [field.name, field]))
  const leftOut = columns.filter(({ header }) => mapping[header] == null).length
  return (
    <section aria-label="Columns">
      <div
        className={`${COLUMN_GRID} sticky top-0 z-2 h-9 items-center border-b border-line bg-canvas px-4 text-xs font-medium text-ink-3 max-[719px]:hidden`}
      >
        <span>Column</span>
        <span>Samples</span>
        <span className="flex justify-between">
          Field
          {leftOut > 0 && <span className="font-normal tabular">{leftOut} not imported</span>}
        </span>
      </div>
      {columns.map(column => (
        <ColumnRow
          key={`${column.index} ${column.header}`}
          record={record}
          column={column}
          fields={fields}
          field={byName.get(String(mapping[column.header] ?? ''))}
          onChoose={choice => choose(column.header, choice)}
          onValues={values => onChange({ value_mapping: { [column.header]: values } })}
        />
      ))}
    </section>
  )
}
