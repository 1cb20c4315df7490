import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { dict, type Infer, nullable, object, optional, uuid } from '../../kernel/schema/index.ts'
import { living, updateRows } from '../../kernel/statements.ts'
import { htmlToText } from '../email-templates/html-to-text.ts'
import { MAX_SUBJECT } from '../email-templates/record.ts'
import { render } from '../email-templates/render.ts'
import { attachmentEndpoints } from './attachments.ts'
import { type EmailDraft, type EmailDraftInput, emailDraft, templateTarget } from './record.ts'

const base = crud(emailDraft)

/** Without a given text, the text is derived from the HTML. */
function withText<I extends EmailDraftInput>(input: I, html: string | undefined): I {
  if (typeof input.body_text === 'string' || html === undefined) return input
  return { ...input, body_text: htmlToText(html) }
}

const operations: Operations<EmailDraftInput, EmailDraft> = {
  ...base,
  create: (ctx, input) =>
    base.create(ctx, withText(input, input.body_html ?? ''), { set: { user_id: ctx.user } }),
  update: (ctx, id, input) =>
    transaction(ctx, async tx => {
      const now = await lockedDraft(tx, id)
      if (now.status === 'sent') throw errors.conflict('A mail that was sent cannot be changed')
      if (now.status === 'scheduled' && input.scheduled_at !== undefined) {
        const due = input.scheduled_at ?? sql`now()`
        await updateRows(tx, 'jobs', { run_at: due }, sql`r.id = ${now.send_id} and r.status = 'queued'`)
      }
      const emptied = input.body_text === null && input.body_html === undefined
      const html = emptied ? now.body_html : input.body_html
      return base.update(tx, id, withText(input, html))
    }),
}

type Locked = Pick<Tables['email_drafts'], 'status' | 'send_id' | 'body_html'>

async function lockedDraft(tx: Ctx, id: string): Promise<Locked> {
  const draft = await queryOne(
    tx,
    sql<Locked>`select d.status, d.send_id, d.body_html
      from ${living(tx, 'email_drafts')} d where d.id = ${id} for no key update`,
  )
  if (!draft) throw errors.notFound(emailDraft.label)
  return draft
}

const application = object({ template_id: uuid(), variables: optional(nullable(dict())) })

/** Sets subject and body from the template, rendered with the draft's records. */
function applyTemplate(
  ctx: Ctx,
  id: string,
  { template_id, variables }: Infer<typeof application>,
): Promise<EmailDraft> {
  return transaction(ctx, async tx => {
    const draft = await operations.get(tx, id)
    const template = await queryOne(
      tx,
      sql<Pick<Tables['email_templates'], 'subject' | 'body_html'>>`
        select t.subject, t.body_html from ${living(tx, 'email_templates')} t where t.id = ${template_id}`,
    )
    if (!template) throw errors.referenceNotFound(['body', 'template_id'], templateTarget.label, template_id)
    const filled = await render(tx, template, { variables }, draft)
    const subject = [...filled.subject].slice(0, MAX_SUBJECT).join('')
    const { body_html, body_text } = filled
    return operations.update(tx, id, { template_id, subject, body_html, body_text })
  })
}

const action = {
  method: 'POST',
  tag: 'Email drafts',
  permission: 'email-drafts:write',
  response: emailDraft.output,
  single: true,
} as const

const actions: Endpoint[] = [
  endpoint({
    ...action,
    path: '/api/email-drafts/{draft_id}/apply-template',
    alsoNeeds: ['email-templates:read'],
    summary: 'Apply a template to a draft',
    description: 'With the values of the draft’s contact, company and deal; `variables` take precedence.',
    body: application,
    run: (ctx, { params, body }) => applyTemplate(ctx, params.draft_id, body),
  }),
]

export const emailDrafts: Resource<EmailDraftInput, EmailDraft> = {
  name: 'email-drafts',
  idParam: 'draft_id',
  tag: 'Email drafts',
  record: base.record,
  operations,
  endpoints: [...actions, ...attachmentEndpoints(operations)],
}
