/** A row of the file → a draft of the record: the values of its cells, before names are looked up or checked. */
import { unstorable } from '../../../kernel/schema/storable.ts'
import { type NumberFormat, readNumber, type Separator } from '../../../lib/numbers/read.ts'
import { MAX_TAG_NAME, MAX_TAGS } from '../../../resources/tags/record.ts'
import { restored } from '../exports/csv-text.ts'
import { addressReader, settleTypes } from './addresses.ts'
import type { Column } from './analyse.ts'
import type { Choices } from './choices.ts'
import type { CsvRecord } from './csv-parser.ts'
import { type DateOrder, orderOf } from './dates.ts'
import { readDealStatus } from './deal-status.ts'
import type { Draft } from './draft.ts'
import { noteDue, readClock, readDuration, settleDue } from './due.ts'
import type { ImportField } from './fields.ts'
import { noteMissing } from './missing.ts'
import type { OnMissing } from './options.ts'
import { splitName } from './people-names.ts'
import { put, rowError } from './row-values.ts'
import { areShares, percentReader } from './shares.ts'
import type { ValueMapping } from './value-mapping.ts'
import { CellError, cellReader, isYearless, parsed, readList, readNames } from './values.ts'

export interface MappedColumn {
  column: Column
  field: ImportField
  /** the value that replaces a cell; null: no value */
  replaced: (text: string) => string | null
  apply: (draft: Draft, text: string) => void
}

export interface ReadingOptions {
  date_format?: string | null
  decimal_separator?: Separator | null
  /** of amounts that come without one */
  currency?: string | null
  /** the product that wrote the file */
  profile?: string | null
  /** the system that ids come from */
  source?: string | null
}

/** How cells are read that name tags and options. */
type OnUnknown = Pick<OnMissing, 'option'>

export function mappedColumns(
  columns: readonly Column[],
  mapping: Record<string, string | null>,
  fieldOf: (name: string) => ImportField | undefined,
  options: ReadingOptions,
  valueMapping: ValueMapping,
  onMissing: OnUnknown,
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
    const isOrderSet = options.date_format != null
    const isPast = field.name === 'birthday'
    const read =
      field.style === 'percent'
        ? percentReader(areShares({ column, field }, options.profile), number)
        : cellReader(field.kind, field.json, { order, isOrderSet, isPast, number })
    const isList = field.kind === 'texts' && field.destination.at !== 'link'
    const replaced = replacer(valueMapping[column.header], isList)
    const { destination } = field
    const apply =
      destination.at === 'addresses' || destination.at === 'main address'
        ? addressReader(field.name, destination, column, columns)
        : applier(field, read, number, options.source ?? '', onMissing)
    return [{ column, field, replaced, apply }]
  })
}

/** Cells are compared without case: the whole cell first, then each item of a list. */
function replacer(
  values: Record<string, string | null> | undefined,
  isList: boolean,
): MappedColumn['replaced'] {
  if (!values) return text => text
  const byCell = new Map(Object.entries(values).map(([cell, value]) => [cell.trim().toLowerCase(), value]))
  const find = (text: string) => byCell.get(text.trim().toLowerCase())
  return text => {
    const whole = find(text)
    if (whole !== undefined) return whole
    const items = isList ? readList(text) : []
    if (items.every(item => find(item) === undefined)) return text
    return JSON.stringify(items.map(item => find(item) ?? (find(item) === null ? '' : item)))
  }
}

function applier(
  field: ImportField,
  read: (text: string) => unknown,
  number: NumberFormat,
  source: string,
  onMissing: OnUnknown,
): MappedColumn['apply'] {
  const { name, destination } = field
  switch (destination.at) {
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
    case 'main address':
      throw new Error('addresses have a reader of their own')
    case 'external id':
      return (draft, text) => {
        draft.input.external_ids ??= { [source]: text.trim() }
      }
    case 'full name':
      return (draft, text) => {
        draft.input.full_name ??= text.trim()
      }
    case 'deal status':
      return (draft, text) => {
        draft.dealStatus ??= readDealStatus(text)
      }
    case 'due day':
      return (draft, text) => noteDue(draft, read(text) as string | undefined)
    case 'due time':
      return (draft, text) => {
        draft.due.clock ??= readClock(text)
      }
    case 'duration':
      return (draft, text) => put(draft.input, name, readDuration(text) ?? read(text), false)
    case 'closing':
      return (draft, text) => {
        draft.closing[destination.as] ??= read(text) as string
      }
    case 'link':
      return (draft, text) => applyLink(draft, destination, text)
    case 'tags':
      return (draft, text) => addTags(draft, text)
    case 'custom': {
      const { choices } = field
      const readChoice = choices
        ? (draft: Draft, text: string) => chosen(draft, field, choices, text, onMissing.option)
        : (_: Draft, text: string) => read(text)
      return (draft, text) => {
        draft.metadata ??= {}
        put(draft.metadata, destination.key, readChoice(draft, text), field.several)
      }
    }
    case 'metadata':
      return (draft, text) => applyMetadata(draft, text)
  }
}

