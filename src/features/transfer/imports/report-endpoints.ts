/** The errors of an import, as a list and as a file. */

import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { pageFields, pageParameters } from '../../../kernel/page.ts'
import { asDownload, rawReply } from '../../../kernel/reply.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { object, oneOf, withDefault } from '../../../kernel/schema/index.ts'
import { operations, read, resourceFor, storedFile } from './access.ts'
import type { Column } from './analyse.ts'
import { rowErrorOutput, SEVERITIES } from './record.ts'
import { errorFile, errorPage } from './report.ts'

export const reportEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  endpoint({
    ...read,
    method: 'GET',
    path: '/api/imports/{import_id}/errors',
    summary: 'List the errors, warnings or skipped rows of an import',
    description:
      'Errors are rows that failed; warnings are values that rows were imported without; skipped are rows whose record existed already or had all of their values.',
    query: object({
      severity: withDefault(oneOf(SEVERITIES), 'error'),
      ...pageParameters(),
    }),
    response: object(pageFields(rowErrorOutput), { title: 'ImportErrorPage' }),
    run: async (ctx, { params, query }) => {
      await operations.get(ctx, params.import_id)
      return errorPage(ctx, params.import_id, query.severity, query.page, query.page_size)
    },
  }),
  endpoint({
    ...read,
    method: 'GET',
    path: '/api/imports/{import_id}/errors.csv',
    summary: 'Download the failed rows of an import',
    description: 'A CSV file to correct and import again.',
    responseContent: { 'text/csv': { type: 'string' } },
    run: async (ctx, { params }) => {
      const stored = await operations.get(ctx, params.import_id)
      resourceFor(ctx, resources, stored.entity_type)
      // Checked before the response begins: a later error would end the connection in the middle of the file.
      storedFile(ctx, params.import_id)
      const file = errorFile(ctx, params.import_id, stored as never, stored.columns as Column[])
      const name = stored.file_name.replace(/\.[^.]*$/, '')
      return rawReply(file, 'text/csv; charset=utf-8', asDownload(`${name}-errors.csv`))
    },
  }),
]
