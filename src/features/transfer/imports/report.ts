/** The errors of an import by row: as a list, and as a file to correct and import again. */
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../../kernel/context.ts'
import { asPage } from '../../../kernel/page.ts'
import { rows } from '../../../kernel/statements.ts'
import { last } from '../../../lib/values.ts'
import { csvLine, defused, quoted, restored } from '../exports/csv-text.ts'
import { transferFiles } from '../exports/files.ts'
import { type Column, type Layout, readRecords } from './analyse.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { RowError } from './row-values.ts'

/** The columns with the number of the row and its errors; an import of the corrected file ignores them. */
export const REPORT_COLUMNS = ['Import row', 'Import error']
const PAGE = 1000

export async function errorPage(ctx: Ctx, id: string, severity: string, page: number, size: number) {
  const isMeant = sql`e.import_id = ${id} and e.severity = ${severity}`
  const { total } = one(
    await query(
      ctx,
      sql<{
        total: number
      }>`select count(*) as total from ${rows(ctx, 'import_errors')} e where ${isMeant}`,
    ),
  )
  const items = await query(
    ctx,
    sql<RowError & { row: number }>`select e.row, e.column, e.field, e.value, e.severity, e.code, e.message
      from ${rows(ctx, 'import_errors')} e where ${isMeant}
      order by e.row, e.place limit ${size} offset ${(page - 1) * size}`,
  )
  return asPage(items, total, page, size)
}

interface Failed {
  row: number
  messages: string
}

const failedAfter = (ctx: Ctx, id: string, row: number): Promise<Failed[]> =>
  query(
    ctx,
    sql<Failed>`select e.row, string_agg(case when e.column is null then '' else e.column || ': ' end || e.message,
        '; ' order by e.place) as messages
      from ${rows(ctx, 'import_errors')} e
      where e.import_id = ${id} and e.severity = 'error' and e.row > ${row}
      group by e.row order by e.row limit ${PAGE}`,
  )

/** The failed rows verbatim, each followed by its errors. */
export function errorFile(ctx: Ctx, id: string, layout: Layout, columns: readonly Column[]): Readable {
  return Readable.from(lines(ctx, id, layout, columns), { objectMode: false })
}

async function* lines(ctx: Ctx, id: string, layout: Layout, columns: readonly Column[]) {
  yield `\ufeff${csvLine([...columns.map(({ header }) => quoted(defused(header))), ...REPORT_COLUMNS])}`
  let failed = await failedAfter(ctx, id, 0)
  let at = 0
  for await (const records of readRecords(transferFiles.path(ctx, id), layout)) {
    let text = ''
    for (const record of records) {
      if (at === failed.length) {
        if (failed.length < PAGE) break
        failed = await failedAfter(ctx, id, last(failed).row)
        at = 0
      }
      const next = failed[at]
      if (next?.row !== record.row) continue
      text += lineOf(record, columns.length, next.messages)
      at++
    }
    if (text !== '') yield text
    if (at === failed.length && failed.length < PAGE) return
  }
}

function lineOf({ row, cells, quoted: wasQuoted }: CsvRecord, width: number, messages: string): string {
  const shown = Array.from({ length: Math.max(width, cells.length) }, (_, i) => {
    const cell = quoted(defused(restored(cells[i] ?? '')))
    return wasQuoted[i] && !cell.startsWith('"') && cell !== '' ? `"${cell}"` : cell
  })
  return csvLine([...shown, String(row), quoted(defused(messages))])
}
