/** Builds the mail to send from a draft. */
import { sql } from 'kysely'
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { storedFiles } from '../../resources/email-drafts/attachments.ts'
import type { EmailDraft } from '../../resources/email-drafts/record.ts'
import { safeHtml } from '../../resources/email-templates/safe-html.ts'

/** A draft with the job that sends it. */
export type StoredDraft = EmailDraft & Pick<Tables['email_drafts'], 'send_id'>

export type MailConfig = NonNullable<Config['mail']>

/** A second check: the schemas refuse line breaks, but rows in the database may be older than the schemas. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const addressed = (list: EmailDraft['to']) =>
  list.map(({ email, name }) => ({ address: oneLine(email), name: oneLine(name ?? '') }))

export async function messageOf(
  ctx: Ctx,
  draft: EmailDraft,
  { from, fromName = '' }: MailConfig,
): Promise<SendMailOptions> {
  const writer = await queryOne(
    ctx,
    sql<{ name: string; email: string; is_confirmed: boolean }>`
      select u.name, u.email, u.email_confirmed_at is not null as is_confirmed from users u where u.id = ${draft.user_id}`,
  )
  const inReplyTo = draft.in_reply_to
    ? { inReplyTo: oneLine(draft.in_reply_to), references: oneLine(draft.in_reply_to) }
    : {}
  return {
    ...(draft.message_id === null ? {} : { messageId: draft.message_id }),
    from: { address: from, name: oneLine(writer?.name || fromName) },
    // An unconfirmed address may belong to another person.
    ...(writer?.is_confirmed ? { replyTo: { address: writer.email, name: oneLine(writer.name) } } : {}),
    to: addressed(draft.to),
    cc: addressed(draft.cc),
    bcc: addressed(draft.bcc),
    subject: oneLine(draft.subject),
    text: draft.body_text,
    ...(draft.body_html === '' ? {} : { html: safeHtml(draft.body_html) }),
    ...inReplyTo,
    attachments: await attachmentsOf(ctx, draft),
    // nodemailer must not read a body as a file name or as a URL to fetch
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Uploaded files, and attachments inside the draft as base64. */
async function attachmentsOf(ctx: Ctx, draft: EmailDraft) {
  const stored = await storedFiles(ctx, draft.id)
  const inline = [draft.attachments]
    .flat()
    .flatMap(entry =>
      typeof entry.content === 'string' && entry.id === undefined ? [{ entry, content: entry.content }] : [],
    )
  return [
    ...stored.map(file => ({ filename: file.file_name, contentType: file.mime_type, content: file.content })),
    ...inline.map(({ entry, content }) => ({
      filename: oneLine(String(entry.file_name ?? entry.filename ?? 'file')).slice(0, 200),
      content: Buffer.from(content, 'base64'),
    })),
  ]
}
