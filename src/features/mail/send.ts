/**
 * Sends a draft as a background job. The Message-ID is assigned before the first attempt, so that a retry sends the
 * same mail again.
 */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { HttpError } from '../../kernel/errors.ts'
import { JobFailed, type JobHandler, jobType } from '../../kernel/jobs.ts'
import { object, uuid } from '../../kernel/schema/index.ts'
import { living, type TableName, updateRows } from '../../kernel/statements.ts'
import * as thrown from '../../lib/thrown.ts'
import { property } from '../../lib/values.ts'
import { smtpTransport } from '../../mail/transport.ts'
import { countRecipients } from '../../resources/accounts/may-send.ts'
import { type ActivityInput, activity } from '../../resources/activities/record.ts'
import { type MailConfig, messageOf, type StoredDraft } from './message.ts'
import { recipientsOf } from './recipients.ts'

export const sendJob = jobType('send-email', object({ draft_id: uuid() }), 'email-drafts:write', {
  attempts: 6,
  concurrency: 3,
})

const activities = crud(activity)

export const sendHandler: JobHandler<{ draft_id: string }> = {
  type: sendJob,

  async run(ctx, { draft_id: id }, job) {
    const draft = await draftOf(ctx, id)
    if (!draft) throw new JobFailed('The draft has been deleted')
    // cancelled, or already sent by an attempt whose result was not stored
    if (draft.send_id !== job.id || draft.status === 'sent') return { draft_id: id }
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
  await updateRows(
    tx,
    'email_drafts',
    { status: 'sent', sent_at: sql`now()`, updated_at: sql`now()`, error, send_id: null, activity_id },
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
