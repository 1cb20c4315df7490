/** Records → lines of a file, in CSV or JSON. */
import type { Definition } from '../../../resources/custom-fields/definition.ts'
import type { Column } from './columns.ts'
import { csvLine, defused, listCell, quoted } from './csv-text.ts'
import { cellOf, jsonOf, type Kind } from './kinds.ts'
import { type LinkedNames, linksOf, nameColumns, rowColumns, type Source } from './read.ts'
import { parseRowText } from './row-text.ts'

export type Format = (source: Source) => string

type Values = readonly (string | null)[]

interface Encoding {
  /** the text of the cell in the line, in quotes where it needs them */
  cell: (source: Source, values: Values) => string
  json: (source: Source, values: Values) => string
}

export const header = (columns: readonly Column[]): string =>
  csvLine(columns.map(column => quoted(column.name)))

export function csvFormat(columns: readonly Column[], declared: readonly Definition[]): Format {
  const cells = encodingsOf(columns, declared).map(({ cell }) => cell)
  const commas = cells.map((_, count) => ','.repeat(count))
  const values: (string | null)[] = []
  // This handles two million cells a second, most of them empty: it builds no arrays, and adds the commas between two
  // cells that are not empty at once.
  return source => {
    parseRowText(source.text, values)
    let line = ''
    let last = 0
    for (let i = 0; i < cells.length; i++) {
      const text = cells[i]?.(source, values) ?? ''
      if (text === '') continue
      line += i === last ? text : commas[i - last] + text
      last = i
    }
    return cells.length === 1 ? csvLine([line]) : `${line}${commas[cells.length - 1 - last]}\r\n`
  }
}

export function jsonFormat(columns: readonly Column[], declared: readonly Definition[]): Format {
  const shown = encodingsOf(columns, declared).map(({ json }, i) => ({
    key: `${i === 0 ? '{' : ','}${JSON.stringify(columns[i]?.name)}:`,
    json,
  }))
  const values: (string | null)[] = []
  return source => {
    parseRowText(source.text, values)
    let line = ''
    for (const { key, json } of shown) line += key + json(source, values)
    return `${line}}\n`
  }
}

function encodingsOf(columns: readonly Column[], declared: readonly Definition[]): Encoding[] {
  const links = linksOf(columns)
  const own = rowColumns(columns)
  const named = nameColumns(columns)
  const apart = columns.flatMap(column => (column.from === 'metadata' ? (column.key ?? []) : []))
  const types = new Map(declared.map(({ key, field_type }) => [key, field_type]))
  const metadataOf = metadataReader()
  const encodingOf = (column: Column): Encoding => {
    switch (column.from) {
      case 'row':
        return rowEncoding(own.indexOf(column), column.kind)
      case 'name': {
        const key = `named ${named.indexOf(column)}` as const
        return {
          cell: source => {
            const name = source[key]
            return name == null ? '' : quoted(defused(name))
          },
          json: source => JSON.stringify(source[key] ?? null),
        }
      }
      case 'link': {
        const index = links.indexOf(column.link)
        const { part } = column
        return {
          cell: source => linkedCell(source.linked[index], part),
          json: source => linkedJson(source.linked[index], part),
        }
      }
      case 'metadata': {
        const { key } = column
        return key === undefined
          ? restEncoding(apart, metadataOf)
          : metadataEncoding(key, types.get(key) === 'json', metadataOf)
      }
    }
  }
  return columns.map(encodingOf)
}

/** Ids need neither quotes nor escaping. */
function linkedCell(linked: LinkedNames | undefined, part: 'ids' | 'names'): string {
  if (!linked) return ''
  return part === 'ids' ? quoted(linked.ids.join('; ')) : quoted(defused(listCell(linked.names)))
}

/** As the API returns them: ids with their names. */
function linkedJson(linked: LinkedNames | undefined, part: 'ids' | 'names'): string {
  if (!linked) return '[]'
  if (part === 'names') return JSON.stringify(linked.names)
  return JSON.stringify(linked.ids.map((id, i) => ({ id, name: linked.names[i] })))
}

/** Kinds whose texts never need quotes. */
const PLAIN: readonly Kind[] = ['uuid', 'integer', 'number', 'date', 'time', 'boolean']

function rowEncoding(index: number, kind: Kind): Encoding {
  const [toCell, toJson] = [cellOf[kind], jsonOf[kind]]
  const isPlain = PLAIN.includes(kind)
  return {
    cell: (_, values) => {
      const value = values[index]
      if (value == null) return ''
      return isPlain ? toCell(value) : quoted(toCell(value))
    },
    json: (_, values) => {
      const value = values[index]
      return value == null ? 'null' : toJson(value)
    },
  }
}

function metadataEncoding(key: string, isJson: boolean, metadataOf: Metadata): Encoding {
  const customValue = (source: Source) => {
    const metadata = metadataOf(source)
    return metadata != null && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  }
  return {
    cell: source => quoted(customCell(customValue(source), isJson)),
    json: source => JSON.stringify(customValue(source) ?? null),
  }
}

type Metadata = (source: Source) => Record<string, unknown> | null

/** Parsed once for all columns of a row. */
function metadataReader(): Metadata {
  let last: Source | undefined
  let metadata: Record<string, unknown> | null = null
  return source => {
    if (source !== last) {
      last = source
      metadata = source.metadata == null ? null : JSON.parse(source.metadata)
    }
    return metadata
  }
}

/** A field of the type json keeps its quotes: `"5"` and `5` are not the same there. */
function customCell(value: unknown, isJson: boolean): string {
  if (value === undefined || value === null) return ''
  if (isJson) return JSON.stringify(value)
  if (typeof value === 'string') return defused(value)
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return defused(listCell(value))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The metadata without the keys that have columns of their own. */
function restEncoding(apart: readonly string[], metadataOf: Metadata): Encoding {
  const restOf = (source: Source): string | undefined => {
    // not parsed where all of it is exported: parsing takes a tenth of an export's time
    if (source.metadata == null || apart.length === 0) return source.metadata ?? undefined
    const rest = Object.entries(metadataOf(source) ?? {}).filter(([key]) => !apart.includes(key))
    return rest.length > 0 ? JSON.stringify(Object.fromEntries(rest)) : undefined
  }
  return {
    cell: source => quoted(restOf(source) ?? ''),
    json: source => restOf(source) ?? '{}',
  }
}
