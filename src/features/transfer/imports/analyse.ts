/** Reads an uploaded file once, for its layout, its columns and the number of its rows, and checks that it is a table. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Separator } from '../../../lib/numbers/read.ts'
import { at } from '../../../lib/values.ts'
import { restored } from '../exports/csv-text.ts'
import { isKnownHeading, lettersOf } from './aliases.ts'
import { CsvError, type CsvRecord, csvParser } from './csv-parser.ts'
import { type ColumnOrder, dateOrders } from './date-order.ts'
import type { DateOrder } from './dates.ts'
import { decoder, type Encoding } from './encoding.ts'
import type { Format } from './formats/detect.ts'
import { decimalSeparator, INFERRED, type InferredType, inferType, isEmailLike } from './infer.ts'
import { type Shares, shareColumns } from './shares.ts'
import { type ValueType, valueTypes } from './value-types.ts'

export interface Column extends ColumnOrder {
  index: number
  header: string
  samples: string[]
  /** all the different values, where they are few */
  values: string[] | null
  suggested_field: string | null
  /** of a custom field that is made for it: all its values are of this type */
  value_type: ValueType
  inferred_type: InferredType
  /** all its numbers are from 0 to 1 */
  shares: Shares | null
  /** of its numbers; null without any, or where they disagree */
  decimal_separator: Separator | null
}

export interface Layout {
  /** of the file that was uploaded; it is stored as CSV */
  format: Format
  encoding: Encoding
  delimiter: string
  has_header: boolean
}

export interface Analysis extends Layout {
  columns: Column[]
  total_rows: number
}

export const DELIMITERS = [',', ';', '\t', '|'] as const
export { INFERRED }

const SAMPLE_BYTES = 256 * 1024
const SAMPLE_ROWS = 1000
const SHOWN_SAMPLES = 5
const SAMPLE_CHARACTERS = 200
export const MAX_ROWS = 5_000_000
const MAX_HEADER = 255

export async function analyse(
  path: string,
  format: Format,
  encoding: Encoding,
  requested: { delimiter?: string; has_header?: boolean } = {},
): Promise<Analysis> {
  const sample = await sampleOf(path, encoding)
  const delimiter = requested.delimiter ?? sniffDelimiter(sample)
  const first: CsvRecord[] = []
  const distinct = distinctValues()
  const types = valueTypes()
  const orders = dateOrders()
  const shares = shareColumns()
  let count = 0
  const layout = { format, encoding, delimiter, has_header: requested.has_header ?? true }
  for await (const records of readRecords(path, layout)) {
    for (const [i, record] of records.entries()) {
      if (count + i === 0) continue
      distinct.add(record)
      types.add(record)
      orders.add(record)
      shares.add(record)
    }
    if (first.length < SAMPLE_ROWS) first.push(...records.slice(0, SAMPLE_ROWS - first.length))
    count += records.length
    if (count > MAX_ROWS) throw new CsvError(count, `the file has more than ${MAX_ROWS} rows`)
  }
  const [top] = first
  if (top === undefined) throw new CsvError(1, 'the file is empty')
  const has_header = requested.has_header ?? looksLikeHeader(first)
  if (!has_header) {
    distinct.add(top)
    types.add(top)
    orders.add(top)
    shares.add(top)
  }
  const total_rows = count - (has_header ? 1 : 0)
  const fallback: DateOrder = delimiter === ';' ? 'DMY' : 'MDY'
  const columns = columnsOf(first, has_header, delimiter).map((column, i) => ({
    ...column,
    values: distinct.of(i),
    value_type: types.of(i),
    shares: shares.of(i),
    ...orders.of(i, fallback),
  }))
  return { format, encoding, delimiter, has_header, total_rows, columns }
}

/**
 * The records of a file, some at a time; lines without any content are none, and neither are Excel's `sep=;` and titles
 * above the headings.
 */
export async function* readRecords(
  path: string,
  { format, encoding, delimiter, has_header }: Layout,
): AsyncGenerator<CsvRecord[]> {
  const decode = decoder(encoding)
  const parser = csvParser(delimiter)
  let isFirst = has_header
  const some = (records: CsvRecord[]) => {
    const rows = records.filter(record => !isBlank(record) && !isSeparatorLine(record))
    if (hasRecords(format)) return rows.map(record => ({ ...record, row: record.row - 1 }))
    if (!isFirst || rows.length === 0) return rows
    isFirst = false
    return rows.slice(titlesIn(rows))
  }
  const stream = createReadStream(path)
  try {
    for await (const bytes of stream) {
      const records = some(parser.push(decode.push(bytes as Buffer)))
      if (records.length > 0) yield records
    }
    const last = some([...parser.push(decode.end()), ...parser.end()])
    if (last.length > 0) yield last
  } finally {
    stream.destroy()
  }
}

/** Their records are numbered from 1: the line with the headings is not in the file. */
export const hasRecords = (format: Format): boolean =>
  format === 'json' || format === 'vcard' || format === 'ical'

