/** The general endpoints of a resource: list, get, create, update, delete, bulk delete, restore. */
import { type Ctx, transaction } from './context.ts'
import { type ApiRequest, type Endpoint, endpoint, pathParam } from './endpoint.ts'
import { errors } from './errors.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { jsonOf, withJson } from './json-answer.ts'
import { listParameters } from './list-parameters.ts'
import { patchedInput } from './merge-patch.ts'
import { asOperation } from './operation.ts'
import { pageFields } from './page.ts'
import { jsonReply } from './reply.ts'
import type { Item, ListQuery, RecordType, Resource, Stored } from './resource.ts'
import {
  boolean,
  datetime,
  int,
  list,
  nullable,
  object,
  partial,
  type Schema,
  sometimes,
  text,
  uuid,
} from './schema/index.ts'
import { lockRow } from './statements.ts'

export const MAX_BULK = 1000

export const idArray = list(uuid(), { max: MAX_BULK })
export const empty = object({}, { title: 'Empty' })

export const pathOf = (resource: Resource): string => resource.path ?? `/api/${resource.name}`

/** A label for use within a sentence; abbreviations keep their case: "Contact" → "contact", "API key" → "API key". */
const inSentence = (label: string): string => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase())

/** "Contact" → "a contact", "API key" → "an API key". */
export const withArticle = (label: string): string =>
  `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${inSentence(label)}`

/** The endpoints of a resource: its own, and the general ones that it does not replace. */
export function endpointsOf(resource: Resource): Endpoint[] {
  const own = resource.endpoints ?? []
  const isOwn = (endpoint: Endpoint) =>
    own.some(other => other.method === endpoint.method && other.path === endpoint.path)
  return [...own, ...generalEndpoints(resource).filter(endpoint => !isOwn(endpoint))]
}

function generalEndpoints<In extends Item, Out extends Stored>(resource: Resource<In, Out>): Endpoint[] {
  const { operations, record, tag, idParam } = resource
  const path = pathOf(resource)
  const one = `${path}/{${idParam}}`
  const read = { permission: `${resource.name}:read`, tag } as const
  const write = { permission: `${resource.name}:write`, tag } as const
  const aLabel = withArticle(record.label)
  const id = (request: { params: Record<string, string> }) => pathParam(request, idParam)

  const update = endpoint({
    ...write,
    method: 'PUT',
    path: one,
    summary: `Update ${aLabel}`,
    description: 'An absent field is not changed; null clears a field that can be empty.',
    body: updateSchema(record),
    ifMatch: true,
    response: record.output,
    single: true,
    run: updating(resource),
  })

  return [
    endpoint({
      ...read,
      method: 'GET',
      path,
      summary: `List ${inSentence(tag)}`,
      description: 'The records outside the trash that match every parameter.',
      query: listParameters(record),
      fromReplica: true,
      customFilters: hasCustomFields(record),
      response: pageOf(resource),
      run: asking(operations.list, (request: ListRequest) => ({
        ...customFilters(request),
        ...request.query,
      })),
    }),
    endpoint({
      ...write,
      method: 'POST',
      path,
      summary: `Create ${aLabel}`,
      description: ['Returns the new record; absent fields have their defaults.', record.createHint]
        .filter(Boolean)
        .join(' '),
      body: record.input,
      response: record.output,
      status: 201,
      single: true,
      run: asking(operations.create, (request: { body: In }) => request.body),
    }),
    endpoint({
      ...read,
      method: 'GET',
      path: one,
      summary: `Get ${aLabel}`,
      description: 'A record in the trash is not found.',
      response: record.output,
      single: true,
      run: asking(operations.get, id),
    }),
    update,
    {
      ...update,
      method: 'PATCH',
      mergePatch: true,
      summary: `Merge changes into ${aLabel}`,
      description:
        'With `Content-Type: application/merge-patch+json` (RFC 7396), objects such as `metadata` are merged key by key and null removes a key. With `application/json` it works like PUT: an object in the body replaces the stored one.',
    },
    endpoint({
      ...write,
      method: 'DELETE',
      path: one,
      summary: `Delete ${aLabel}`,
      description: 'Moves the record to the trash, from which it can be restored.',
      response: empty,
      ifMatch: true,
      run: (ctx, request) =>
        ifUnchanged(ctx, resource, request, async tx => {
          if ((await operations.remove(tx, [id(request)])) === 0) throw errors.notFound(record.label)
          return {}
        }),
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: `${path}/bulk-delete`,
      summary: `Delete several ${inSentence(record.label).replace(/y$/, 'ie')}s`,
      description:
        'Unknown ids are skipped. The response header X-Operation-ID has the id of the operation, which can be undone.',
      body: idArray,
      response: empty,
      operationHeader: true,
      run: async (ctx, request) => {
        const { operationId } = await asOperation(
          ctx,
          'bulk_delete',
          record.entityType ?? record.table,
          async tx => ({
            result: undefined,
            count: await operations.remove(tx, request.body),
          }),
        )
        return jsonReply({}, { 'x-operation-id': operationId })
      },
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: `${one}/restore`,
      summary: `Restore ${aLabel} from the trash`,
      description:
        'Returns the record, also if it was not in the trash. 409 if another record has taken a value that must be unique.',
      response: record.output,
      single: true,
      run: (ctx, request) =>
        transaction(ctx, async tx => {
          await operations.restore(tx, [id(request)])
          return operations.get(tx, id(request))
        }),
    }),
  ]
}

