/** Records → lines of a file, in CSV or JSON. */
import type { Definition } from '../../resources/custom-fields/definition.ts'
import type { Column } from './columns.ts'
import { csvLine, defused, listCell, quoted } from './csv-text.ts'
import { cellOf, jsonOf } from './kinds.ts'
import { type LinkedNames, linksOf, type Reader, type Source } from './read.ts'

export type Format = (source: Source) => string

type ValueOf = (source: Source) => string

interface Encoding {
  cell: (source: Source) => string
  json: (source: Source) => string
}

export const header = (columns: readonly Column[]): string =>
  csvLine(columns.map(column => quoted(column.name)))

export function csvFormat(
  columns: readonly Column[],
  reader: Reader,
  declared: readonly Definition[],
): Format {
  const encodings = encodingsOf(columns, reader, declared).map(({ cell }) => cell)
  return source => csvLine(encodings.map(encode => quoted(encode(source))))
}

export function jsonFormat(
  columns: readonly Column[],
  reader: Reader,
  declared: readonly Definition[],
): Format {
  const shown = encodingsOf(columns, reader, declared).map(({ json }, i) => ({
    key: `${JSON.stringify(columns[i]!.name)}:`,
    json,
  }))
  return source => `{${shown.map(({ key, json }) => key + json(source)).join(',')}}\n`
}

function encodingsOf(
  columns: readonly Column[],
  reader: Reader,
  declared: readonly Definition[],
): Encoding[] {
  const links = linksOf(columns)
  const ownCount = columns.filter(column => column.from === 'row').length
  const apart = columns.flatMap(column => (column.from === 'metadata' ? (column.key ?? []) : []))
  const types = new Map(declared.map(({ key, field_type }) => [key, field_type]))
  let rowPlace = 0
  let namePlace = 0
  const encodingOf = (column: Column): Encoding => {
    switch (column.from) {
      case 'row':
        return rowEncoding(rowPlace++, cellOf[column.kind], jsonOf[column.kind])
      case 'name': {
        const names = reader.names[namePlace]!
        const place = ownCount + namePlace++
        const nameOf = (source: Source) => names.get(source.values[place] ?? '')
        return {
          cell: source => defused(nameOf(source) ?? ''),
          json: source => JSON.stringify(nameOf(source) ?? null),
        }
      }
      case 'link': {
        const place = links.indexOf(column.link)
        const { part } = column
        return {
          cell: source => defused(listCell(source.linked[place]?.[part] ?? [])),
          json: source => linkedJson(source.linked[place], part),
        }
      }
      case 'metadata': {
        const { key } = column
        return key === undefined ? restEncoding(apart) : metadataEncoding(key, types.get(key) === 'json')
      }
    }
  }
  return columns.map(encodingOf)
}

/** As the interface answers them: ids with their names. */
function linkedJson(linked: LinkedNames | undefined, part: 'ids' | 'names'): string {
  if (!linked) return '[]'
  if (part === 'names') return JSON.stringify(linked.names)
  return JSON.stringify(linked.ids.map((id, i) => ({ id, name: linked.names[i] })))
}

function rowEncoding(
  place: number,
  toCell: (text: string) => string,
  toJson: (text: string) => string,
): Encoding {
  const encode =
    (to: (text: string) => string, absent: string): ValueOf =>
    source => {
      const value = source.values[place]
      return value == null ? absent : to(value)
    }
  return { cell: encode(toCell, ''), json: encode(toJson, 'null') }
}

function metadataEncoding(key: string, isJson: boolean): Encoding {
  const held = ({ metadata }: Source) =>
    metadata !== undefined && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  return {
    cell: source => customCell(held(source), isJson),
    json: source => JSON.stringify(held(source) ?? null),
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

/** What the metadata holds besides the keys that have columns of their own. */
function restEncoding(apart: readonly string[]): Encoding {
  const restOf = ({ metadata }: Source) => {
    if (metadata === undefined) return undefined
    const rest = Object.entries(metadata).filter(([key]) => !apart.includes(key))
    return rest.length > 0 ? Object.fromEntries(rest) : undefined
  }
  return {
    cell: source => {
      const rest = restOf(source)
      return rest ? JSON.stringify(rest) : ''
    },
    json: source => JSON.stringify(restOf(source) ?? {}),
  }
}
