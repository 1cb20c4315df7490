/** A row of the file → a draft of the record: what its cells say, before anything is looked up or checked. */
import type { Item } from '../../kernel/resource.ts'
import { unstorable } from '../../kernel/schema/storable.ts'
import type { CustomInput } from '../../resources/shared/record-operations.ts'
import { restored } from '../exports/csv-text.ts'
import type { Column } from './analyse.ts'
import type { Closing } from './closing.ts'
import type { CsvRecord } from './csv-parser.ts'
import { type DateOrder, orderOf } from './dates.ts'
import type { ImportField } from './fields.ts'
import type { Currency } from './number-units.ts'
import { type NumberFormat, readNumber, type Separator } from './numbers.ts'
import { CellError, cellReader, parsed, readList } from './values.ts'

export interface RowError {
  column: string | null
  field: string | null
  value: string | null
  code: string
  message: string
}

const MAX_VALUE = 500

/** As it is reported: what stood in the cell only as far as it helps to find it. */
export const rowError = (
  code: string,
  message: string,
  value: string | null,
  column: string | null = null,
  field: string | null = null,
): RowError => ({
  column,
  field,
  value: value === null ? null : [...value.replaceAll('\0', '').toWellFormed()].slice(0, MAX_VALUE).join(''),
  code,
  message,
})

/** Records that the row names, to be looked up: by id, by name, a company also by its domain. */
export interface Tie {
  ids: string[]
  names: string[]
  domain?: string
}

export interface Draft {
  row: number
  /** as they stand in the file */
  cells: readonly string[]
  id: string | undefined
  /** the record here that it is about, once that is known */
  target: string | undefined
  created_at: string | undefined
  updated_at: string | undefined
  input: Item
  metadata: Item | undefined
  ties: Record<string, Tie>
  /** won or lost, where a product keeps that apart from the stage */
  dealStatus: string | undefined
  closing: Closing
  /** what the amount's own cell says of its currency */
  currency: Currency | undefined
  errors: RowError[]
  /** values that a row which goes in does not bring along */
  warnings: RowError[]
  /** as the schema reads it, apart from what has to be looked up */
  ahead?: { input: CustomInput; errors: RowError[] }
}

export interface MappedColumn {
  column: Column
  field: ImportField
  apply: (draft: Draft, text: string) => void
}

export interface ReadingOptions {
  date_format?: string | null
  decimal_separator?: Separator | null
  /** of amounts that come without one */
  currency?: string | null
}

export function mappedColumns(
  columns: readonly Column[],
  mapping: Record<string, string | null>,
  fieldOf: (name: string) => ImportField | undefined,
  options: ReadingOptions,
): MappedColumn[] {
  return columns.flatMap(column => {
    const name = Object.hasOwn(mapping, column.header) ? mapping[column.header] : undefined
    const field = name == null ? undefined : fieldOf(name)
    if (!field) return []
    const order: DateOrder = orderOf(options.date_format ?? column.date_format ?? '') ?? 'MDY'
    const number: NumberFormat = {
      style: field.style ?? 'digits',
      decimal: options.decimal_separator ?? undefined,
      assumed: column.decimal_separator ?? undefined,
    }
    const read = cellReader(field.kind, field.json, { order, number })
    return [{ column, field, apply: applier(field, read, number) }]
  })
}

function applier(
  field: ImportField,
  read: (text: string) => unknown,
  number: NumberFormat,
): MappedColumn['apply'] {
  const { name, place } = field
  switch (place.at) {
    case 'record':
      return (draft, text) => {
        draft[name as 'id'] ??= read(text) as string
      }
    case 'input':
      return (draft, text) => put(draft.input, name, read(text), field.several)
    case 'amount':
      return (draft, text) => {
        const amount = readNumber(text, number)
        if ('problem' in amount) throw new CellError(amount.problem)
        draft.input[name] ??= amount.value
        draft.currency ??= amount.currency
      }
    case 'addresses':
      return (draft, text) => put(draft.input, name, readAddresses(text, place.one), true)
    case 'full name':
      return (draft, text) => {
        draft.input.full_name ??= text.trim()
      }
    case 'deal status':
      return (draft, text) => {
        draft.dealStatus ??= text.trim().toLowerCase()
      }
    case 'closing':
      return (draft, text) => {
        draft.closing[place.as] ??= read(text) as string
      }
    case 'tie':
      return (draft, text) => applyTie(draft, place, text)
    case 'custom':
      return (draft, text) => {
        draft.metadata ??= {}
        put(draft.metadata, place.key, read(text), field.several)
      }
    case 'metadata':
      return (draft, text) => applyMetadata(draft, text)
  }
}

