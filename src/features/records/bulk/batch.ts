/**
 * `POST /api/<group>/batch`: up to 1,000 creates, updates and upserts in one request, as one operation to undo. Each
 * item succeeds or fails by itself, or all of them together with `on_error: rollback`.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, type HttpError } from '../../../kernel/errors.ts'
import { MAX_BULK, pathOf, titleOf } from '../../../kernel/general-endpoints.ts'
import { Entangled, inHalves } from '../../../kernel/in-halves.ts'
import { asOperation, asOperationInSteps } from '../../../kernel/operation.ts'
import { checkMayRead } from '../../../kernel/reach.ts'
import { refusalOf } from '../../../kernel/refusal.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { SetResource } from '../../../kernel/resource.ts'
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
import { at } from '../../../lib/values.ts'
import { type BatchItem, batchItems } from './batch-items.ts'
import { type Matchers, matchNames } from './match-on.ts'
import { type Upserted, upsertMany } from './upsert.ts'

/** Items that are written together. The statement that looks up the records of upserts grows with this number. */
const CHUNK = 100

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
    operation_id: uuid({ description: 'The id for `POST /api/operations/{operation_id}/undo`' }),
    created: int({ min: 0 }),
    updated: int({ min: 0 }),
    failed: int({ min: 0 }),
    results: list(result, { description: 'One for each item, in the order of the request' }),
  },
  { title: 'BatchResult' },
)

export function batchEndpoint(resource: SetResource, matchers: Matchers): Endpoint {
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
    {
      title: `${titleOf(resource.record)}Batch`,
      examples: [{ items: [{ action: 'create', record: example }] }],
    },
  )
  return endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/batch`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    showsNoRecord: true,
    summary: `Create and update several ${resource.tag.toLowerCase()}`,
    description: `At most ${MAX_BULK} items, in their order: \`create\`, \`update\` by id, or \`upsert\` by \`match_on\` (${matchNames(resource.record, matchers).join(', ')}; needs \`${resource.name}:read\`). An \`update\` works like PUT, so an object such as \`metadata\` replaces the stored one; an \`upsert\` adds its keys to the stored ones and leaves the value that it matches on as it is. A record in an item is that of the single request; unknown keys fail the item. All of it is one operation, which can be undone.`,
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
      // Whether a record has a value is part of the record.
      if (valid.some(({ item }) => item.action === 'upsert')) checkMayRead(ctx, resource.record.table)
      const kind = resource.record.entityType ?? resource.record.table
      const { operationId, results: written } = await writeBatch(
        ctx,
        { resource, matchers },
        kind,
        valid,
        isAtomic,
      )
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

const isWritten = ({ status }: Result): boolean => status !== 'failed'

/** One transaction on a server, for `rollback` and under an `Idempotency-Key`; else several on the embedded engine. */
async function writeBatch(
  ctx: Ctx,
  group: Group,
  kind: string,
  items: readonly Numbered[],
  isAtomic: boolean,
): Promise<{ operationId: string; results: Result[] }> {
  const write = (tx: Ctx, some: readonly Numbered[]) => writeAll(tx, group, some, isAtomic)
  if (isAtomic || ctx.inTransaction || ctx.services.engine.kind === 'server') {
    const { operationId, result } = await asOperation(ctx, 'batch', kind, async tx => {
      const results = await write(tx, items)
      return { result: results, count: results.filter(isWritten).length }
    })
    return { operationId, results: result }
  }
  const done = await asOperationInSteps(ctx, 'batch', kind, items, write, isWritten)
  if (done.failure === undefined) return done
  ctx.services.log.error({ err: done.failure }, 'a batch was not written to its end')
  const rest = items.slice(done.results.length).map(({ index }) => failed(index, [notWritten(index)]))
  return { ...done, results: [...done.results, ...rest] }
}

const notWritten = (index: number): Issue => ({
  type: 'not_written',
  loc: ['body', 'items', index],
  msg: 'The service failed before this item was written: send it again',
  input: null,
})

interface Group {
  resource: SetResource
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
  // Locked in one order, so that two batches cannot deadlock.
  await lockRecords(tx, group.resource.record.table, [...new Set(updated)])
  const results: Result[] = []
  for (const run of runsOf(items)) {
    const written = await inHalves(
      tx,
      run,
      part => writeRun(tx, group, part),
      ({ index }, error) => ({ index, id: '', isNew: false, error: refusedFor(error) }),
    )
    for (const { index, id, isNew, error } of written) {
      const issues = error ? issuesOf(error, index) : []
      if (isAtomic && error) throw errors.invalid(issues)
      const status = isNew ? 'created' : 'updated'
      results.push(error ? failed(index, issues) : { index, status, id, errors: [] })
    }
  }
  return results
}

interface Written extends Upserted {
  index: number
}

/** Items of one action that are written together, in the order of the request. */
function* runsOf(items: readonly Numbered[]): Generator<readonly Numbered[]> {
  const kindOf = ({ item }: Numbered) => (item.action === 'upsert' ? item.match_on : ` ${item.action}`)
  let start = 0
  for (const [i, item] of items.entries()) {
    const next = items[i + 1]
    if (next && kindOf(next) === kindOf(item) && i + 1 - start < CHUNK) continue
    yield items.slice(start, i + 1)
    start = i + 1
  }
}

async function writeRun(tx: Ctx, group: Group, run: readonly Numbered[]): Promise<Written[]> {
  const saved = await saveRun(tx, group, run)
  // Which record gets a unique value depends on the order of the items.
  if (run.length > 1 && saved.some(({ error }) => error?.status === 409)) throw new Entangled()
  return run.map(({ index }, i) => ({ ...at(saved, i), index }))
}

async function saveRun(
  tx: Ctx,
  { resource, matchers }: Group,
  run: readonly Numbered[],
): Promise<Upserted[]> {
  const { operations } = resource
  const items = run.map(({ item }) => item)
  const creates = items.flatMap(item => (item.action === 'create' ? [{ input: item.record }] : []))
  if (creates.length > 0)
    return (await operations.createMany(tx, creates)).map(saved => ({ ...saved, isNew: true }))
  const changes = items.flatMap(item =>
    item.action === 'update' ? [{ id: item.id, input: item.record }] : [],
  )
  if (new Set(changes.map(({ id }) => id)).size < changes.length) throw new Entangled()
  if (changes.length > 0)
    return (await operations.updateMany(tx, changes)).map(saved => ({ ...saved, isNew: false }))
  const matchOn = items.flatMap(item => (item.action === 'upsert' ? item.match_on : []))[0] ?? ''
  const upsert = { resource, matchers, matchOn, loc: ['match_on'] }
  return upsertMany(
    tx,
    upsert,
    items.map(({ record }) => record),
  )
}

/** The error of an item; rethrows errors that the item did not cause. */
function refusedFor(error: unknown): HttpError {
  const refusal = refusalOf(error)
  if (!refusal || refusal.status >= 500) throw error
  return refusal
}

/** Moves the path of an issue from `["body", field]`, as in a single request, to the record of the item. */
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
  // Without the inputs: otherwise the response could repeat 1,000 items of 10 KB.
  errors: boundedIssues(issues).map(({ type, loc, msg }) => ({ type, loc: [...loc], msg })),
})
