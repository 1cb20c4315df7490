/** Files of a draft. Their bytes are stored separately; the draft's `attachments` refer to them. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { type Endpoint, endpoint, type UploadPart } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { onceAfter } from '../../kernel/replay.ts'
import { asDownload, rawReply } from '../../kernel/reply.ts'
import type { Operations } from '../../kernel/resource.ts'
import { object, text } from '../../kernel/schema/index.ts'
import { deleteRows, insertRows, living, rows } from '../../kernel/statements.ts'
import { countAsStorage, uploadLimit } from '../../kernel/storage.ts'
import { type EmailDraft, type EmailDraftInput, emailDraft } from './record.ts'

/** The limit of most mail servers for all files of a mail. */
const MAX_BYTES = 20 * 1024 * 1024
const path = '/api/email-drafts/{draft_id}/attachments'
const tag = 'Email drafts'

type Drafts = Operations<EmailDraftInput, EmailDraft>

export type StoredFile = Pick<
  Tables['email_attachments'],
  'id' | 'file_name' | 'mime_type' | 'file_size' | 'content'
>

/** The files of a draft that its `attachments` still name. */
export function storedFiles(ctx: Ctx, draftId: string): Promise<StoredFile[]> {
  return query(
    ctx,
    sql<StoredFile>`select a.id, a.file_name, a.mime_type, a.file_size, a.content
      from ${rows(ctx, 'email_attachments')} a join ${living(ctx, 'email_drafts')} d on d.id = a.draft_id
      where d.id = ${draftId} and exists (
        select from jsonb_array_elements(case jsonb_typeof(d.attachments) when 'array' then d.attachments else '[]' end) named
        where named ->> 'id' = a.id::text)
      order by a.created_at, a.id`,
  )
}

countAsStorage(async ctx => {
  const stored = await queryOne(
    ctx,
    sql<{ bytes: number }>`select coalesce(sum(a.file_size), 0)::float8 as bytes
      from ${rows(ctx, 'email_attachments')} a`,
  )
  return stored?.bytes ?? 0
})

async function receive(ctx: Ctx, parts: AsyncIterable<UploadPart>): Promise<Omit<StoredFile, 'id'>> {
  const limit = await uploadLimit(ctx, MAX_BYTES)
  let file: Omit<StoredFile, 'id'> | undefined
  for await (const part of parts) {
    if (part.type !== 'file') continue
    if (part.fieldname !== 'file' || file) {
      part.file.resume()
      continue
    }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit.bytes) throw limit.exceeded()
      chunks.push(chunk)
    }
    const mime = /^[\w.+-]+\/[\w.+-]+$/.test(part.mimetype) ? part.mimetype : 'application/octet-stream'
    file = {
      file_name: fileName(part.filename),
      mime_type: mime,
      file_size: size,
      content: Buffer.concat(chunks),
    }
  }
  if (file) return file
  throw errors.invalid([{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }])
}

/** The last part of a path, without characters that could end a header or leave the folder. */
const fileName = (uploadName: string | undefined): string =>
  [...(uploadName ?? '').replace(/^.*[\\/]/s, '').replace(/\p{Cc}|[\u2028\u2029]/gu, '')]
    .slice(0, 200)
    .join('')
    .trim() || 'file'

async function attach(
  ctx: Ctx,
  operations: Drafts,
  draftId: string,
  file: Omit<StoredFile, 'id'>,
): Promise<EmailDraft> {
  return transaction(ctx, async tx => {
    const draft = await operations.get(tx, draftId)
    if (!Array.isArray(draft.attachments) || draft.attachments.length >= 100) {
      throw errors.conflict('The attachments of this draft are no list with room for another')
    }
    const [attached] = await query(
      tx,
      sql<{
        bytes: number
      }>`select coalesce(sum(a.file_size), 0)::float8 as bytes from ${rows(tx, 'email_attachments')} a
        where a.draft_id = ${draftId}`,
    )
    if ((attached?.bytes ?? 0) + file.file_size > MAX_BYTES)
      throw errors.tooLarge('20 MB for all files of a draft')
    const id = newId()
    await insertRows(tx, 'email_attachments', [{ id, draft_id: draftId, ...file }])
    const { content: _, ...named } = file
    return operations.update(tx, draftId, { attachments: [...draft.attachments, { id, ...named }] })
  })
}

async function detach(ctx: Ctx, operations: Drafts, draftId: string, id: string): Promise<EmailDraft> {
  return transaction(ctx, async tx => {
    const draft = await operations.get(tx, draftId)
    const gone = await deleteRows(
      tx,
      'email_attachments',
      sql`r.id = ${id} and r.draft_id = ${draftId}`,
      sql`r.id`,
    )
    if (gone.length === 0) throw errors.notFound('Attachment')
    const rest = Array.isArray(draft.attachments) ? draft.attachments.filter(entry => entry.id !== id) : []
    return operations.update(tx, draftId, { attachments: rest })
  })
}

export const attachmentEndpoints = (operations: Drafts): Endpoint[] => [
  endpoint({
    method: 'POST',
    path,
    tag,
    permission: 'email-drafts:write',
    summary: 'Add an attachment to a draft',
    description: 'A multipart upload with `file`; at most 20 MB for all files of a draft.',
    body: object({ file: text({ description: 'The file' }) }),
    multipart: true,
    response: emailDraft.output,
    status: 201,
    single: true,
    replaysItself: true,
    run: (ctx, request) =>
      onceAfter(ctx, request, {
        async wait() {
          await operations.get(ctx, request.params.draft_id)
          return receive(ctx, request.parts())
        },
        write: (tx, file) => attach(tx, operations, request.params.draft_id, file),
      }),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{attachment_id}`,
    tag,
    permission: 'email-drafts:read',
    summary: 'Download an attachment of a draft',
    description:
      'Always sent as `application/octet-stream`, so that a browser saves the file and does not display it.',
    responseContent: { 'application/octet-stream': { type: 'string' } },
    run: async (ctx, { params }) => {
      await operations.get(ctx, params.draft_id)
      const file = await queryOne(
        ctx,
        sql<StoredFile>`select a.* from ${rows(ctx, 'email_attachments')} a
          where a.id = ${params.attachment_id} and a.draft_id = ${params.draft_id}`,
      )
      if (!file) throw errors.notFound('Attachment')
      // always a download: a browser must not show an upload as a page of this service
      return rawReply(file.content, 'application/octet-stream', asDownload(file.file_name))
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{attachment_id}`,
    tag,
    permission: 'email-drafts:write',
    summary: 'Delete an attachment of a draft',
    description: 'Deletes the file permanently and returns the draft without it. 409 once the mail was sent.',
    response: emailDraft.output,
    run: (ctx, { params }) => detach(ctx, operations, params.draft_id, params.attachment_id),
  }),
]
