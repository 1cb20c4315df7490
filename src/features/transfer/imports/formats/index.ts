/** Turns a file of another format into the CSV table that imports read. */
import type { UploadLimit } from '../../../../kernel/storage.ts'
import type { Encoding } from '../encoding.ts'
import type { Warning } from '../warnings.ts'
import type { Format } from './detect.ts'
import { icalRecords } from './ical.ts'
import { jsonRecords } from './json.ts'
import { writeKeyed, writeTable } from './table.ts'
import { vcardRecords } from './vcard.ts'
import { readSheet, type Sheets } from './xlsx.ts'

export interface Converted {
  /** the name of the sheet that was read */
  sheet: string | null
  /** data of the file that is not in the table */
  notices: Warning[]
}

const READERS = { json: jsonRecords, vcard: vcardRecords, ical: icalRecords }

export async function convert(
  format: Exclude<Format, 'csv'>,
  from: string,
  to: string,
  encoding: Encoding | undefined,
  sheet: string | undefined,
  limit: UploadLimit,
): Promise<Converted> {
  if (format === 'xlsx') return convertSheet(from, to, sheet, limit)
  const read = READERS[format]
  await writeKeyed(to, limit, () => read(from, encoding ?? 'utf-8'))
  return { sheet: null, notices: [] }
}

async function convertSheet(
  from: string,
  to: string,
  sheet: string | undefined,
  limit: UploadLimit,
): Promise<Converted> {
  let notices: Warning[] = []
  let name = ''
  await writeTable(to, limit, async table => {
    const read = await readSheet(from, sheet, table)
    name = read.sheet
    notices = [...leftOut(read), ...uncomputed(read)]
  })
  return { sheet: name, notices }
}

function leftOut({ sheet, others }: Sheets): Warning[] {
  if (others.length === 0) return []
  const names = others.slice(0, 20).map(other => `“${other.slice(0, 100)}”`)
  const rest = others.length > names.length ? `, and ${others.length - names.length} more` : ''
  const message = `Only the sheet “${sheet}” is imported: upload the file again with sheet for ${names.join(', ')}${rest}`
  return [{ column: null, code: 'sheets_left_out', message }]
}

function uncomputed({ uncomputed: count }: Sheets): Warning[] {
  if (count === 0) return []
  const message = `${count} cells with formulas are empty, because the file does not hold their values: open and save it in a spreadsheet program`
  return [{ column: null, code: 'formulas_without_value', message }]
}
