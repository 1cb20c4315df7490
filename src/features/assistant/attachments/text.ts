/** Reads text files, and cuts any text to the length that is stored. */
import { open } from 'node:fs/promises'
import { sniffDelimiter } from '../../transfer/imports/analyse.ts'
import { CsvError, csvParser } from '../../transfer/imports/csv-parser.ts'
import { decoder, type Encoding } from '../../transfer/imports/encoding.ts'
import { MAX_TEXT } from './attached.ts'

export interface ReadText {
  text: string
  is_truncated: boolean
}

/** A character has at most four bytes in any encoding. */
const MAX_BYTES = 4 * MAX_TEXT

export async function textOf(path: string, encoding: Encoding, reads: 'text' | 'csv'): Promise<ReadText> {
  const { bytes, isMore } = await beginningOf(path)
  const { push, end } = decoder(encoding)
  const text = (push(bytes) + (isMore ? '' : end())).replace(/^\ufeff/, '')
  const read = storableText(reads === 'csv' ? csvText(text) : text)
  return { ...read, is_truncated: read.is_truncated || isMore }
}

async function beginningOf(path: string): Promise<{ bytes: Buffer; isMore: boolean }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return { bytes: bytes.subarray(0, bytesRead), isMore: size > bytesRead }
  } finally {
    await file.close()
  }
}

/** Text that the database accepts, cut to the stored length, never inside a character. */
export function storableText(text: string): ReadText {
  const clean = text.toWellFormed().replaceAll('\0', '')
  if (clean.length <= MAX_TEXT) return { text: clean, is_truncated: false }
  return { text: clean.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, ''), is_truncated: true }
}

/** Each row with the column names, so that a row can be understood by itself. */
export function csvText(text: string): string {
  const parser = csvParser(sniffDelimiter(text.slice(0, 100_000)))
  const lines: string[] = []
  let size = 0
  try {
    const records = [...parser.push(text), ...parser.end()].filter(({ cells }) =>
      cells.some(cell => cell.trim() !== ''),
    )
    const [first, ...rest] = records
    if (!first) return text
    const names = first.cells.map((cell, i) => cell.trim() || `column ${i + 1}`)
    lines.push(`Columns: ${names.join(' | ')}`)
    for (const { row, cells } of rest) {
      const values = cells.flatMap((cell, i) =>
        cell.trim() === '' ? [] : [`${names[i] ?? `column ${i + 1}`}: ${cell.trim()}`],
      )
      lines.push(`Row ${row}: ${values.join(' | ')}`)
      size += (lines.at(-1)?.length ?? 0) + 1
      if (size > MAX_TEXT) break
    }
    return lines.join('\n')
  } catch (error) {
    if (error instanceof CsvError) return text
    throw error
  }
}
