/** Warnings about columns and values that an import with these settings leaves out or interprets. */

import { readNumber, separatorEvidence } from '../../../lib/numbers/read.ts'
import { labelColumn } from './addresses.ts'
import type { Column } from './analyse.ts'
import { dealStatusOf } from './deal-status.ts'
import type { Mapped } from './mapping.ts'
import { type ImportOptions, onMissingOf } from './options.ts'
import { checkedMissing, type Existing, knownNames } from './relations.ts'
import { REPORT_COLUMNS } from './report.ts'
import { mayBeShares } from './shares.ts'
import type { ValueMapping } from './value-mapping.ts'

export interface Warning {
  column: string | null
  code: string
  message: string
}

interface ImportSettings {
  columns: readonly Column[]
  mapping: Record<string, string | null>
  mapped: readonly Mapped[]
  value_mapping: ValueMapping
  options: ImportOptions
  existing: Existing
}

export function warningsFor(settings: ImportSettings): Warning[] {
  const { columns, mapping, mapped, options } = settings
  return [
    ...columns
      .filter(
        column =>
          mapping[column.header] === null &&
          column.samples.length > 0 &&
          !REPORT_COLUMNS.includes(column.header) &&
          !mapped.some(other => labelColumn(other.column, columns) === column),
      )
      .map(({ header }) => ({
        column: header,
        code: 'not_imported',
        message: 'This column is not imported: map it to a field, or to cf.<key> to keep its values',
      })),
    ...mapped.flatMap(each => [
      ...unknownNames(each, settings),
      ...unknownStatuses(each, settings),
      ...secondColumn(each, mapped),
      ...numberReading(each, options),
      ...dateReading(each, options),
    ]),
  ]
}

const SHOWN = 5

const listed = (values: readonly string[]): string =>
  values
    .slice(0, SHOWN)
    .map(value => `“${value}”`)
    .join(', ') + (values.length > SHOWN ? `, and ${values.length - SHOWN} more` : '')

function unknownNames(
  { column, field }: Mapped,
  { value_mapping, options, existing }: ImportSettings,
): Warning[] {
  const isKnown = knownNames(field, existing)
  const missing = checkedMissing(field)
  if (!isKnown || !missing) return []
  const replaced = value_mapping[column.header] ?? {}
  const unknown = (column.values ?? column.samples).filter(
    value =>
      !isKnown(Object.hasOwn(replaced, value) ? (replaced[value] ?? '') : value) && replaced[value] !== null,
  )
  if (unknown.length === 0) return []
  const rule = onMissingOf(options)[missing]
  const create =
    missing === 'stage' ? 'they are created, open ones with a probability of 0 %' : 'they are created'
  const effect = { fail: 'their rows fail', empty: 'they are left out', create }[rule]
  const message = `Not known here: ${listed(unknown)}; ${effect} (options.on_missing.${missing}, or value_mapping)`
  return [{ column: column.header, code: `missing_${missing}`, message }]
}

function unknownStatuses({ column, field }: Mapped, { value_mapping }: ImportSettings): Warning[] {
  if (field.destination.at !== 'deal status') return []
  const replaced = value_mapping[column.header] ?? {}
  const unknown = (column.values ?? column.samples).filter(
    value => !Object.hasOwn(replaced, value) && dealStatusOf(value) === undefined,
  )
  if (unknown.length === 0) return []
  const message = `No status of a deal: ${listed(unknown)}; their rows fail (map them to open, won or lost with value_mapping)`
  return [{ column: column.header, code: 'unknown_status', message }]
}

/** Of several columns for a field of one value, the first that has one counts. */
function secondColumn({ column, field }: Mapped, mapped: readonly Mapped[]): Warning[] {
  const first = mapped.find(other => other.field.name === field.name)
  if (field.several || !first || first.column === column) return []
  const message = `“${first.column.header}” goes into ${field.name}, too: this column counts where that one is empty`
  return [{ column: column.header, code: 'second_column', message }]
}

function numberReading({ column, field }: Mapped, options: ImportOptions): Warning[] {
  if (field.kind !== 'number' && field.kind !== 'integer') return []
  const shapes = new Set(column.samples.map(separatorEvidence))
  const warnings: Warning[] = []
  const sample = column.samples.find(value => separatorEvidence(value) === 'either')
  const isOpen = !shapes.has('.') && !shapes.has(',')
  if (sample !== undefined && isOpen && options.decimal_separator == null) {
    const read = readNumber(sample, { style: 'money', assumed: column.decimal_separator ?? undefined })
    const value = 'value' in read ? read.value : undefined
    const message = `“${sample}” is read as ${value}: set options.decimal_separator if that is wrong`
    warnings.push({ column: column.header, code: 'decimal_separator', message })
  }
  const hasCurrency = column.samples.some(sample => {
    const read = readNumber(sample, { style: 'money', assumed: '.' })
    return 'value' in read && read.currency !== undefined
  })
  if (hasCurrency && field.destination.at !== 'amount') {
    const message = `The currency of the sums is not kept: ${field.name} has none`
    warnings.push({ column: column.header, code: 'currency_left_out', message })
  }
  if (mayBeShares({ column, field }, options.profile) && column.samples.some(sample => /^1/.test(sample))) {
    const message = `All values are 0 or 1, and 1 is read as 1 %: if it means 100 %, map it to 100 with value_mapping`
    warnings.push({ column: column.header, code: 'probability_scale', message })
  }
  return warnings
}

function dateReading({ column, field }: Mapped, options: ImportOptions): Warning[] {
  if ((field.kind !== 'date' && field.kind !== 'time') || options.date_format != null) return []
  const { header, date_format, date_format_from, ambiguous_date } = column
  const warning = (message: string) => [
    { column: header, code: 'date_format', message: `${message}: set options.date_format if that is wrong` },
  ]
  const reading = ambiguous_date == null ? 'others' : `“${ambiguous_date}”`
  if (date_format_from === 'mixed') {
    const facts = 'Some dates have the day first, some the month. Those of the rarer order fail their rows'
    return warning(`${facts}; ${reading} is read as ${date_format}`)
  }
  return date_format_from === 'assumed' ? warning(`${reading} is read as ${date_format}`) : []
}
