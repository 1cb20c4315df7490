/** `/api/chats/{chat_id}/attachments`: files that the assistant reads with the chat. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type Ctx, query, queryOne } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { empty } from '../../../kernel/general-endpoints.ts'
import { asPage, pageFields } from '../../../kernel/page.ts'
import { onceAfter } from '../../../kernel/replay.ts'
import { asDownload, type Reply, rawReply } from '../../../kernel/reply.ts'
import type { Page } from '../../../kernel/resource.ts'
import { object, text } from '../../../kernel/schema/index.ts'
import { deleteRows, living, rows } from '../../../kernel/statements.ts'
import { chats } from '../../../resources/chats/index.ts'
import { MAX_FILES } from './attached.ts'
import { chatFiles, removeUnused } from './files.ts'
import { type Attachment, attachment, fields, withText } from './record.ts'
import { receive, record } from './upload.ts'

/** Attachments of a chat in the trash are not found. */
async function attachmentRow<R>(ctx: Ctx, chatId: string, id: string, columns: RawBuilder<R>): Promise<R> {
  const row = await queryOne(
    ctx,
    sql<R>`select ${columns} from ${rows(ctx, 'chat_attachments')} a
      join ${living(ctx, 'chats')} c on c.id = a.chat_id where a.id = ${id} and a.chat_id = ${chatId}`,
  )
  if (!row) throw errors.notFound('Attachment')
  return row
}

async function all(ctx: Ctx, chatId: string): Promise<Page<Attachment>> {
  await chats.operations.get(ctx, chatId)
  const items = await query(
    ctx,
    sql<Attachment>`select ${fields} from ${rows(ctx, 'chat_attachments')} a where a.chat_id = ${chatId}
      order by a.created_at, a.id`,
  )
  return asPage(items, items.length, 1, MAX_FILES)
}

/** Always downloaded, never displayed: an uploaded page must not run under this origin. */
async function download(ctx: Ctx, chatId: string, id: string): Promise<Reply> {
  const { file_id, file_name } = await attachmentRow(
    ctx,
    chatId,
    id,
    sql<Pick<Tables['chat_attachments'], 'file_id' | 'file_name'>>`a.file_id, a.file_name`,
  )
  const path = chatFiles.path(ctx, file_id)
  const file = await stat(path).catch(() => undefined)
  if (!file) throw errors.notFound('The file of this attachment')
  return rawReply(createReadStream(path), 'application/octet-stream', {
    ...asDownload(file_name),
    'content-length': String(file.size),
    'cache-control': 'private, no-store',
  })
}

async function remove(ctx: Ctx, chatId: string, id: string): Promise<void> {
  await attachmentRow(ctx, chatId, id, fields)
  const [deleted] = await deleteRows(
    ctx,
    'chat_attachments',
    sql`r.id = ${id}`,
    sql<{ file_id: string }>`r.file_id`,
  )
  if (!deleted) throw errors.notFound('Attachment')
  await removeUnused(ctx, deleted.file_id)
}

const tag = 'Chat attachments'
const path = '/api/chats/{chat_id}/attachments'
const single = `${path}/{attachment_id}`
const read = { method: 'GET', tag, permission: 'chats:read' } as const

export const attachmentEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path,
    tag,
    permission: 'chats:write',
    summary: 'Add an attachment to a chat',
    description:
      'A multipart upload with `file`: text, markdown, CSV, PDF or audio, detected from its content. Text is read at once (201); a PDF or a recording in the background (202). A message names its files as `attachments: {"files": ["<id>"]}`.',
    body: object({ file: text({ description: 'The file' }) }),
    multipart: true,
    response: attachment,
    status: 201,
    otherStatuses: [202],
    replaysItself: true,
    run: (ctx, request) => {
      const { chat_id: chatId } = request.params
      return onceAfter(ctx, request, {
        async wait() {
          await chats.operations.get(ctx, chatId)
          return receive(ctx, request.parts())
        },
        async write(tx, upload) {
          await record(tx, chatId, upload)
          return attachmentRow(tx, chatId, upload.id, fields)
        },
        discard: upload => chatFiles.remove(ctx, [upload.id]),
        status: added => (added.status === 'queued' ? 202 : 201),
      })
    },
  }),
  endpoint({
    ...read,
    path,
    summary: 'List the attachments of a chat',
    description: 'Oldest first.',
    response: object(pageFields(attachment), { title: 'ChatAttachmentPage' }),
    run: (ctx, { params }) => all(ctx, params.chat_id),
  }),
  endpoint({
    ...read,
    path: single,
    summary: 'Get an attachment of a chat',
    description: 'With the text that was read from it.',
    response: withText,
    single: true,
    run: (ctx, { params }) =>
      attachmentRow(ctx, params.chat_id, params.attachment_id, sql`${fields}, a.text`),
  }),
  endpoint({
    ...read,
    path: `${single}/download`,
    summary: 'Download an attachment of a chat',
    description:
      'The file as it was uploaded, always sent as `application/octet-stream`, so that a browser saves it and does not display it.',
    responseContent: { 'application/octet-stream': { type: 'string', format: 'binary' } },
    run: (ctx, { params }) => download(ctx, params.chat_id, params.attachment_id),
  }),
  endpoint({
    method: 'DELETE',
    path: single,
    tag,
    permission: 'chats:write',
    summary: 'Delete an attachment of a chat',
    description: 'The file is deleted, too.',
    response: empty,
    run: async (ctx, { params }) => {
      await remove(ctx, params.chat_id, params.attachment_id)
      return {}
    },
  }),
]
