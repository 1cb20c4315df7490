/**
 * Cells of a CSV file. A cell that a spreadsheet would take for a formula is defused by an apostrophe before it,
 * and so is one that only looks as if it had been defused: removing one apostrophe restores every value exactly.
 * Phone numbers in groups, +49 30 23125 100, are left alone: they contain no function and no reference, and with a space
 * between two numbers they are no valid formula (spreadsheet.test.ts checks it where LibreOffice is installed). Without
 * spaces they would become numbers and lose their plus sign, and with hyphens they would be computed: those get one.
 */

// Characters that spreadsheets skip before the sign of a formula, and those signs, also in their full-width form.
const PADDING = '[\\s\\p{C}\\p{M}\\p{Z}]*'
const FORMULA = `(?:[\\t\\r]|${PADDING}[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20])`
const NEEDS_DEFUSING = new RegExp(`^'*${FORMULA}`, 'u')
const PHONE = /^\+\d{1,4}(?: \d{1,8}){1,6}$/
const WAS_DEFUSED = new RegExp(`^'+${FORMULA}`, 'u')

export const defused = (value: string): string => {
  const first = value.charCodeAt(0)
  // letters and digits, which is nearly every cell
  if ((first >= 97 && first <= 122) || (first >= 65 && first <= 90) || (first >= 48 && first <= 57))
    return value
  return NEEDS_DEFUSING.test(value) && !PHONE.test(value) ? `'${value}` : value
}

/** The inverse of `defused`. */
export const restored = (cell: string): string =>
  cell.charCodeAt(0) === 39 && WAS_DEFUSED.test(cell) ? cell.slice(1) : cell

/** Readers trim text that is not in quotes. */
const NEEDS_QUOTES = /[",;\t\r\n]|^[\s\ufeff]|[\s\ufeff]$/

export const quoted = (cell: string): string =>
  NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Lines end in CRLF (RFC 4180). Readers would skip an empty line. */
export const csvLine = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\r\n' : `${cells.join(',')}\r\n`

const PLAIN_ITEM = /^[^\s;,|"[\]{}'\ufeff](?:[^;,|"\r\n\t\ufeff]*[^\s;,|"\ufeff])?$/

/** Several values in one cell: separated by semicolons where that can be read back, else as JSON. */
export const listCell = (items: readonly string[]): string =>
  items.every(item => PLAIN_ITEM.test(item)) ? items.join('; ') : JSON.stringify(items)