/** Lists grow with every column; of single values the first counts. */
function put(into: Item, name: string, value: unknown, several: boolean): void {
  if (value === undefined) return
  const known = Object.hasOwn(into, name) ? into[name] : undefined
  if (known === undefined) into[name] = value
  else if (several && Array.isArray(known) && Array.isArray(value)) into[name] = [...known, ...value]
}

function applyTie(
  draft: Draft,
  { field, by, many }: { field: string; by: string; many: boolean },
  text: string,
): void {
  draft.ties[field] ??= { ids: [], names: [] }
  const tie = draft.ties[field]
  if (by === 'domain') tie.domain ??= text.trim()
  else if (by === 'id') tie.ids.push(...(many ? readList(text) : [text.trim()]))
  else tie.names.push(...(many ? readList(text) : [text]))
}

/** An object of further values; those that have a column of their own are already there. */
function applyMetadata(draft: Draft, text: string): void {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    draft.metadata = { ...value, ...draft.metadata }
  } else draft.input.metadata = text
}

/** JSON as an export writes it, or plain addresses one after the other. */
function readAddresses(text: string, one: 'email' | 'phone'): unknown {
  const json = /^\s*\[/.test(text) ? parsed(text) : undefined
  if (Array.isArray(json) && json.every(entry => typeof entry === 'object')) return json
  const parts = one === 'email' ? readList(text).flatMap(part => part.split(/\s+(?=\S+@)/)) : readPhones(text)
  return parts.map(part => ({ [one]: part, type: 'work', is_primary: false }))
}

/** Numbers hold spaces and dots, and now and then a comma: only what surely parts them does. */
const readPhones = (text: string): string[] => {
  const json = /^\s*\[/.test(text) ? parsed(text) : undefined
  if (Array.isArray(json)) return json.map(String)
  return text
    .split(/\s*(?::::|[;|\r\n\t])\s*|,\s*(?=\+)/)
    .map(part => part.trim())
    .filter(part => part !== '')
}

export function draftOf(record: CsvRecord, columns: readonly MappedColumn[], width: number): Draft {
  const draft: Draft = {
    row: record.row,
    cells: record.cells,
    id: undefined,
    target: undefined,
    created_at: undefined,
    updated_at: undefined,
    input: {},
    metadata: undefined,
    ties: {},
    dealStatus: undefined,
    currency: undefined,
    closing: {},
    errors: [],
    warnings: [],
  }
  for (const { column, field, apply } of columns) {
    const cell = record.cells[column.index]
    if (cell === undefined || cell === '') continue
    const problem = unstorable(cell)
    if (problem === undefined) applyCell(draft, { column, field, apply }, restored(cell))
    else draft.errors.push(rowError('value_error', problem, cell, column.header, field.name))
  }
  const { full_name, ...input } = draft.input
  if (typeof full_name === 'string') draft.input = { ...splitName(full_name), ...input }
  const extra = record.cells.slice(width).find(cell => cell !== '')
  if (extra !== undefined) {
    const message = `This row has more cells than the ${width} columns of the file`
    draft.errors.push(rowError('too_many_cells', message, extra))
  }
  return draft
}

function applyCell(draft: Draft, { column, field, apply }: MappedColumn, text: string): void {
  try {
    apply(draft, text)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    draft.errors.push(rowError('not_readable', error.message, text, column.header, field.name))
  }
}

/** "Ada King Lovelace" and "Lovelace, Ada King" */
function splitName(name: string): Item {
  const comma = /^([^,]+),\s*([^,]+)$/.exec(name)
  if (comma) return { first_name: comma[2]!.trim(), last_name: comma[1]!.trim() }
  const words = name.split(/\s+/)
  if (words.length === 1) return { first_name: name }
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) }
}
