/** A cell's text → the value that a schema then checks. A text that is not of the kind is refused here or by the schema. */
import type { JsonSchema } from '../../../kernel/schema/index.ts'
import { type NumberFormat, readNumber } from '../../../lib/numbers/read.ts'
import type { Kind } from '../exports/kinds.ts'
import { type DateOrder, formatOf, isDottedDate, isIsoDate, type ReadDate, readDate } from './dates.ts'

export interface Reading {
  order: DateOrder
  /** the client has set the order */
  isOrderSet: boolean
  /** two digits of a year are of one that has passed */
  isPast: boolean
  number: NumberFormat
}

/** A cell without a value of its field's kind. The message says what is wrong with it. */
export class CellError extends Error {}

function readNumberCell(text: string, format: NumberFormat): number {
  const read = readNumber(text, format)
  if ('problem' in read) throw new CellError(read.problem)
  return read.value
}

const YES = new Set('true t yes y on 1 x ja wahr oui vrai si sí verdadero checked ✓'.split(' '))
const NO = new Set('false f no n off 0 nein falsch non faux falso unchecked'.split(' '))

export function readBoolean(text: string): boolean | string {
  const word = text.trim().toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : text
}

function booleanOrRefusal(text: string): boolean {
  const read = readBoolean(text)
  if (typeof read === 'boolean') return read
  const words = 'write yes or no (true and false, 1 and 0, ja and nein are read, too)'
  throw new CellError(`“${text.trim().slice(0, 60)}” is neither yes nor no: ${words}`)
}

export const isYearless = (text: string): boolean => /^--?\d{2}-?\d{2}$/.test(text)

/** A birthday without a year, and no date at all: Outlook writes `0/0/00`, MySQL `0000-00-00`. */
export const isNoDate = (text: string): boolean =>
  isYearless(text) || /^0{1,4}([./-])0{1,2}\1(?:0{1,4})(?:[ T][0:.]+)?$/.test(text)

function readDay(text: string, reading: Reading): string | undefined {
  const trimmed = text.trim()
  if (isNoDate(trimmed)) return undefined
  if (isIsoDate(trimmed)) return trimmed.slice(0, 10)
  return dateOrRefusal(trimmed, reading).day
}

function readTime(text: string, reading: Reading): string | undefined {
  const trimmed = text.trim()
  if (isNoDate(trimmed)) return undefined
  if (isIsoDate(trimmed)) return trimmed
  const { day, time } = dateOrRefusal(trimmed, reading)
  return `${day}T${time ?? '00:00:00'}Z`
}

/** What the message asks for is read whatever order a file has: in one with the corrected rows alone it may be another. */
function dateOrRefusal(text: string, { order, isOrderSet, isPast }: Reading): ReadDate {
  const own = isDottedDate(text) && order === 'MDY' && !isOrderSet ? 'DMY' : order
  const read = readDate(text, own, isPast ? 'past' : 'near')
  if (read) return read
  const others =
    own === 'YMD' ? '' : ` (here others are read as ${formatOf[own]}; options.date_format sets another order)`
  throw new CellError(`“${text.slice(0, 60)}” is not a date: write it as 2026-01-31${others}`)
}

/** `a; b`, `a, b`, `a | b`, one a line, `* a ::: b`, or JSON. */
export function readList(text: string): string[] {
  const json = text.trimStart().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(json) && json.every(isPlain)) return json.map(String)
  return text
    .split(/\s*(?::::|[;,|\r\n\t])\s*/)
    .map(item => item.replace(/^\*\s+/, '').trim())
    .filter(item => item !== '')
}

const isPlain = (item: unknown): boolean => typeof item === 'string' || typeof item === 'number'

/** Names of records: as a list, but a comma may belong to a name. */
export function readNames(text: string): string[] {
  const json = text.trimStart().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(json) && json.every(isPlain)) return json.map(String)
  return text
    .split(/\s*(?::::|[;|\r\n\t])\s*/)
    .map(item => item.trim())
    .filter(item => item !== '')
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Values of an enumeration, however they are spelled: "In progress" is in_progress. */
function readChoice(text: string, choices: readonly string[]): string {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return choices.find(choice => choice.toLowerCase() === word) ?? text.trim()
}

export function choicesOf(json: JsonSchema): string[] | undefined {
  const branches = json.anyOf ?? [json]
  return branches
    .flatMap(branch => (branch.enum as string[] | undefined) ?? [])
    .filter(value => value !== null)
}

/** Reads the cells of one field. `text` is the cell verbatim, without the prefix that defuses formulas. */
export function cellReader(kind: Kind, json: JsonSchema, reading: Reading): (text: string) => unknown {
  const choices = choicesOf(json)
  switch (kind) {
    case 'text':
      if (choices && choices.length > 0) return text => readChoice(text, choices)
      return isEmail(json) ? text => text.trim() : text => text
    case 'integer':
    case 'number':
      return text => readNumberCell(text, reading.number)
    case 'boolean':
      return booleanOrRefusal
    case 'date':
      return text => readDay(text, reading)
    case 'time':
      return text => readTime(text, reading)
    case 'uuid':
      return text => text.trim()
    case 'texts':
      return readList
    case 'text or texts':
      return text => {
        const json = text.startsWith('"') ? parsed(text) : undefined
        return typeof json === 'string' ? json : readList(text)
      }
    case 'json':
      return text => parsed(text) ?? text
  }
}

const isEmail = (json: JsonSchema): boolean =>
  (json.anyOf ?? [json]).some(branch => branch.format === 'email')
