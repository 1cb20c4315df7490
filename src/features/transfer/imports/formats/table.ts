/**
 * Every format becomes a CSV file, so that the mapping, the preview, the dry run, the import and its error file read
 * one kind of table. Lines of that file are the rows or records of the source: line 8 is row 8 of a sheet.
 */
import { open } from 'node:fs/promises'
import type { UploadLimit } from '../../../../kernel/storage.ts'
import { defused, quoted } from '../../exports/csv-text.ts'
import { CsvError, MAX_CELLS } from '../csv-parser.ts'

/** A record of a file without columns: heading → text. */
export type Keyed = ReadonlyMap<string, string>

export interface TableWriter {
  /** Cells at the end that are missing are empty; a row without any is an empty line, which still counts. */
  row(cells: readonly string[]): Promise<void>
}

const FLUSH_CHARACTERS = 256 * 1024

/** Writes the table to `path`; `limit` is that of the upload. */
export async function writeTable(
  path: string,
  limit: UploadLimit,
  write: (table: TableWriter) => Promise<void>,
): Promise<void> {
  const file = await open(path, 'w', 0o600)
  let pending = ''
  let bytes = 0
  let count = 0
  const flush = async () => {
    bytes += Buffer.byteLength(pending)
    if (bytes > limit.bytes) throw limit.exceeded()
    await file.writeFile(pending)
    pending = ''
  }
  try {
    await write({
      async row(cells) {
        count++
        // UTF-8 has no lone surrogates: written, they would become another character.
        const broken = cells.find(cell => !cell.isWellFormed())
        if (broken !== undefined)
          throw new CsvError(
            count,
            `row ${count} of the table has half a character: “${broken.slice(0, 60)}”`,
          )
        pending += `${cells.map(cell => quoted(defused(cell))).join(',')}\r\n`
        if (pending.length > FLUSH_CHARACTERS) await flush()
      },
    })
    await flush()
  } finally {
    await file.close()
  }
}

/** Reads the records twice: for the headings, which any record may add to, and for the rows. */
export async function writeKeyed(
  path: string,
  limit: UploadLimit,
  records: () => AsyncIterable<Keyed>,
): Promise<void> {
  const columns = new Map<string, number>()
  let count = 0
  for await (const record of records()) {
    count++
    for (const heading of record.keys()) if (!columns.has(heading)) columns.set(heading, columns.size)
    if (columns.size > MAX_CELLS) throw new CsvError(count, `the file has more than ${MAX_CELLS} columns`)
  }
  if (count === 0) throw new CsvError(1, 'the file has no records')
  if (columns.size === 0) throw new CsvError(1, 'the records of the file are empty')
  await writeTable(path, limit, async table => {
    await table.row([...columns.keys()])
    for await (const record of records()) {
      const cells = Array.from(columns, () => '')
      for (const [heading, text] of record) cells[columns.get(heading) ?? 0] = text
      await table.row(cells)
    }
  })
}
