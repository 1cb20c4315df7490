import { sql } from 'kysely'
import { type Ctx, one, query, queryOne } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { asOperation } from '../../../kernel/operation.ts'
import { asPage, pageFields, pageParameters } from '../../../kernel/page.ts'
import {
  boolean,
  datetime,
  int,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
} from '../../../kernel/schema/index.ts'
import { rows } from '../../../kernel/statements.ts'
import { markUndone, undoable, undoChanges } from './undo.ts'
import { isUndoneInSteps, type UndoneOperation, undoInSteps } from './undo-steps.ts'

const operation = object(
  {
    id: uuid(),
    created_at: datetime(),
    account_id: uuid(),
    kind: text({
      examples: [
        'batch',
        'bulk_delete',
        'bulk_update',
        'conversion',
        'demo',
        'merge',
        'import',
        'pipeline_delete',
        'proposal',
        'stage_delete',
        'stage_type',
        'tool',
        'undo',
      ],
    }),
    entity_type: text(),
    record_count: int({ min: 0 }),
    user_id: nullable(uuid()),
    undone_at: nullable(datetime()),
    undone_by: nullable(uuid()),
  },
  { title: 'Operation' },
)

const undone = object(
  {
    operation_id: uuid({ description: 'The undo itself, which can be undone in turn' }),
    undone: boolean(),
    reverted: int({ min: 0 }),
    conflicts: list(object({ entity_type: text(), entity_id: uuid(), fields: list(text()) })),
  },
  { title: 'UndoResult' },
)

const fields = sql`o.id, o.created_at, o.account_id, o.kind, o.entity_type, o.record_count, o.user_id,
  o.undone_at, o.undone_by`

const tag = 'Operations'

export const operationEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/api/operations',
    tag,
    permission: 'operations:read',
    summary: 'List operations that can be undone',
    description: 'Latest first.',
    query: object({
      kind: optional(text({ max: 100, description: 'Only operations of this kind, such as `import`' })),
      ...pageParameters(),
    }),
    response: object(pageFields(operation), { title: 'OperationPage' }),
    run: async (ctx, { query: { kind, page, page_size } }) => {
      const ofKind = kind === undefined ? sql`true` : sql`o.kind = ${kind}`
      const count = await query(
        ctx,
        sql<{ total: number }>`select count(*) as total from ${rows(ctx, 'operations')} o where ${ofKind}`,
      )
      const items = await query(
        ctx,
        sql`select ${fields} from ${rows(ctx, 'operations')} o where ${ofKind} order by o.created_at desc, o.id desc
          limit ${page_size} offset ${(page - 1) * page_size}`,
      )
      const { total } = one(count)
      return asPage(items, total, page, page_size)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/operations/{operation_id}',
    tag,
    permission: 'operations:read',
    summary: 'Get an operation',
    description: '`undone_at` is null until it is undone.',
    response: operation,
    single: true,
    run: async (ctx, { params }) => {
      const stored = await queryOne(
        ctx,
        sql`select ${fields} from ${rows(ctx, 'operations')} o where o.id = ${params.operation_id}`,
      )
      if (!stored) throw errors.notFound('Operation')
      return stored
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/operations/{operation_id}/undo',
    tag,
    permission: 'operations:write',
    summary: 'Undo an operation',
    description:
      'Restores every record, link and value. Values that were changed again later are not touched and are listed in `conflicts`.',
    response: undone,
    run: async (ctx, { params }) => {
      const { operationId, ...undone } = await undo(ctx, params.operation_id)
      return { operation_id: operationId, undone: true, ...undone }
    },
  }),
]

async function undo(ctx: Ctx, id: string): Promise<UndoneOperation> {
  const kind = await undoable(ctx, id)
  if (await isUndoneInSteps(ctx, id, kind)) return undoInSteps(ctx, id)
  const { operationId, result } = await asOperation(ctx, 'undo', 'operation', async (tx, undoId) => {
    await undoable(tx, id)
    const result = await undoChanges(tx, id)
    await markUndone(tx, id, undoId)
    return { result, count: result.reverted }
  })
  return { operationId, ...result }
}
