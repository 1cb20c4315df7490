/**
 * `POST /api/<group>/batch`: up to 1,000 creates, updates and upserts in one request, as one operation to undo. Each
 * item succeeds or fails by itself, or all of them together with `on_error: rollback`.
 */
import { type Ctx, withSavepoint } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, HttpError } from '../../../kernel/errors.ts'
import { MAX_BULK, pathOf } from '../../../kernel/general-endpoints.ts'
import { asOperation } from '../../../kernel/operation.ts'
import { refusalOf } from '../../../kernel/refusal.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { Resource, Stored } from '../../../kernel/resource.ts'
import {
  boundedIssues,
  type Infer,
  type Issue,
  int,
  list,
  nullable,
  object,
  oneOf,
  text,
  union,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { type BatchItem, batchItems } from './batch-items.ts'
import { type Matchers, upsertRecord } from './upsert.ts'

/**
 * Items that share a savepoint. Of 1,000 good items it saves 980 savepoints; where one fails, its chunk is written
 * again, item by item.
 */
const CHUNK = 50

const result = object(
  {
    index: int({ min: 0, description: 'Its position in `items`' }),
    status: oneOf(['created', 'updated', 'failed']),
    id: nullable(uuid({ description: 'The record; null where the item failed' })),
    errors: list(
      object(
        {
          type: text({ examples: ['string_too_long', 'not_found', 'conflict'] }),
          loc: list(union({ str: text(), int: int() }), {
            examples: [['body', 'items', 3, 'record', 'name']],
          }),
          msg: text(),
        },
        { title: 'BatchError' },
      ),
    ),
  },
  { title: 'BatchItemResult' },
)
type Result = Infer<typeof result>

const answer = object(
  {
    operation_id: uuid({ description: 'What `POST /api/operations/{operation_id}/undo` takes' }),
    created: int({ min: 0 }),
    updated: int({ min: 0 }),
    failed: int({ min: 0 }),
    results: list(result, { description: 'One for each item, in the order of the request' }),
  },
  { title: 'BatchResult' },
)

export function batchEndpoint(resource: Resource, matchers: Matchers): Endpoint {
  const items = batchItems(resource)
  const [example] = (resource.record.input.json.examples ?? []) as unknown[]
  const body = object(
    {
      items: list(items.schema, { min: 1, max: MAX_BULK }),
      on_error: withDefault(
        oneOf(['continue', 'rollback'], {
          description: '`continue` writes the other items; `rollback` writes nothing and answers 422',
        }),
        'continue',
      ),
    },
    { examples: [{ items: [{ action: 'create', record: example }] }] },
  )
  return endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/batch`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Create and update several ${resource.tag.toLowerCase()}`,
    description: `At most ${MAX_BULK} items, in their order: \`create\`, \`update\` by id, or \`upsert\` by \`match_on\` (${Object.keys(matchers).join(', ')}, or cf.<key>). A record in an item is that of the single request; unknown keys fail the item. All of it is one operation, which can be undone.`,
    strict: true,
    body,
    response: answer,
    operationHeader: true,
    run: async (ctx, request) => {
      const checks = request.body.items.map((item, i) => items.check(item, ['body', 'items', i]))
      const isAtomic = request.body.on_error === 'rollback'
      const invalid = checks.flatMap(check => ('issues' in check ? check.issues : []))
      if (isAtomic && invalid.length > 0) throw errors.invalid(invalid)
      const valid = checks.flatMap((check, index) => ('item' in check ? [{ index, item: check.item }] : []))
      const kind = resource.record.entityType ?? resource.record.table
      const { operationId, result: written } = await asOperation(ctx, 'batch', kind, async tx => {
        const results = await writeAll(tx, { resource, matchers }, valid, isAtomic)
        return { result: results, count: results.filter(({ status }) => status !== 'failed').length }
      })
      const refused = checks.flatMap((check, index) =>
        'issues' in check ? [failed(index, check.issues)] : [],
      )
      const results = [...refused, ...written].sort((a, b) => a.index - b.index)
      const count = (status: Result['status']) => results.filter(one => one.status === status).length
      const counts = { created: count('created'), updated: count('updated'), failed: count('failed') }
      return jsonReply({ operation_id: operationId, ...counts, results }, { 'x-operation-id': operationId })
    },
  })
}

interface Group {
  resource: Resource
  matchers: Matchers
}

interface Numbered {
  index: number
  item: BatchItem
}

async function writeAll(
  tx: Ctx,
  group: Group,
  items: readonly Numbered[],
  isAtomic: boolean,
): Promise<Result[]> {
  const updated = items.flatMap(({ item }) => (item.action === 'update' ? [item.id] : []))
  // In one order, so that two batches cannot wait for each other.
  await lockRecords(tx, group.resource.record.table, [...new Set(updated)])
  if (isAtomic) return writeInOrder(tx, group, items)
  const results: Result[] = []
  for (let start = 0; start < items.length; start += CHUNK) {
    results.push(...(await writeOrFail(tx, group, items.slice(start, start + CHUNK))))
  }
  return results
}

/** Writes what can be written: where one of several items fails, each is tried alone. */
async function writeOrFail(tx: Ctx, group: Group, items: readonly Numbered[]): Promise<Result[]> {
  try {
    return await withSavepoint(tx, () => writeInOrder(tx, group, items))
  } catch (error) {
    if (!(error instanceof HttpError) || typeof error.detail === 'string') throw error
    const [first, ...others] = items
    if (first && others.length === 0) return [failed(first.index, error.detail)]
    const results: Result[] = []
    for (const item of items) results.push(...(await writeOrFail(tx, group, [item])))
    return results
  }
}

/** The first item that is refused ends it, with an error that says which. */
async function writeInOrder(tx: Ctx, group: Group, items: readonly Numbered[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { index, item } of items) {
    const { isNew, record } = await write(tx, group, item).catch(error => {
      const refusal = refusalOf(error)
      throw refusal && refusal.status < 500 ? errors.invalid(issuesOf(refusal, index)) : error
    })
    results.push({ index, status: isNew ? 'created' : 'updated', id: record.id, errors: [] })
  }
  return results
}

async function write(
  tx: Ctx,
  { resource, matchers }: Group,
  item: BatchItem,
): Promise<{ isNew: boolean; record: Stored }> {
  const { operations } = resource
  if (item.action === 'create') return { isNew: true, record: await operations.create(tx, item.record) }
  if (item.action === 'update')
    return { isNew: false, record: await operations.update(tx, item.id, item.record) }
  return upsertRecord(tx, resource, matchers, item.match_on, item.record, ['match_on'])
}

/** The single request speaks of `["body", field]`; here the field is in the record of an item. */
function issuesOf({ status, detail }: HttpError, index: number): Issue[] {
  const item = ['body', 'items', index]
  if (typeof detail !== 'string') {
    return detail.map(issue => {
      const [first, ...rest] = issue.loc
      return { ...issue, loc: first === 'body' ? [...item, 'record', ...rest] : [...item, ...issue.loc] }
    })
  }
  const isMissing = status === 404
  const loc = isMissing ? [...item, 'id'] : item
  return [{ type: isMissing ? 'not_found' : 'conflict', loc, msg: detail, input: null }]
}

const failed = (index: number, issues: readonly Issue[]): Result => ({
  index,
  status: 'failed',
  id: null,
  // Without the inputs, which the caller has: 1,000 items of 10 KB would be repeated.
  errors: boundedIssues(issues).map(({ type, loc, msg }) => ({ type, loc: [...loc], msg })),
})
