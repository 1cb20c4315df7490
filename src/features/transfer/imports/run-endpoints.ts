/** Dry run, start, cancel, revert, and a preview of the first rows. */
import { sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type Ctx, queryOne, transaction } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { cancelJob, enqueue, type JobHandler, type JobType } from '../../../kernel/jobs.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { dict, int, list, object, text, withDefault } from '../../../kernel/schema/index.ts'
import { type Columns, living, rows, updateRows } from '../../../kernel/statements.ts'
import { checkMayUndo } from '../../records/operations/undo.ts'
import { base, beforeStart, checkMayImport, locked, read, resourceFor, write } from './access.ts'
import { validateJob } from './dry-run.ts'
import { clear, openOperation } from './ledger.ts'
import { requestedImport } from './plan.ts'
import { preview } from './preview.ts'
import { type Import, importOutput, rowErrorOutput } from './record.ts'
import { revertJob } from './revert.ts'
import { importJob } from './run.ts'

export const runEndpoints = (
  resources: readonly Resource[],
  handlers: ReadonlyMap<string, JobHandler>,
): Endpoint[] => {
  const action = { ...write, method: 'POST', response: importOutput } as const
  return [
    endpoint({
      ...action,
      path: '/api/imports/{import_id}/validate',
      summary: 'Validate an import',
      description: 'A dry run: the counts and errors are those that a start would have.',
      status: 202,
      run: (ctx, { params }) =>
        launch(ctx, resources, params.import_id, validateJob, async tx => {
          await clear(tx, params.import_id)
          return { status: 'validating' }
        }),
    }),
    endpoint({
      ...action,
      path: '/api/imports/{import_id}/start',
      summary: 'Start an import',
      description: 'Valid rows are imported, the others are reported. An import can be reverted as a whole.',
      status: 202,
      run: (ctx, { params }) =>
        launch(ctx, resources, params.import_id, importJob, async (tx, stored) => {
          if (Object.values(stored.mapping).every(field => field === null)) {
            throw errors.invalidValue(
              ['body', 'mapping'],
              'map at least one column to a field',
              stored.mapping,
            )
          }
          await clear(tx, params.import_id)
          const operation_id = newId()
          await openOperation(tx, operation_id, stored.entity_type)
          return { status: 'running', operation_id, started_at: sql`now()` }
        }),
    }),
    endpoint({
      ...action,
      path: '/api/imports/{import_id}/cancel',
      summary: 'Cancel an import',
      description: 'Rows that are already imported remain; a revert removes them.',
      run: (ctx, { params }) => cancel(ctx, resources, params.import_id, handlers),
    }),
    endpoint({
      ...action,
      path: '/api/imports/{import_id}/revert',
      summary: 'Revert an import',
      description:
        'Records that the import created are moved to the trash, and those that it changed get their former values. Values that were changed since are not touched and are listed in `conflicts`.',
      status: 202,
      run: (ctx, { params }) => revert(ctx, resources, params.import_id),
    }),
    endpoint({
      ...read,
      method: 'GET',
      path: '/api/imports/{import_id}/preview',
      summary: 'Preview an import',
      description: 'Shows what the first rows would become.',
      query: object({ rows: withDefault(int({ min: 1, max: 100 }), 20) }),
      response: object(
        {
          items: list(
            object(
              {
                row: int({ min: 1 }),
                outcome: text(),
                values: dict(),
                errors: list(rowErrorOutput),
                warnings: list(rowErrorOutput),
              },
              { title: 'ImportPreviewRow' },
            ),
          ),
        },
        { title: 'ImportPreview' },
      ),
      run: async (ctx, { params, query }) => {
        const stored = await requestedImport(ctx, params.import_id)
        await checkMayImport(ctx, resources, stored)
        return { items: await preview(ctx, resources, stored, query.rows) }
      },
    }),
  ]
}

function launch(
  ctx: Ctx,
  resources: readonly Resource[],
  id: string,
  job: JobType<{ import_id: string }>,
  prepare: (tx: Ctx, stored: Import) => Promise<Columns<'imports'>>,
): Promise<Import> {
  return transaction(ctx, async tx => {
    const stored = await beforeStart(tx, resources, id)
    await checkMayImport(tx, resources, stored)
    const set = await prepare(tx, stored)
    const job_id = await enqueue(tx, job, { import_id: id }, { entityId: id })
    await updateRows(
      tx,
      'imports',
      { ...set, job_id, error: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    return base.get(tx, id)
  })
}

function cancel(
  ctx: Ctx,
  resources: readonly Resource[],
  id: string,
  handlers: ReadonlyMap<string, JobHandler>,
): Promise<Import> {
  return transaction(ctx, async tx => {
    const stored = await queryOne(
      tx,
      sql<
        Pick<Tables['imports'], 'status' | 'entity_type' | 'job_id'> & { is_reverting: boolean }
      >`select i.status, i.entity_type, i.job_id, i.revert_state is not null as is_reverting
        from ${living(tx, 'imports')} i where i.id = ${id}`,
    )
    if (!stored) throw errors.notFound('Import')
    resourceFor(tx, resources, stored.entity_type)
    if (!['running', 'validating'].includes(stored.status))
      throw errors.conflict(`This import is ${stored.status}`)
    if (stored.is_reverting) throw errors.conflict('A revert is not stopped half-way')
    // The job is locked before the import, in the same order as the job itself locks them.
    if (stored.job_id !== null) await cancelJob(tx, stored.job_id, name => handlers.get(name))
    if (stored.status === 'running') {
      const set = { status: 'cancelled', finished_at: sql`now()`, updated_at: sql`now()` }
      await updateRows(tx, 'imports', set, sql`r.id = ${id} and r.status = 'running'`)
    }
    return base.get(tx, id)
  })
}

function revert(ctx: Ctx, resources: readonly Resource[], id: string): Promise<Import> {
  return transaction(ctx, async tx => {
    const stored = await locked(tx, resources, id)
    if (!['completed', 'cancelled', 'failed'].includes(stored.status) || !stored.operation_id) {
      throw errors.conflict(`This import cannot be reverted: it is ${stored.status}`)
    }
    const undone = await queryOne(
      tx,
      sql`select o.id from ${rows(tx, 'operations')} o
        where o.id = ${stored.operation_id} and o.undone_at is not null`,
    )
    if (undone) throw errors.conflict('This import has been undone already')
    await checkMayUndo(tx, stored.operation_id, null)
    const job_id = await enqueue(tx, revertJob, { import_id: id }, { entityId: id })
    await updateRows(
      tx,
      'imports',
      { status: 'running', job_id, error: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    return base.get(tx, id)
  })
}
