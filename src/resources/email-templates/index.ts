import { crud } from '../../kernel/crud.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { copiedName } from '../shared/copied-name.ts'
import { htmlToText } from './html-to-text.ts'
import { type EmailTemplate, type EmailTemplateInput, emailTemplate, MAX_SUBJECT } from './record.ts'
import { renderEndpoints } from './render.ts'

const base = crud(emailTemplate)

/** The searchable text changes with the body. */
const textOf = ({ body_html }: Partial<EmailTemplateInput>) =>
  body_html === undefined ? {} : { body_text: htmlToText(body_html) }

const operations: Operations<EmailTemplateInput, EmailTemplate> = {
  ...base,
  create: (ctx, input) => base.create(ctx, input, { set: { ...textOf(input), user_id: ctx.user } }),
  update: (ctx, id, input) => base.update(ctx, id, input, { set: textOf(input) }),
}

const duplicate = endpoint({
  method: 'POST',
  path: '/api/email-templates/{template_id}/duplicate',
  tag: 'Email templates',
  permission: 'email-templates:write',
  summary: 'Duplicate an email template',
  description: 'The copy belongs to the caller.',
  response: emailTemplate.output,
  status: 201,
  single: true,
  run: async (ctx, { params }) => {
    const { subject, body_html } = await operations.get(ctx, params.template_id)
    return operations.create(ctx, { subject: copiedName(subject, MAX_SUBJECT), body_html })
  },
})

export const emailTemplates: Resource<EmailTemplateInput, EmailTemplate> = {
  name: 'email-templates',
  idParam: 'template_id',
  tag: 'Email templates',
  record: base.record,
  operations,
  endpoints: [duplicate, ...renderEndpoints(operations)],
}
