/** Templates filled with a record's values. */
import type { Ctx } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import {
  boolean,
  dict,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { decodeEntities, escapeHtml } from './entities.ts'
import { htmlToText } from './html-to-text.ts'
import { bodyHtml, type EmailTemplate, type EmailTemplateInput, subjectText } from './record.ts'
import { safeHtml } from './safe-html.ts'
import { fillIn } from './template-text.ts'
import { type About, textAt, valuesFor, variableList } from './values.ts'

export interface Rendered {
  subject: string
  body_html: string
  body_text: string
  /** names that got a text, from a record, the caller or a default */
  used: string[]
  /** names that did not, and were left empty */
  missing: string[]
}

export interface RenderRequest extends About {
  variables?: Record<string, unknown> | null | undefined
  strict?: boolean
}

/** Variables of the caller take precedence over values of the records. */
export async function render(
  ctx: Ctx,
  template: { subject: string; body_html: string },
  request: RenderRequest,
  implied: About = {},
): Promise<Rendered> {
  const variables = request.variables ?? {}
  const values = await valuesFor(ctx, request, implied)
  const used = new Set<string>()
  const missing = new Set<string>()
  const lookup = (name: string) => textAt(variables, name) ?? (textAt(values, name) || undefined)
  const plain = (value: string) => value
  const subject = oneLine(fillIn(template.subject, { lookup, write: plain, read: plain, used, missing }))
  // clients show the result in a browser
  const body_html = safeHtml(
    fillIn(template.body_html, { lookup, write: escapeHtml, read: decodeEntities, used, missing }),
  )
  if (request.strict && missing.size > 0) {
    throw errors.invalid(
      [...missing].map(name => ({
        type: 'missing',
        loc: ['body', 'variables', name],
        msg: 'Field required',
        input: variables,
      })),
    )
  }
  return { subject, body_html, body_text: htmlToText(body_html), used: [...used], missing: [...missing] }
}

/** A line break in a subject would begin another header of the mail. */
const oneLine = (subject: string): string => subject.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, ' ').trim()

const about = {
  contact_id: optional(nullable(uuid())),
  company_id: optional(nullable(uuid())),
  deal_id: optional(nullable(uuid())),
  variables: optional(
    nullable(dict({ description: 'Values by name; they take precedence over those of the records' })),
  ),
  strict: withDefault(boolean({ description: 'Answer 422 when a variable has no value' }), false),
}

const rendered = object(
  {
    subject: text(),
    body_html: text(),
    body_text: text(),
    used: list(text()),
    missing: list(text()),
  },
  { title: 'RenderedTemplate' },
)

const tag = 'Email templates'
const permission = 'email-templates:read'

export const renderEndpoints = (operations: Operations<EmailTemplateInput, EmailTemplate>): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/email-templates/{template_id}/render',
    tag,
    permission,
    summary: 'Render an email template',
    description:
      'Values are HTML-escaped in the body. A variable without a value is left empty and listed in `missing`.',
    body: object(about),
    bodyOptional: true,
    response: rendered,
    run: async (ctx, { params, body }) => render(ctx, await operations.get(ctx, params.template_id), body),
  }),
  endpoint({
    method: 'POST',
    path: '/api/email-templates/preview',
    tag,
    permission,
    summary: 'Preview a template that is not saved',
    description: 'Renders the subject and body that are sent.',
    body: object({
      subject: withDefault(subjectText(), ''),
      body_html: withDefault(bodyHtml(), ''),
      ...about,
    }),
    response: rendered,
    run: (ctx, { body }) => render(ctx, body, body),
  }),
  endpoint({
    method: 'GET',
    path: '/api/email-templates/variables',
    tag,
    permission,
    summary: 'List template variables',
    description:
      'What a subject and a body can use, as in `{{ contact.first_name }}`. The list is the same for every account: `<key>` stands for the key of a custom field.',
    response: object(
      { items: list(object({ name: text(), group: text(), label: text() }, { title: 'TemplateVariable' })) },
      { title: 'TemplateVariableList' },
    ),
    run: async () => ({ items: variableList() }),
  }),
]
