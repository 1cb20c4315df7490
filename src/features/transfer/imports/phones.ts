/** Phone numbers of a cell: where one ends and the next begins, and texts that are none. */
import { CellError, parsed } from './values.ts'

/** As few as an emergency number has, beside another one. */
const MIN_DIGITS = 3
/** A number with its area code. Half of `0711 / 123456` has fewer, or no prefix. */
const WHOLE = 6
/** The most that a number has, by E.164. */
const MAX_DIGITS = 15

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0

/** Several numbers are separated by a semicolon or the like, or by a comma or a slash between two whole numbers. */
export function readPhones(text: string): string[] {
  const json = /^\s*\[/.test(text) ? parsed(text) : undefined
  if (Array.isArray(json)) return json.map(String)
  const parts = text
    .split(/\s*(?::::|[;|\r\n\t])\s*/)
    .map(part => part.trim())
    .filter(part => part !== '')
  const isSeveral = parts.length > 1 && parts.every(part => digitsIn(part) >= MIN_DIGITS)
  return (isSeveral ? parts : [text])
    .flatMap(part => wholeNumbers(part, ','))
    .flatMap(part => wholeNumbers(part, '/'))
}

/** `0711 / 123456` is one number, `0711 123456 / 0171 1234567` are two. */
function wholeNumbers(text: string, sign: ',' | '/'): string[] {
  const [first = '', ...more] = text.split(sign)
  const numbers = [first]
  for (const part of more) {
    const before = numbers.at(-1) ?? ''
    if (isNext(before, part)) numbers.push(part)
    else numbers[numbers.length - 1] = before + sign + part
  }
  return numbers.length === 1 ? numbers : numbers.map(number => number.trim())
}

function isNext(before: string, part: string): boolean {
  const [first, second] = [digitsIn(before), digitsIn(part)]
  if (first < WHOLE || second < WHOLE) return false
  return /^\(?[+＋0]/.test(part.trim()) || (Math.min(first, second) > WHOLE && first + second > MAX_DIGITS)
}

const WORDS =
  /(?<!\p{L})(?:tel|telefon|phone|fon|fax|mobil|mobile|cell|handy|home|work|office|privat|private|büro|direct|main|zentrale|ext|extension|durchwahl|dw|x)(?!\p{L})\.?:?/giu
/** `(Büro)`, `(Frau Maier)` */
const REMARK = /\([^()\p{Nd}]*\p{L}[^()]*\)/gu
/** 1-800-FLOWERS */
const VANITY = /(?<=\p{Nd}[\s.-]?)[A-Z]{3,}$/u
const SIGNS = /^[\p{Nd}\s\p{Cf}+＋().,/#*:;\-‐‑–—_'’]*$/u

/** The text of one number, as it is stored. Spreadsheets write `="0711 12345"` so that it stays a text. */
export function checkedPhone(text: string): string {
  const plain = /^\s*="(.*)"\s*$/s.exec(text)?.[1] ?? text
  const shown = `“${[...plain.trim()].slice(0, 60).join('')}”`
  if (/^\s*[+-]?\d+(?:[.,]\d+)?E[+-]?\d+\s*$/i.test(plain))
    throw new CellError(
      `${shown} has lost digits of the number: format the column as text in the spreadsheet and export it again`,
    )
  const rest = plain
    .trim()
    .replace(REMARK, ' ')
    .replace(VANITY, '')
    .replace(/(?<=\p{Nd})x(?=\p{Nd})/giu, ' ')
    .replace(WORDS, ' ')
  if (digitsIn(plain) === 0 || !SIGNS.test(rest))
    throw new CellError(`${shown} is not a phone number: write it with digits, as in +49 711 123456`)
  return plain
}
