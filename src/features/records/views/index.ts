/** Saved views: create, change and delete them, and read their results. */
import { sql } from 'kysely'
import { type Ctx, query as select, transaction } from '../../../kernel/context.ts'
import { crud } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { endpointsOf } from '../../../kernel/general-endpoints.ts'
import type { Operations, Resource } from '../../../kernel/resource.ts'
import { int, object, withDefault } from '../../../kernel/schema/index.ts'
import { lockRow, rows } from '../../../kernel/statements.ts'
import { favoriteEndpoints } from '../../../resources/favorites/mark.ts'
import { queryResult } from '../query/index.ts'
import { MAX_LIMIT, runQuery } from '../query/run.ts'
import { checkStored } from './check.ts'
import { type View, type ViewInput, view } from './record.ts'

const base = crud(view)

/** A shared view can be changed by its owner and by admins, in the trash too. */
async function checkWriter(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ctx.caller.role === 'admin' || ctx.caller.role === 'owner') return
  const foreign = await select(
    ctx,
    sql`select r.id from ${rows(ctx, 'views')} r
      where r.id = any(${ids}::uuid[]) and r.is_shared and r.user_id <> ${ctx.user} limit 1`,
  )
  if (foreign.length > 0) throw errors.otherOwner('view')
}

const operations: Operations<ViewInput, View> = {
  ...base,
  async create(ctx, input, writing = {}) {
    const query = await checkStored(ctx, input)
    return base.create(ctx, { ...input, query }, { set: { ...writing.set, user_id: ctx.user } })
  },
  update: (ctx, id, input) =>
    transaction(ctx, async tx => {
      await lockRow(tx, 'views', id)
      const current = await base.get(tx, id)
      await checkWriter(tx, [id])
      // An admin could no longer see the view and so could not share it again.
      if (input.is_shared === false && current.user_id !== tx.user) throw errors.ownerOnlyUnshares('view')
      if ([input.entity, input.query, input.columns].every(value => value === undefined))
        return base.update(tx, id, input)
      const query = await checkStored(tx, { ...current, ...input })
      return base.update(tx, id, { ...input, query })
    }),
  async remove(ctx, ids) {
    await checkWriter(ctx, ids)
    return base.remove(ctx, ids)
  },
  async restore(ctx, ids) {
    await checkWriter(ctx, ids)
    return base.restore(ctx, ids)
  },
}

const results: Endpoint = endpoint({
  method: 'GET',
  path: '/api/views/{view_id}/results',
  tag: 'Views',
  permission: 'views:read',
  summary: 'Run a saved view',
  description:
    'The query runs as the caller, who needs the read scope of every kind of record in the query. A list is paged, with the columns of the view as `cells`, one for each of the items.',
  query: object({
    page: withDefault(int({ min: 1 }), 1),
    page_size: withDefault(int({ min: 1, max: MAX_LIMIT }), 50),
  }),
  response: queryResult,
  run: async (ctx, { params, query: paging }) => {
    const { query, columns } = await base.get(ctx, params.view_id)
    const isList = (query.measure?.kind ?? 'list') === 'list' && !query.group_by?.length
    if (!isList && paging.page > 1)
      throw errors.invalidValue(['query', 'page'], 'only a list has pages', paging.page)
    const result = await runQuery(ctx, query, {
      ...(isList ? { paging, columns } : {}),
      loc: ['view', 'query'],
      columnsLoc: ['view', 'columns'],
    })
    if (!isList) return result
    const reachable = Math.min(result.total, query.limit ?? result.total)
    return { ...result, ...paging, total_pages: Math.ceil(reachable / paging.page_size) }
  },
})

export function viewEndpoints(): Endpoint[] {
  const resource: Resource = {
    name: 'views',
    idParam: 'view_id',
    tag: 'Views',
    record: base.record,
    operations,
  }
  return endpointsOf({ ...resource, endpoints: [results, ...favoriteEndpoints(resource)] })
}
