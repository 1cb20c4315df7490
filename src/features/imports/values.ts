/** A cell's text → the value that a schema then checks. What cannot be read is handed on as it is, to be refused there. */
import type { JsonSchema } from '../../kernel/schema/index.ts'
import type { Kind } from '../exports/kinds.ts'
import { type DateOrder, isIsoDate, readDate } from './dates.ts'

export interface Reading {
  order: DateOrder
  decimal: '.' | ',' | undefined
}

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** `1.234,50 €`, `$1,234.50`, `(12)`, `75 %` */
export function readNumber(text: string, decimal: Reading['decimal']): number | string {
  const trimmed = text.trim()
  if (decimal !== ',' && PLAIN_NUMBER.test(trimmed)) return Number(trimmed)
  const isNegative = /^\(.*\)$/.test(trimmed) || /^[^\d(]*-/.test(trimmed)
  const digits = trimmed
    .replace(/^[\p{Sc}A-Za-z\s()+-]+|[\p{Sc}A-Za-z\s%()]+$/gu, '')
    .replace(/[\s'’\u00a0\u202f]/g, '')
  if (!/^[\d.,]*\d[\d.,]*$/.test(digits)) return text
  const separator = decimal ?? guessDecimal(digits)
  const thousands = separator === ',' ? /\./g : /,/g
  const plain = digits.replace(thousands, '').replace(',', '.')
  if (!PLAIN_NUMBER.test(plain)) return text
  return isNegative ? -Number(plain) : Number(plain)
}

/** The sign that stands last and once parts the decimals, unless three digits follow a comma. */
function guessDecimal(digits: string): '.' | ',' {
  const [dot, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (dot >= 0 && comma >= 0) return dot > comma ? '.' : ','
  if (comma >= 0) return /^\d{1,3}(?:,\d{3})+$/.test(digits) ? '.' : ','
  return /^\d{1,3}(?:\.\d{3}){2,}$/.test(digits) ? ',' : '.'
}

const YES = new Set('true t yes y on 1 x ja wahr oui vrai si sí verdadero checked ✓'.split(' '))
const NO = new Set('false f no n off 0 nein falsch non faux falso unchecked'.split(' '))

export function readBoolean(text: string): boolean | string {
  const word = text.trim().toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : text
}

/** A birthday of which nobody told the year is no date. */
const YEARLESS = /^--?\d{2}-?\d{2}$/

function readDay(text: string, { order }: Reading): string | undefined {
  const trimmed = text.trim()
  if (YEARLESS.test(trimmed)) return undefined
  if (isIsoDate(trimmed)) return trimmed.slice(0, 10)
  return readDate(trimmed, order)?.day ?? trimmed
}

function readTime(text: string, { order }: Reading): string {
  const trimmed = text.trim()
  if (isIsoDate(trimmed)) return trimmed
  const read = readDate(trimmed, order)
  return read ? `${read.day}T${read.time ?? '00:00:00'}Z` : trimmed
}

/** `a; b`, `a, b`, `a | b`, one a line, `* a ::: b`, or JSON. */
export function readList(text: string): string[] {
  const json = text.trimStart().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(json) && json.every(item => typeof item === 'string')) return json
  return text
    .split(/\s*(?::::|[;,|\r\n\t])\s*/)
    .map(item => item.replace(/^\*\s+/, '').trim())
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

/** Reads the cells of one field. `text` is exactly what stood in the cell, less what defused it. */
export function cellReader(kind: Kind, json: JsonSchema, reading: Reading): (text: string) => unknown {
  const choices = choicesOf(json)
  switch (kind) {
    case 'text':
      if (choices && choices.length > 0) return text => readChoice(text, choices)
      return isEmail(json) ? text => text.trim() : text => text
    case 'integer':
    case 'number':
      return text => readNumber(text, reading.decimal)
    case 'boolean':
      return readBoolean
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