const isBlank = ({ cells, quoted }: CsvRecord): boolean => cells.every((cell, i) => cell === '' && !quoted[i])

const isSeparatorLine = ({ row, cells }: CsvRecord): boolean =>
  row === 1 && cells.length <= 2 && /^sep=.?$/i.test(cells[0] ?? '')

/**
 * How many rows are above the headings: a title, a date, names of groups of columns in merged cells. They fill a third
 * of the headings or less, and the headings are names. Files without them begin with a row that is filled.
 */
function titlesIn(records: readonly CsvRecord[]): number {
  const filled = records
    .slice(0, MAX_TITLES + 1)
    .map(({ cells }) => cells.filter(cell => cell.trim() !== '').length)
  const heading = filled.findIndex(count => count >= Math.max(3, ...filled) / 2 && count >= 3)
  if (heading < 1 || filled.slice(0, heading).some(count => count * 3 > at(filled, heading))) return 0
  return looksLikeHeader(records.slice(heading)) ? heading : 0
}

const MAX_TITLES = 10

async function sampleOf(path: string, encoding: Encoding): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    return decoder(encoding).push(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** The sign that parts most rows into the same number of cells. */
export function sniffDelimiter(sample: string): string {
  const declared = /^sep=(.)\r?\n/i.exec(sample)?.[1]
  if (declared !== undefined) return declared
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(sample, delimiter)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

function scoreOf(sample: string, delimiter: string): number {
  let records: CsvRecord[]
  try {
    records = csvParser(delimiter).push(sample).slice(0, 200)
    // a file of one line, or without a last line break
    if (records.length < 2) records = csvParser(delimiter).push(`${sample}\n`).slice(0, 200)
  } catch {
    return 0
  }
  const widths = new Map<number, number>()
  for (const { cells } of records) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
  // A title above the table has one cell.
  const [width, count] = [...widths].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])
  return width < 2 ? 0 : (count / records.length) * (1 + Math.min(width, 50) / 100)
}

/** Names are words and differ from each other; values are addresses, numbers and dates. */
function looksLikeHeader(records: readonly CsvRecord[]): boolean {
  const [head, ...rest] = records
  const cells = head?.cells.filter(cell => cell !== '') ?? []
  if (cells.length === 0) return false
  if (cells.some(cell => isEmailLike(cell) || /^[+\d][\d\s.,:/-]*$/.test(cell) || cell.length > MAX_HEADER))
    return false
  const keys = new Set(cells.map(lettersOf))
  // Email,Email,Phone,Phone: known names may repeat.
  if (cells.length > 1 && cells.every(isKnownHeading)) return true
  // Headers differ from each other; values repeat.
  return rest.length === 0 || keys.size >= cells.length * 0.8
}

/** Columns of more different values than this are no choices. */
const MAX_DISTINCT = 100

/** The different values of each column, as long as they are few and short. */
function distinctValues() {
  const columns: (Set<string> | null)[] = []
  return {
    add({ cells }: CsvRecord): void {
      for (const [i, cell] of cells.entries()) {
        if (columns[i] === null) continue
        const value = restored(cell).trim()
        if (value === '') continue
        columns[i] ??= new Set()
        const seen = columns[i]
        seen.add(value)
        if (seen.size > MAX_DISTINCT || value.length > SAMPLE_CHARACTERS) columns[i] = null
      }
    },
    of: (index: number): string[] | null => {
      const seen = columns[index]
      return seen === null ? null : [...(seen ?? [])].map(storable)
    },
  }
}

function columnsOf(
  records: readonly CsvRecord[],
  hasHeader: boolean,
  delimiter: string,
): Omit<Column, 'values' | 'value_type' | 'shares' | keyof ColumnOrder>[] {
  const rows = hasHeader ? records.slice(1) : records
  const headers = uniqueHeaders(hasHeader ? at(records, 0).cells : unnamed(rows))
  return headers.map((header, index) => {
    const values = rows
      .map(({ cells }) => restored((cells[index] ?? '').trim()))
      .filter(value => value !== '')
    const inferred_type = inferType(values)
    return {
      index,
      header,
      samples: [...new Set(values.map(shown))].slice(0, SHOWN_SAMPLES),
      suggested_field: null,
      inferred_type,
      decimal_separator: decimalSeparator(values, delimiter === ';' ? ',' : '.'),
    }
  })
}

const unnamed = (rows: readonly CsvRecord[]): string[] =>
  Array.from({ length: Math.max(...rows.map(({ cells }) => cells.length)) }, () => '')

/** A mapping names columns by their headers, so each must be one of a kind. */
function uniqueHeaders(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  return cells.map((cell, i) => {
    const name = storable(restored(cell).trim()).slice(0, MAX_HEADER) || `Column ${i + 1}`
    let unique = name
    for (let n = 2; taken.has(unique); n++) unique = `${name} (${n})`
    taken.add(unique)
    return unique
  })
}

const shown = (value: string): string => storable([...value].slice(0, SAMPLE_CHARACTERS).join(''))

/** As the database can store it. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
