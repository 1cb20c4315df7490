/** The tool that prepares an import: it uploads a table and shows what its rows would become. */
import { Readable } from 'node:stream'
import type { UploadPart } from '../../../kernel/endpoint.ts'
import { dict, int, list, object, oneOf, optional, text, uuid } from '../../../kernel/schema/index.ts'
import { EXPORTED } from '../../transfer/exports/record.ts'
import { callEndpoint } from '../call.ts'
import { ADDS, isOffered, type Surroundings, type Tool, tool } from './tool.ts'

const SHOWN = 10

export function importPreview({ ctx, origin, routes }: Surroundings): Tool[] {
  const upload = routes('POST', '/api/imports')
  const preview = routes('GET', '/api/imports/{import_id}/preview')
  if (!isOffered(ctx, upload) || !isOffered(ctx, preview)) return []
  const one = tool({
    name: 'import_preview',
    title: 'Preview an import',
    description: `Takes a table as text (CSV, JSON, vCard or iCalendar), recognises its columns and shows what the first ${SHOWN} rows would become. Nothing is imported: a person reviews the import and starts it with POST /api/imports/{import_id}/start.`,
    annotations: ADDS,
    input: object({
      entity_type: oneOf(EXPORTED),
      content: text({ min: 1, description: 'The text of the file' }),
      file_name: optional(text({ min: 1, max: 255 })),
      mapping: optional(
        dict({ description: 'Column → field, cf.<key> or null; columns that it does not name are guessed' }),
      ),
    }),
    output: object({
      import_id: uuid(),
      total_rows: int({ min: 0 }),
      mapping: dict({ description: 'Column → field, or null for a column that is left out' }),
      warnings: list(dict()),
      rows: list(dict(), { description: 'What each would become, with its errors' }),
    }),
    async run({ entity_type, content, file_name = 'table.csv', mapping }) {
      const parts = () => partsOf(content, file_name, { entity_type, ...(mapping ? { mapping } : {}) })
      const {
        id,
        total_rows,
        mapping: columns,
        warnings,
      } = await callEndpoint(ctx, upload, origin, { parts })
      const params = { import_id: id }
      const { items } = await callEndpoint(ctx, preview, origin, { params, query: { rows: SHOWN } })
      return { import_id: id, total_rows, mapping: columns, warnings, rows: items }
    },
  })
  return [one]
}

async function* partsOf(
  content: string,
  filename: string,
  fields: Record<string, unknown>,
): AsyncGenerator<UploadPart> {
  for (const [fieldname, value] of Object.entries(fields))
    yield { type: 'field', fieldname, value: typeof value === 'string' ? value : JSON.stringify(value) }
  const file = Readable.from([Buffer.from(content)])
  yield { type: 'file', fieldname: 'file', filename, mimetype: 'text/plain', file }
}