type ListRequest = Pick<ApiRequest<unknown, ListQuery>, 'query' | 'rawQuery'>

/** The `run` of an endpoint that answers what `operation` returns. */
function asking<Request, Argument>(
  operation: (ctx: Ctx, argument: Argument) => Promise<unknown>,
  argumentOf: (request: Request) => Argument,
): (ctx: Ctx, request: Request) => Promise<unknown> {
  const json = jsonOf(operation)
  return withJson(
    (ctx, request: Request) => operation(ctx, argumentOf(request)),
    json && ((ctx, request) => json(ctx, argumentOf(request))),
  )
}

/** The `run` of an update. A plain one is answered with the bytes of the row, as a read is. */
function updating<In extends Item, Out extends Stored>(resource: Resource<In, Out>) {
  type Request = Conditional &
    Pick<ApiRequest<Record<string, string>, unknown, Partial<In>>, 'isMergePatch' | 'body'>
  const { idParam, operations } = resource
  const json = jsonOf(operations.update)
  return withJson(
    (ctx: Ctx, request: Request) => updateRequested(ctx, resource, request),
    json &&
      (async (ctx, request) =>
        request.isMergePatch || request.header('if-match') !== undefined
          ? Buffer.from(JSON.stringify(await updateRequested(ctx, resource, request)))
          : json(ctx, pathParam(request, idParam), request.body)),
  )
}

/** The schema of a record in a list. Only a record in the trash has `deleted_at`. */
export const listed = <T>(output: Schema<T>): Schema<T> => ({
  ...output,
  json: { allOf: [output.json, inTrash.json] },
})

const inTrash = object(
  {
    deleted_at: sometimes(
      datetime({ description: 'When it was deleted; only records in the trash have it' }),
    ),
  },
  { title: 'InTrash' },
)

export const pageOf = (resource: Pick<Resource, 'record'>) =>
  object(
    {
      ...pageFields(listed(resource.record.output)),
      total: int({ min: 0, description: 'How many records there are on all pages' }),
      total_is_exact: sometimes(
        boolean({ description: 'Only with `search` and only `false`: there are more than `total` records' }),
      ),
      next_cursor: nextCursor,
    },
    { title: `${titleOf(resource.record)}Page` },
  )

export const nextCursor = sometimes(
  nullable(text({ description: 'With `cursor`: the cursor of the next page, null on the last one' })),
)

/** The name of a record's schema in the OpenAPI document. */
export const titleOf = ({ output, label }: RecordType): string =>
  typeof output.json.title === 'string' ? output.json.title : label.replaceAll(' ', '')

/** The body of an update: that of create with every field optional. */
export const updateSchema = <In extends Item>(record: RecordType<In>) =>
  partial(record.input, { title: `${titleOf(record)}Update` })

export const hasCustomFields = (record: RecordType): boolean => 'metadata' in record.output.fields

/** The `cf.<key>` filters of a request, whose names no schema can list. */
export const customFilters = (request: Pick<ApiRequest, 'rawQuery'>) =>
  Object.fromEntries(Object.entries(request.rawQuery).filter(([name]) => name.startsWith('cf.')))

type Conditional = Pick<ApiRequest<Record<string, string>>, 'header' | 'params'>
type Locking = Pick<Resource, 'idParam' | 'record' | 'operations'>

/** With If-Match, writes only if the record still has the ETag that the client read. */
export const ifUnchanged = <T>(
  ctx: Ctx,
  resource: Locking,
  request: Conditional,
  write: (tx: Ctx) => Promise<T>,
): Promise<T> =>
  request.header('if-match') === undefined ? write(ctx) : whileLocked(ctx, resource, request, write)

/** Updates the record in the path, with a body or with a merge patch of the current record. */
export function updateRequested<In extends Item, Out extends Stored>(
  ctx: Ctx,
  resource: Pick<Resource<In, Out>, 'idParam' | 'record' | 'operations'>,
  request: Conditional & Pick<ApiRequest, 'isMergePatch' | 'body'>,
): Promise<Out> {
  const { idParam, record, operations } = resource
  const id = pathParam(request, idParam)
  const { bodyBytes } = ctx.services.config.limits
  return request.isMergePatch
    ? whileLocked(ctx, resource, request, (tx, current) =>
        operations.update(tx, id, patchedInput(record, current, request.body, bodyBytes)),
      )
    : ifUnchanged(ctx, resource, request, tx => operations.update(tx, id, request.body))
}

/** Locks the record, checks If-Match, and calls `write` with the current record. */
function whileLocked<T>(
  ctx: Ctx,
  { idParam, record, operations }: Locking,
  request: Conditional,
  write: (tx: Ctx, current: Stored) => Promise<T>,
): Promise<T> {
  return transaction(ctx, async tx => {
    const id = pathParam(request, idParam)
    await lockRow(tx, record.table, id)
    const current = await operations.get(tx, id)
    const expected = request.header('if-match')
    if (expected !== undefined && !matchesEtag(expected, etagOf(JSON.stringify(current))))
      throw errors.stale()
    return write(tx, current)
  })
}
