/** The kinds of values in files. */
import type { JsonSchema } from '../../../kernel/schema/index.ts'
import { defused, listCell } from './csv-text.ts'

export type Kind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'uuid'
  /** several texts */
  | 'texts'
  /** one text or several: a company's domains */
  | 'text or texts'
  | 'json'

const FORMATS: Record<string, Kind> = { date: 'date', 'date-time': 'time', uuid: 'uuid' }

export function kindOf(json: JsonSchema): Kind {
  const branches = branchesOf(json)
  if (branches.length > 1) {
    const isTexts = branches.every(branch => branch.type === 'string' || isTextList(branch))
    return isTexts ? 'text or texts' : 'json'
  }
  const [one] = branches
  if (!one) return 'json'
  if (isTextList(one)) return 'texts'
  if (one.type === 'string') return FORMATS[String(one.format)] ?? 'text'
  if (one.type === 'integer' || one.type === 'number' || one.type === 'boolean') return one.type
  return 'json'
}

const branchesOf = (json: JsonSchema): JsonSchema[] =>
  json.anyOf ? json.anyOf.flatMap(branchesOf) : json.type === 'null' ? [] : [json]

const isTextList = (json: JsonSchema): boolean => json.type === 'array' && json.items?.type === 'string'

/** Kinds that the database returns as JSON text. */
export const isJsonText = (kind: Kind): boolean =>
  kind === 'json' || kind === 'texts' || kind === 'text or texts'

/** `2026-01-31 09:30:00.5+00` → `2026-01-31T09:30:00.500Z`; the session's time zone is UTC. */
const isoTime = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/** The database's text of a value → the cell. No value is an empty cell. */
export const cellOf: Record<Kind, (text: string) => string> = {
  text: defused,
  uuid: text => text,
  integer: text => text,
  number: text => String(Number(text)),
  date: text => text,
  time: isoTime,
  boolean: text => (text === 't' ? 'true' : 'false'),
  texts: text => {
    const items: string[] = JSON.parse(text)
    return items.length === 0 ? '' : defused(listCell(items))
  },
  'text or texts': text => {
    const value: string | string[] = JSON.parse(text)
    // A single text has quotes, to differ from a list of one.
    return typeof value === 'string'
      ? value === ''
        ? ''
        : text
      : value.length === 0
        ? ''
        : defused(listCell(value))
  },
  json: text => (text === '{}' || text === 'null' || text === '[]' ? '' : text),
}

/** The database's text of a value → JSON text. */
export const jsonOf: Record<Kind, (text: string) => string> = {
  text: text => JSON.stringify(text),
  uuid: text => `"${text}"`,
  integer: text => text,
  number: text => JSON.stringify(Number(text)),
  date: text => `"${text}"`,
  time: text => `"${isoTime(text)}"`,
  boolean: text => (text === 't' ? 'true' : 'false'),
  texts: text => text,
  'text or texts': text => text,
  json: text => text,
}
