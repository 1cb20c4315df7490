/**
 * Sends a draft as a background job. The Message-ID is assigned before the first attempt, so that a retry sends the
 * same mail again.
 */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { HttpError } from '../../kernel/errors.ts'
import { JobFailed, type JobHandler, jobType } from '../../kernel/jobs.ts'
import { type Infer, list, object, optional, text, uuid } from '../../kernel/schema/index.ts'
import { living, type TableName, updateRows } from '../../kernel/statements.ts'
import * as thrown from '../../lib/thrown.ts'
import { property } from '../../lib/values.ts'
import { smtpTransport } from '../../mail/transport.ts'
import { countRecipients } from '../../resources/accounts/may-send.ts'
import { type ActivityInput, activity } from '../../resources/activities/record.ts'
import { MAX_SUBJECT } from '../../resources/email-templates/record.ts'
import { render } from '../../resources/email-templates/render.ts'
import { type MailConfig, messageOf, type StoredDraft } from './message.ts'
import { recipientsOf } from './recipients.ts'

const sending = object({
  draft_id: uuid(),
  /** the scopes of the caller who sends, if the variables are filled in: a job may read every record */
  fill_with_scopes: optional(list(text())),
})
type Sending = Infer<typeof sending>

export const sendJob = jobType('send-email', sending, 'email-drafts:write', { attempts: 6, concurrency: 3 })

const activities = crud(activity)

export const sendHandler: JobHandler<Sending> = {
  type: sendJob,

  async run(ctx, { draft_id: id, fill_with_scopes: scopes }, job) {
    const stored = await draftOf(ctx, id)
    if (!stored) throw new JobFailed('The draft has been deleted')
    // cancelled, or already sent by an attempt whose result was not stored
    if (stored.send_id !== job.id || stored.status === 'sent') return { draft_id: id }
    const draft = scopes ? { ...stored, ...(await filledIn(ctx, stored, scopes)) } : stored
    const { mail } = ctx.services.config
    if (!mail) throw new JobFailed('Email sending is not configured')
    // Counted again: the draft may have more recipients than when it was scheduled.
    await transaction(ctx, tx => countRecipients(tx, id, recipientsOf(draft).length)).catch(error => {
      throw error instanceof HttpError ? new JobFailed(error.message) : error
    })
    const refused = await deliver(ctx, draft, mail)
    await transaction(ctx, async tx => {
      await job.progress(tx, 1, 1)
      await markSent(tx, draft, refused)
    })
    return { draft_id: id, message_id: draft.message_id }
  },

  async onEnd(tx, { draft_id: id }, ending) {
    const set =
      ending.status === 'failed'
        ? { status: 'failed', error: sql`coalesce(r.error, ${ending.error})` }
        : { status: 'draft', error: null }
    await updateRows(
      tx,
      'email_drafts',
      { ...set, send_id: null },
      sql`r.id = ${id} and r.status = 'scheduled'`,
    )
  },
}

const draftOf = (ctx: Ctx, id: string) =>
  queryOne(ctx, sql<StoredDraft>`select d.* from ${living(ctx, 'email_drafts')} d where d.id = ${id}`)

/** The text with the values of the draft's records, as far as the sender may read them. */
async function filledIn(
  ctx: Ctx,
  draft: StoredDraft,
  scopes: readonly string[],
): Promise<Partial<StoredDraft>> {
  const asSender = { ...ctx, caller: { ...ctx.caller, scopes } }
  const { subject, body_html, body_text } = await render(asSender, draft, {}, draft)
  return {
    subject: [...subject].slice(0, MAX_SUBJECT).join(''),
    // a draft without HTML has its own text
    ...(draft.body_html === '' ? {} : { body_html, body_text }),
  }
}

/** A 4xx of the server and a lost connection are retried, a 5xx is final. Returns the refused recipients. */
async function deliver(ctx: Ctx, draft: StoredDraft, mail: MailConfig): Promise<string[]> {
  try {
    const transport = await smtpTransport(mail.smtpUrl)
    const { rejected } = await transport.sendMail(await messageOf(ctx, draft, mail))
    return rejected
  } catch (error) {
    const response = property(error, 'response')
    const reason = typeof response === 'string' ? response : thrown.messageOf(error)
    const sentence = `The mail server answered: ${reason.slice(0, 500)}`
    await updateRows(ctx, 'email_drafts', { error: sentence }, sql`r.id = ${draft.id}`)
    const responseCode = property(error, 'responseCode')
    if (typeof responseCode === 'number' && responseCode >= 500) throw new JobFailed(sentence)
    throw error
  }
}

async function markSent(tx: Ctx, draft: StoredDraft, refused: readonly string[]): Promise<void> {
  const { id: activity_id } = await activities.create(tx, await activityOf(tx, draft), {
    set: { created_by: draft.user_id },
  })
  const error = refused.length === 0 ? null : `The mail server refused: ${refused.join(', ')}`
  const { subject, body_html, body_text } = draft
  const sent = { status: 'sent', sent_at: sql`now()`, updated_at: sql`now()`, error, send_id: null }
  await updateRows(
    tx,
    'email_drafts',
    { ...sent, activity_id, subject, body_html, body_text },
    sql`r.id = ${draft.id}`,
  )
}

/** The activity for a sent mail, linked to those of its records that are not in the trash. */
async function activityOf(tx: Ctx, draft: StoredDraft): Promise<ActivityInput> {
  const livingIds = async (table: TableName, id: string | null) =>
    id !== null && (await queryOne(tx, sql`select t.id from ${living(tx, table)} t where t.id = ${id}`))
      ? [id]
      : []
  return {
    type: 'email',
    subject: [...(draft.subject || 'Email')].slice(0, 255).join(''),
    description: [...draft.body_text].slice(0, 50_000).join(''),
    status: 'completed',
    all_day: false,
    direction: 'outbound',
    contact_ids: await livingIds('contacts', draft.contact_id),
    company_ids: await livingIds('companies', draft.company_id),
    deal_ids: await livingIds('deals', draft.deal_id),
    metadata: { email_draft_id: draft.id, message_id: draft.message_id },
  }
}