/** The group that Google has every contact in. */
const EVERYBODY = /\*\s*my ?contacts\s*(?=:::|$)/i

function addTags(draft: Draft, text: string): void {
  const names = readList(text.replace(EVERYBODY, ''))
    .map(name => name.trim())
    .filter(name => name !== '')
  const long = names.find(name => [...name].length > MAX_TAG_NAME)
  if (long !== undefined) throw new CellError(`A tag has at most ${MAX_TAG_NAME} characters`)
  draft.tags = [...new Set([...draft.tags, ...names])]
  if (draft.tags.length > MAX_TAGS) throw new CellError(`A row has at most ${MAX_TAGS} tags`)
}

/** The options that a cell names. Without the rule `empty`, the check of the record refuses one that does not exist. */
function chosen(
  draft: Draft,
  { name, several }: ImportField,
  choices: Choices,
  text: string,
  rule: OnMissing['option'],
): unknown {
  const values = (several ? namesIn(text, choices) : [text.trim()]).flatMap(item => {
    const option = choices.find(item)
    if (option !== undefined || rule !== 'empty') return [option ?? item]
    noteMissing(draft, name, 'Option', item, rule)
    return []
  })
  return several ? values : values[0]
}

/** A comma may be part of an option. */
const namesIn = (text: string, choices: Choices): string[] =>
  text.trimStart().startsWith('[')
    ? readList(text)
    : readNames(text).flatMap(part => (choices.find(part) === undefined ? readList(part) : [part]))

function applyLink(
  draft: Draft,
  { field, by, many }: { field: string; by: string; many: boolean },
  text: string,
): void {
  draft.links[field] ??= { ids: [], externals: [], names: [] }
  const link = draft.links[field]
  if (by === 'domain') link.domain ??= text.trim()
  else if (by === 'external') link.externals.push(...readList(text))
  else if (by === 'id') link.ids.push(...(many ? readList(text) : [text.trim()]))
  else link.names.push(...(many ? readNames(text) : [text]))
}

/** An object of further values; those that have a column of their own are already there. */
function applyMetadata(draft: Draft, text: string): void {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    draft.metadata = { ...value, ...draft.metadata }
  } else draft.input.metadata = text
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
    links: {},
    tags: [],
    dealStatus: undefined,
    currency: undefined,
    mainTypes: {},
    closing: {},
    due: {},
    errors: [],
    warnings: [],
  }
  for (const mapped of columns) {
    const { column, field } = mapped
    const cell = record.cells[column.index]
    if (cell === undefined || cell === '') continue
    const problem = unstorable(cell)
    if (problem === undefined) applyCell(draft, mapped, restored(cell))
    else draft.errors.push(rowError('value_error', problem, cell, column.header, field.name))
  }
  const { full_name, ...input } = draft.input
  if (typeof full_name === 'string') draft.input = { ...splitName(full_name), ...input }
  settleTypes(draft)
  settleDue(draft)
  const extra = record.cells.slice(width).find(cell => cell !== '')
  if (extra !== undefined) {
    const message = `This row has more cells than the ${width} columns of the file`
    draft.errors.push(rowError('too_many_cells', message, extra))
  }
  return draft
}

/** Texts that people write where there is no value. */
const NO_VALUE = /^(?:[-–—.?/]+|n\/?a|#n\/a|n\.a\.|none|null|nil|\(?(?:blank|empty|not set|no value)\)?)$/i
/** Fields of these kinds cannot contain such a word; in a text it may be meant. */
const STRICT_KINDS = new Set(['integer', 'number', 'date', 'time', 'boolean', 'uuid'])
const ADDRESSES = new Set(['email', 'emails', 'phone', 'phones'])

function applyCell(draft: Draft, { column, field, replaced, apply }: MappedColumn, cell: string): void {
  const text = replaced(cell)
  if (text === null || text === '') return
  if ((STRICT_KINDS.has(field.kind) || ADDRESSES.has(field.name)) && NO_VALUE.test(text.trim())) {
    const message = `“${text.trim()}” is taken for no value`
    draft.warnings.push(rowError('value_left_out', message, cell, column.header, field.name))
    return
  }
  if (field.kind === 'date' && isYearless(text.trim())) {
    const message = `“${text.trim()}” has no year, so it is left out: write the whole date, as 1980-01-31`
    draft.warnings.push(rowError('value_left_out', message, cell, column.header, field.name))
    return
  }
  try {
    apply(draft, text)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    draft.errors.push(rowError('not_readable', error.message, cell, column.header, field.name))
  }
}
