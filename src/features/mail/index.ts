/** `POST /api/email-drafts/{id}/send` and related endpoints. */
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { boolean, object, withDefault } from '../../kernel/schema/index.ts'
import { deleteRows, living, rows, updateRows } from '../../kernel/statements.ts'
import { checkMaySend, countRecipients } from '../../resources/accounts/may-send.ts'
import { emailDrafts } from '../../resources/email-drafts/index.ts'
import type { EmailDraft } from '../../resources/email-drafts/record.ts'
import { generateEndpoint } from './generate.ts'
import type { StoredDraft } from './message.ts'
import { recipientsOf } from './recipients.ts'
import { sendJob } from './send.ts'

const { get } = emailDrafts.operations

interface SendOptions {
  force: boolean
  fill_variables: boolean
}

function send(ctx: Ctx, id: string, { force, fill_variables }: SendOptions): Promise<EmailDraft> {
  return transaction(ctx, async tx => {
    const draft = await locked(tx, id)
    await checkMaySend(tx)
    if (draft.status === 'sent') throw errors.conflict('This mail has been sent already')
    const recipients = recipientsOf(draft)
    if (recipients.length === 0) throw errors.conflict('The draft has no recipient')
    if (!force) await refuseOptedOut(tx, draft.contact_id, recipients)
    // already being sent: a repeated request sends no second mail
    if (draft.status === 'scheduled' && !(await cancelSending(tx, draft.send_id))) return get(tx, id)
    const due =
      draft.scheduled_at && new Date(draft.scheduled_at) > new Date()
        ? new Date(draft.scheduled_at)
        : undefined
    // The recipients of a scheduled mail are counted when it is sent.
    if (!due) await countRecipients(tx, id, recipients.length)
    const send_id = await enqueue(
      tx,
      sendJob,
      { draft_id: id, ...(fill_variables ? { fill_with_scopes: [...ctx.caller.scopes] } : {}) },
      { entityId: id, ...(due ? { runAt: due } : {}) },
    )
    const message_id = draft.message_id ?? `<${id}@${ctx.services.config.mail?.from.split('@')[1]}>`
    await updateRows(
      tx,
      'email_drafts',
      { status: 'scheduled', send_id, message_id, error: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    return get(tx, id)
  })
}

async function locked(tx: Ctx, id: string): Promise<StoredDraft> {
  const draft = await queryOne(
    tx,
    sql<StoredDraft>`select d.* from ${living(tx, 'email_drafts')} d where d.id = ${id} for no key update`,
  )
  if (!draft) throw errors.notFound('Email draft')
  return draft
}

/** Refuses a mail to any address of a contact who opted out of mail. */
async function refuseOptedOut(
  tx: Ctx,
  contactId: string | null,
  recipients: readonly string[],
): Promise<void> {
  const optedOut = await query(
    tx,
    sql<{ name: string }>`select c.full_name as name from ${living(tx, 'contacts')} c
      where (c.do_not_contact or c.email_opt_out) and (c.id = ${contactId} or c.id in (
        select a.contact_id from ${rows(tx, 'contact_addresses')} a
        where a.address = any(${recipients.map(address => address.toLowerCase())}::text[])))
      order by c.id limit 3`,
  )
  if (optedOut.length === 0) return
  const names = optedOut.map(({ name }) => name).join(', ')
  throw errors.conflict(`${names} asked not to be written to: send with "force": true to write all the same`)
}

/** Cancels the queued job; false if it is already running. */
async function cancelSending(tx: Ctx, jobId: string | null): Promise<boolean> {
  const stopped = await updateRows(
    tx,
    'jobs',
    sql`status = 'cancelled', finished_at = now(), updated_at = now()`,
    sql`r.id = ${jobId} and r.status = 'queued'`,
    sql`r.id`,
  )
  if (stopped.length > 0) return true
  const [running] = await query(
    tx,
    sql`select j.id from ${rows(tx, 'jobs')} j where j.id = ${jobId} and j.status = 'running'`,
  )
  return running === undefined
}

function unschedule(ctx: Ctx, id: string): Promise<EmailDraft> {
  return transaction(ctx, async tx => {
    const draft = await locked(tx, id)
    if (draft.status !== 'scheduled') throw errors.conflict('This draft is not waiting to be sent')
    if (!(await cancelSending(tx, draft.send_id)))
      throw errors.conflict('This mail is being sent at this moment')
    await updateRows(
      tx,
      'email_drafts',
      { status: 'draft', send_id: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    await deleteRows(tx, 'mail_recipients', sql`r.id = ${id}`)
    return get(tx, id)
  })
}

const shared = {
  method: 'POST',
  tag: 'Email drafts',
  permission: 'email-drafts:write',
  response: emailDrafts.record.output,
} as const

export const mailEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    path: '/api/email-drafts/{draft_id}/send',
    summary: 'Send a draft',
    description:
      'Sends in the background, at `scheduled_at` if that is in the future; temporary failures are retried. ' +
      '409 if the service cannot send mail or a recipient has opted out; 403 until the caller has confirmed their email address; 429 if the account has sent mail to too many people within 24 hours.',
    body: object({
      force: withDefault(boolean({ description: 'Also send to recipients who have opted out' }), false),
      fill_variables: withDefault(
        boolean({
          description:
            'Fill in the variables of `subject` and `body_html` when the mail is sent. The draft has its own text until then, and the text that was sent afterwards',
        }),
        false,
      ),
    }),
    bodyOptional: true,
    status: 202,
    run: (ctx, { params, body }) => send(ctx, params.draft_id, body),
  }),
  endpoint({
    ...shared,
    path: '/api/email-drafts/{draft_id}/unschedule',
    summary: 'Cancel sending a draft',
    description: 'The scheduled draft is a plain draft again.',
    status: 200,
    single: true,
    run: (ctx, { params }) => unschedule(ctx, params.draft_id),
  }),
  generateEndpoint,
]
