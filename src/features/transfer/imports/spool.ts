/** Stores rows of a file on disk, to be read again by their number. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { at, last } from '../../../lib/values.ts'
import type { CsvRecord } from './csv-parser.ts'

export interface Spool {
  /** Stores rows and returns the number of the first; the others have the next numbers. */
  append(records: readonly CsvRecord[]): Promise<number>
  read(numbers: readonly number[]): Promise<CsvRecord[]>
  close(): Promise<void>
}

export async function openSpool(path: string): Promise<Spool> {
  const file = await open(path, 'w+', 0o600)
  /** where each row begins, and where the next one will */
  const starts = [0]
  return {
    async append(records) {
      const number = starts.length - 1
      const texts = records.map(record => Buffer.from(JSON.stringify(record)))
      const from = last(starts)
      let end = from
      for (const text of texts) {
        end += text.length
        starts.push(end)
      }
      await file.write(Buffer.concat(texts), 0, undefined, from)
      return number
    },
    async read(numbers) {
      const records: CsvRecord[] = []
      for (const number of numbers)
        records.push(JSON.parse(await textAt(file, at(starts, number), at(starts, number + 1))))
      return records
    },
    async close() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

async function textAt(file: FileHandle, from: number, to: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
  return buffer.toString()
}
