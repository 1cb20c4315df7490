import { type Ctx, transaction } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { endpointsOf, listed, nextCursor } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import type { Resource } from '../../kernel/resource.ts'
import {
  boolean,
  combined,
  type Infer,
  int,
  list,
  nullable,
  object,
  optional,
  type Schema,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { duplicate } from './copy.ts'
import { fileEndpoints } from './files.ts'
import { operations, written } from './operations.ts'
import { createPage, updatePage, withEitherEtag } from './prepared.ts'
import { type Document, type DocumentInput, document, listedDocument } from './record.ts'
import { revisionEndpoints } from './revisions.ts'
import { breadcrumbsOf, checkParent, lockTree, placeAmongSiblings, treeOf } from './tree.ts'

const tag = 'Knowledge base'
const path = '/api/kb/documents'
const one = `${path}/{document_id}`

const destination = object({ parent_id: optional(nullable(uuid())), position: optional(int({ min: 0 })) })

function move(ctx: Ctx, id: string, to: Infer<typeof destination>): Promise<Document> {
  return transaction(ctx, async tx => {
    await lockTree(tx)
    const { parent_id: from } = await written.get(tx, id)
    const parent = to.parent_id === undefined ? from : to.parent_id
    if (parent !== null && parent !== from) await checkParent(tx, parent, id)
    await written.update(tx, id, { parent_id: parent })
    await placeAmongSiblings(tx, id, parent, to.position)
    return written.get(tx, id)
  })
}

/** Its children are nodes, too: the published schema refers to itself. */
const children: Schema<unknown> = {
  ...list(object({})),
  json: { type: 'array', items: { $ref: '#/components/schemas/KnowledgeBaseTreeNode' } },
}

const treeNode = object(
  {
    id: uuid(),
    type: text(),
    title: text(),
    slug: text(),
    visibility: text(),
    parent_id: nullable(uuid()),
    position: int(),
    children,
  },
  { title: 'KnowledgeBaseTreeNode' },
)

const own: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    tag,
    permission: 'kb:read',
    summary: 'List documents',
    description:
      'Those at the root, or the direct children of the folder `parent_id`. `search` and the other filters apply to these alone: to find a document in any folder, add `recursive=true`, or use `POST /api/search`.',
    query: combined(
      listParameters(listedDocument),
      object({
        recursive: withDefault(
          boolean({ description: 'Every level below, not only the next; also for `search`' }),
          false,
        ),
      }),
    ),
    response: object(
      {
        items: list(listed(listedDocument.output)),
        total: int({ min: 0 }),
        page: int({ min: 1 }),
        page_size: int({ min: 1 }),
        pages: int({ min: 0 }),
        next_cursor: nextCursor,
      },
      { title: 'KnowledgeBaseDocumentPage' },
    ),
    run: async (ctx, { query }) => {
      const { items, total, page, page_size, total_pages, ...rest } = await operations.list(ctx, query)
      return { items, total, page, page_size, pages: total_pages, ...rest }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/kb/tree',
    tag,
    permission: 'kb:read',
    summary: 'Get all documents as a tree',
    description: 'Without their content.',
    response: list(treeNode),
    run: ctx => treeOf(ctx),
  }),
  endpoint({
    method: 'GET',
    path: `${one}/breadcrumbs`,
    tag,
    permission: 'kb:read',
    summary: 'List the folders above a document',
    description: 'From the root to the document.',
    response: list(
      object({ id: uuid(), type: text(), title: text(), slug: text() }, { title: 'KnowledgeBaseBreadcrumb' }),
    ),
    run: (ctx, { params }) => breadcrumbsOf(ctx, params.document_id),
  }),
  endpoint({
    method: 'POST',
    path: `${one}/move`,
    tag,
    permission: 'kb:write',
    summary: 'Move a document',
    description:
      'Without `parent_id` the folder is not changed; null is the root; `position` counts from 0, absent means last.',
    body: destination,
    response: document.output,
    single: true,
    run: (ctx, { params, body }) => move(ctx, params.document_id, body),
  }),
  endpoint({
    method: 'POST',
    path: `${one}/duplicate`,
    tag,
    permission: 'kb:write',
    summary: 'Duplicate a document',
    description: 'The copies are private.',
    response: document.output,
    status: 201,
    single: true,
    run: (ctx, { params }) => duplicate(ctx, params.document_id),
  }),
  ...revisionEndpoints(operations.update),
  ...fileEndpoints({ ...operations, get: written.get }),
]

const resource: Resource<DocumentInput, Document> = {
  name: 'kb',
  path,
  idParam: 'document_id',
  tag,
  record: document,
  operations,
}

function generalEndpoints(): Endpoint[] {
  const counted = endpointsOf(resource)
  const plain = endpointsOf({ ...resource, operations: { ...operations, get: written.get } })
  return plain.map((endpoint, index) => {
    const other = counted[index]
    if (endpoint.method === 'POST' && endpoint.path === path)
      return { ...endpoint, replaysItself: true, run: createPage }
    if (endpoint.path !== one || !other) return endpoint
    if (endpoint.method === 'GET') return { ...other, response: listedDocument.output }
    if (endpoint.method === 'DELETE') return { ...endpoint, run: withEitherEtag(endpoint.run, other.run) }
    return { ...endpoint, run: updatePage(resource) }
  })
}

const isOwn = (endpoint: Endpoint) =>
  own.some(({ method, path: at }) => method === endpoint.method && at === endpoint.path)

export const kb: Resource<DocumentInput, Document> = {
  ...resource,
  endpoints: [...own, ...generalEndpoints().filter(endpoint => !isOwn(endpoint))],
}
