/** How the file is read: its layout, dates and numbers. */
import { Select } from '#components/select.tsx'
import { formatCount, formatSize } from '#lib/format.ts'
import type { Import } from './kinds.ts'
import { Line, Rule } from './rules.tsx'
import type { Settings } from './use-import.ts'
import { warningsOf } from './warnings.ts'

const FORMATS: Readonly<Record<Import['format'], string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  vcard: 'vCard',
  ical: 'Calendar',
}
const DELIMITERS = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
]
const ENCODINGS = (['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const).map(value => ({
  value,
  label: value === 'windows-1252' ? 'Western (1252)' : value.toUpperCase(),
}))
const HEADERS = [
  { value: 'yes', label: 'Column names' },
  { value: 'no', label: 'A record' },
]
const AS_FOUND = ''
const DATES = [
  { value: AS_FOUND, label: 'As found' },
  { value: 'DD/MM/YYYY', label: 'Day first' },
  { value: 'MM/DD/YYYY', label: 'Month first' },
]
const DECIMALS = [
  { value: AS_FOUND, label: 'As found' },
  { value: '.', label: '1,234.50' },
  { value: ',', label: '1.234,50' },
] as const

interface FileFactsProps {
  record: Import
  onChange: (change: Settings) => void
}

export function FileFacts({ record, onChange }: FileFactsProps) {
  const { format, options } = record
  const isTable = format === 'csv' || format === 'xlsx'
  const orNull = (value: string) => (value === AS_FOUND ? null : value)
  return (
    <Rule title="The file">
      <p className="text-xs text-ink-3">
        {[FORMATS[format], record.sheet, formatCount(record.total_rows, 'row'), formatSize(record.file_size)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {warningsOf(record, null).map(text => (
        <p key={text} className="text-xs text-warn">
          {text}
        </p>
      ))}
      {isTable && (
        <Line label="First row">
          <Select
            label="First row"
            value={record.has_header ? 'yes' : 'no'}
            options={HEADERS}
            onChange={value => onChange({ has_header: value === 'yes' })}
          />
        </Line>
      )}
      {format === 'csv' && (
        <>
          <Line label="Columns end with">
            <Select
              label="Columns end with"
              value={record.delimiter}
              options={DELIMITERS}
              onChange={delimiter => onChange({ delimiter })}
            />
          </Line>
          <Line label="Encoding">
            <Select
              label="Encoding"
              value={record.encoding}
              options={ENCODINGS}
              onChange={encoding => onChange({ encoding })}
            />
          </Line>
        </>
      )}
      <Line label="Dates">
        <Select
          label="Dates"
          value={options.date_format ?? AS_FOUND}
          options={DATES}
          onChange={value => onChange({ options: { date_format: orNull(value) } })}
        />
      </Line>
      <Line label="Numbers">
        <Select
          label="Numbers"
          value={options.decimal_separator ?? AS_FOUND}
          options={DECIMALS}
          onChange={value => onChange({ options: { decimal_separator: value === AS_FOUND ? null : value } })}
        />
      </Line>
    </Rule>
  )
}
