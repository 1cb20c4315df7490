/** `/api/imports`: upload a file of records, import it, revert the import. */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { endpointsOf } from '../../../kernel/general-endpoints.ts'
import type { JobHandler } from '../../../kernel/jobs.ts'
import type { Endpoint, Resource } from '../../../kernel/resource.ts'
import { living } from '../../../kernel/statements.ts'
import { transferFiles } from '../exports/files.ts'
import { base, operations, tag } from './access.ts'
import { reportEndpoints } from './report-endpoints.ts'
import { runEndpoints } from './run-endpoints.ts'
import { uploadEndpoints } from './upload-endpoints.ts'

/** An import that is running needs its file. */
async function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const busy = await queryOne(
      tx,
      sql`select i.id from ${living(tx, 'imports')} i where i.id = any(${ids}::uuid[])
        and i.status in ('running', 'validating') limit 1`,
    )
    if (busy) throw errors.conflict('This import is at work: cancel it first')
    const gone = await base.remove(tx, ids)
    await transferFiles.remove(tx, ids)
    return gone
  })
}

export function importEndpoints(
  resources: readonly Resource[],
  handlers: ReadonlyMap<string, JobHandler>,
): Endpoint[] {
  const resource: Resource = {
    name: 'imports',
    idParam: 'import_id',
    tag,
    record: base.record,
    operations: { ...operations, remove },
    endpoints: [
      ...uploadEndpoints(resources),
      ...runEndpoints(resources, handlers),
      ...reportEndpoints(resources),
    ],
  }
  return endpointsOf(resource)
    .filter(({ method }) => method !== 'PATCH')
    .map(endpoint => ({ ...endpoint, strict: true }))
}
