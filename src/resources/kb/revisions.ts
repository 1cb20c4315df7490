/** Earlier versions of a page and their authors. The database stores a revision with every change. */
import { sql } from 'kysely'
import { type Ctx, query, queryOne } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { asPage, pageFields } from '../../kernel/page.ts'
import type { Operations, Page } from '../../kernel/resource.ts'
import {
  datetime,
  dict,
  type Infer,
  int,
  nullable,
  object,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { type Document, type DocumentInput, document } from './record.ts'

const tag = 'Knowledge base'
const path = '/api/kb/documents/{document_id}/revisions'

const summary = {
  id: uuid(),
  created_at: datetime(),
  document_id: uuid(),
  user_id: nullable(uuid({ description: 'Who wrote it' })),
  title: text(),
}
const revision = object(
  { ...summary, content: nullable(dict()), content_markdown: nullable(text()) },
  { title: 'KnowledgeBaseRevision' },
)

type Revision = Infer<typeof revision>

async function listRevisions(
  ctx: Ctx,
  documentId: string,
  page: number,
  size: number,
): Promise<Page<Omit<Revision, 'content' | 'content_markdown'>>> {
  await livingDocument(ctx, documentId)
  const items = await query(
    ctx,
    sql<
      Omit<Revision, 'content' | 'content_markdown'>
    >`select v.id, v.created_at, v.document_id, v.user_id, v.title from ${rows(ctx, 'kb_revisions')} v
      where v.document_id = ${documentId} order by v.number desc limit ${size} offset ${(page - 1) * size}`,
  )
  const [counted] = await query(
    ctx,
    sql<{
      total: number
    }>`select count(*) as total from ${rows(ctx, 'kb_revisions')} v where v.document_id = ${documentId}`,
  )
  const total = counted?.total ?? 0
  return asPage(items, total, page, size)
}

async function livingDocument(ctx: Ctx, id: string): Promise<void> {
  const document = await queryOne(
    ctx,
    sql`select d.id from ${living(ctx, 'kb_documents')} d where d.id = ${id}`,
  )
  if (!document) throw errors.notFound('Document')
}

async function revisionOf(ctx: Ctx, documentId: string, id: string): Promise<Revision> {
  await livingDocument(ctx, documentId)
  const revision = await queryOne(
    ctx,
    sql<Revision>`select v.id, v.created_at, v.document_id, v.user_id, v.title, v.content, v.content_markdown
      from ${rows(ctx, 'kb_revisions')} v where v.document_id = ${documentId} and v.id = ${id}`,
  )
  if (!revision) throw errors.notFound('Revision')
  return revision
}

export const revisionEndpoints = (update: Operations<DocumentInput, Document>['update']): Endpoint[] => [
  endpoint({
    method: 'GET',
    path,
    tag,
    permission: 'kb:read',
    summary: 'List the revisions of a page',
    description:
      'Every change of title or content creates one. 200 are stored. Beyond that, the oldest revision that its author replaced within 10 minutes is deleted, or else the oldest.',
    query: object({
      page: withDefault(int({ min: 1, max: 1_000_000 }), 1),
      page_size: withDefault(int({ min: 1, max: 200 }), 50),
    }),
    response: object(pageFields(object(summary, { title: 'KnowledgeBaseRevisionSummary' })), {
      title: 'KnowledgeBaseRevisionPage',
    }),
    run: (ctx, { params, query: { page, page_size } }) =>
      listRevisions(ctx, params.document_id, page, page_size),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{revision_id}`,
    tag,
    permission: 'kb:read',
    summary: 'Get a revision of a page',
    description: 'With its content, which the list of revisions leaves out.',
    response: revision,
    single: true,
    run: (ctx, { params }) => revisionOf(ctx, params.document_id, params.revision_id),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/{revision_id}/restore`,
    tag,
    permission: 'kb:write',
    summary: 'Restore a revision of a page',
    description:
      'Restores title and content as a new revision; slug, position and visibility are not changed.',
    response: document.output,
    single: true,
    run: async (ctx, { params }) => {
      const { title, content, content_markdown } = await revisionOf(
        ctx,
        params.document_id,
        params.revision_id,
      )
      return update(ctx, params.document_id, { title, content, content_markdown })
    },
  }),
]
