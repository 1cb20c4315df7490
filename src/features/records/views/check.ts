/** A view is stored only if its query runs, so that its author gets the error and not a later reader. */
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Issue } from '../../../kernel/schema/index.ts'
import { unknownKeys } from '../../../kernel/strict.ts'
import { querySchema } from '../query/index.ts'
import { type AskedQuery, runQuery } from '../query/run.ts'
import type { ViewInput } from './record.ts'

/** A query as it is stored. */
export type StoredQuery = AskedQuery & Record<string, unknown>

const LOC = ['body', 'query']

/**
 * Returns the query with the view's entity. It reads one record, because some errors are detected only by the database.
 */
export async function checkStored(
  ctx: Ctx,
  { entity, query, columns = [] }: Pick<ViewInput, 'entity' | 'query' | 'columns'>,
): Promise<StoredQuery> {
  const stated = query.entity
  if (stated !== undefined && stated !== entity)
    throw errors.invalidValue([...LOC, 'entity'], `the view is of ${entity}`, stated)
  const issues: Issue[] = []
  const whole = { ...query, entity }
  const checked = querySchema.check(whole, LOC, issues)
  issues.push(...unknownKeys(querySchema.json, whole, LOC))
  if (issues.length > 0) throw errors.invalid(issues)
  await runQuery(ctx, checked, {
    paging: { page: 1, page_size: 1 },
    columns,
    loc: LOC,
    columnsLoc: ['body', 'columns'],
  })
  return checked
}
