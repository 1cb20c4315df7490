/**
 * Reads CSV as it arrives, in one pass over its characters: a record that never ends, or has too many cells, is
 * refused when the bound is reached and not when memory is. Lenient as spreadsheets are: a quote inside an unquoted
 * cell is a character, and what follows a closing quote belongs to the cell.
 */

export interface CsvRecord {
  /** as a spreadsheet counts, from 1; empty lines count */
  row: number
  cells: string[]
  /** which cells were in quotes: those are read verbatim, the others are trimmed */
  quoted: boolean[]
}

export class CsvError extends Error {
  readonly row: number

  constructor(row: number, sentence: string) {
    super(sentence)
    this.row = row
  }
}

export const MAX_CELLS = 1000
export const MAX_RECORD_CHARACTERS = 1_000_000

const QUOTE = 34
const LF = 10
const CR = 13

type State = 'start' | 'plain' | 'quoted' | 'after quote'

export interface CsvParser {
  /** The records that have become complete with this text. */
  push(text: string): CsvRecord[]
  /** The last record, at the end of the file. */
  end(): CsvRecord[]
}

export function csvParser(delimiter: string): CsvParser {
  const part = delimiter.charCodeAt(0)
  let state: State = 'start'
  let row = 1
  let cells: string[] = []
  let quoted: boolean[] = []
  let cell = ''
  let isQuoted = false
  let size = 0
  /** The last character was a CR: an LF right behind it belongs to it. */
  let afterCr = false
  let openedIn = 1

  function take(text: string): void {
    cell += text
    size += text.length
    if (size <= MAX_RECORD_CHARACTERS) return
    const sentence =
      state === 'quoted'
        ? `the quote that opens in row ${openedIn} is not closed within ${MAX_RECORD_CHARACTERS} characters`
        : `row ${row} is longer than ${MAX_RECORD_CHARACTERS} characters`
    throw new CsvError(row, sentence)
  }

  function endCell(): void {
    if (cells.length === MAX_CELLS) throw new CsvError(row, `row ${row} has more than ${MAX_CELLS} columns`)
    cells.push(isQuoted ? cell : cell.trim())
    quoted.push(isQuoted)
    cell = ''
    isQuoted = false
    size++
    state = 'start'
  }

  /** An empty line is no record. */
  function endRecord(into: CsvRecord[]): void {
    endCell()
    if (cells.length > 1 || cells[0] !== '' || quoted[0]) into.push({ row, cells, quoted })
    cells = []
    quoted = []
    size = 0
    row++
  }

  return {
    push(text) {
      const records: CsvRecord[] = []
      let at = 0
      if (afterCr && text.charCodeAt(0) === LF) at = 1
      if (text.length > 0) afterCr = false
      while (at < text.length) {
        if (state === 'quoted') {
          const close = text.indexOf('"', at)
          take(text.slice(at, close === -1 ? text.length : close))
          if (close === -1) break
          at = close + 1
          state = 'after quote'
          continue
        }
        const code = text.charCodeAt(at)
        if (code === QUOTE && state !== 'plain') {
          if (state === 'after quote') take('"')
          else openedIn = row
          isQuoted = true
          state = 'quoted'
          at++
        } else if (code === part) {
          endCell()
          at++
        } else if (code === LF || code === CR) {
          endRecord(records)
          at++
          if (code === CR) {
            if (at === text.length) afterCr = true
            else if (text.charCodeAt(at) === LF) at++
          }
        } else {
          const from = at
          while (at < text.length) {
            const next = text.charCodeAt(at)
            if (next === part || next === LF || next === CR) break
            at++
          }
          state = 'plain'
          take(text.slice(from, at))
        }
      }
      return records
    },
    end() {
      if (state === 'quoted')
        throw new CsvError(row, `the quote that opens in row ${openedIn} is never closed`)
      const records: CsvRecord[] = []
      if (cells.length > 0 || state !== 'start') endRecord(records)
      return records
    },
  }
}
