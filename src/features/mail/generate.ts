/** Generates a draft from an instruction and related records. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, query, queryOne } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { mayRead } from '../../kernel/reach.ts'
import { onceAfter } from '../../kernel/replay.ts'
import { decompose } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { emailDrafts } from '../../resources/email-drafts/index.ts'
import type { EmailDraft, EmailDraftInput } from '../../resources/email-drafts/record.ts'
import { escapeHtml } from '../../resources/email-templates/entities.ts'
import { MAX_SUBJECT } from '../../resources/email-templates/record.ts'
import { render } from '../../resources/email-templates/render.ts'
import { textAt, valuesFor } from '../../resources/email-templates/values.ts'
import { type DraftRequest, draftRequest, type GeneratedDraft } from './draft-request.ts'
import { generatedByModel } from './language-model.ts'

/** Calls the language model, if there is one, so no transaction may be open. */
async function generate(ctx: Ctx, request: DraftRequest): Promise<GeneratedDraft> {
  // also checks that the records exist and that the caller may read them
  const values = await valuesFor(ctx, request)
  return (
    (await generatedByModel(ctx, request, values)) ??
    (await fromTemplate(ctx, request)) ??
    skeleton(request, values)
  )
}

async function createDraft(tx: Ctx, request: DraftRequest, generated: GeneratedDraft): Promise<EmailDraft> {
  const { subject, body_html, template_id, metadata } = generated
  return emailDrafts.operations.create(tx, {
    ...(await linksOf(tx, request)),
    subject: [...subject].slice(0, MAX_SUBJECT).join(''),
    body_html,
    ...(template_id ? { template_id } : {}),
    metadata: { ...metadata, instruction: request.instruction },
  })
}

/** The draft is for the requested contact, or else for that of the deal. */
async function linksOf(
  tx: Ctx,
  { contact_id, deal_id }: DraftRequest,
): Promise<Pick<EmailDraftInput, 'to' | 'contact_id' | 'deal_id' | 'company_id'>> {
  const deal = deal_id
    ? await queryOne(
        tx,
        sql<
          Pick<Tables['deals'], 'company_id' | 'primary_contact_id'>
        >`select d.company_id, d.primary_contact_id from ${living(tx, 'deals')} d where d.id = ${deal_id}`,
      )
    : undefined
  const contactId = contact_id ?? deal?.primary_contact_id ?? null
  const contact = await queryOne(
    tx,
    sql<
      Pick<Tables['contacts'], 'id' | 'email' | 'full_name' | 'company_id'>
    >`select c.id, c.email, c.full_name, c.company_id from ${living(tx, 'contacts')} c
      where c.id = ${mayRead(tx, 'contacts') ? contactId : null}`,
  )
  const company_id = deal?.company_id ?? contact?.company_id ?? null
  const company =
    company_id &&
    (await queryOne(tx, sql`select c.id from ${living(tx, 'companies')} c where c.id = ${company_id}`))
  return {
    to: contact?.email ? [{ email: contact.email, name: contact.full_name }] : [],
    contact_id: contact?.id ?? null,
    deal_id: deal_id ?? null,
    company_id: company ? company_id : null,
  }
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    decompose(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  )

/**
 * The template with the most words of the instruction; words in its subject count twice. Ties go to favorites, then to
 * the latest.
 */
async function fromTemplate(ctx: Ctx, request: DraftRequest): Promise<GeneratedDraft | undefined> {
  if (!mayRead(ctx, 'email_templates')) return undefined
  const templates = await query(
    ctx,
    sql<Pick<Tables['email_templates'], 'id' | 'subject' | 'body_html' | 'body_text'>>`
      select t.id, t.subject, t.body_html, left(t.body_text, 5000) as body_text from ${living(ctx, 'email_templates')} t
      order by t.is_favorite desc, t.updated_at desc, t.id desc limit 200`,
  )
  const instructionWords = wordsOf(`${request.instruction} ${request.tone ?? ''}`)
  const score = (template: (typeof templates)[number]) => {
    const [subject, body] = [wordsOf(template.subject), wordsOf(template.body_text)]
    return [...instructionWords].reduce(
      (sum, word) => sum + (subject.has(word) ? 2 : 0) + (body.has(word) ? 1 : 0),
      0,
    )
  }
  const best = templates
    .map(template => ({ template, score: score(template) }))
    .sort((a, b) => b.score - a.score)[0]
  if (!best) return undefined
  const { id } = best.template
  const { subject, body_html, missing } = await render(ctx, best.template, request)
  return {
    subject,
    body_html,
    template_id: id,
    metadata: { generated_by: 'template', template_id: id, missing },
  }
}

/** A draft without a model: values of the records, and the instruction as a reminder of what to write. */
function skeleton({ instruction }: DraftRequest, values: Record<string, unknown>): GeneratedDraft {
  const value = (name: string) => textAt(values, name) ?? ''
  const greeting = value('contact.first_name') || value('contact.full_name') || 'there'
  const lines = [
    `Hello ${greeting},`,
    `[To be written: ${instruction}]`,
    `Best regards,\n${value('user.name')}`,
  ]
  return {
    subject: value('deal.name') || value('account.name'),
    body_html: lines.map(line => `<p>${escapeHtml(line).replaceAll('\n', '<br>')}</p>`).join(''),
    metadata: { generated_by: 'skeleton' },
  }
}

export const generateEndpoint = endpoint({
  method: 'POST',
  path: '/api/email-drafts/generate',
  tag: 'Email drafts',
  permission: 'email-drafts:write',
  summary: 'Generate a draft',
  description:
    'Uses the language model if one is configured, otherwise the best matching template, otherwise an outline to ' +
    'fill in. `metadata.generated_by` says which.',
  body: draftRequest,
  response: emailDrafts.record.output,
  status: 201,
  single: true,
  replaysItself: true,
  run: (ctx, request) =>
    onceAfter(ctx, request, {
      wait: () => generate(ctx, request.body),
      write: (tx, result) => createDraft(tx, request.body, result),
    }),
})
