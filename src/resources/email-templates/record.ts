/** An email template, with exactly the fields of the contract. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import { boolean, type Infer, object, optional, text, uuid } from '../../kernel/schema/index.ts'
import { account, base } from '../shared/fields.ts'

/** The longest line that a mail may have. */
export const MAX_SUBJECT = 998
export const MAX_BODY = 1_000_000

export const subjectText = () =>
  text({ max: MAX_SUBJECT, description: 'May contain variables: {{ contact.first_name }}' })
export const bodyHtml = () => text({ max: MAX_BODY, description: 'HTML; may contain variables' })

export const emailTemplate = defineRecord({
  table: 'email_templates',
  label: 'Email template',
  input: object(
    { subject: subjectText(), body_html: bodyHtml(), is_favorite: optional(boolean()) },
    {
      title: 'EmailTemplateCreate',
      examples: [{ subject: 'Hello {{ contact.first_name }}', body_html: '<p>Thank you for your time.</p>' }],
    },
  ),
  output: object(
    {
      ...base,
      ...account,
      user_id: uuid({ description: 'Owner' }),
      subject: subjectText(),
      body_html: bodyHtml(),
      is_favorite: boolean(),
    },
    { title: 'EmailTemplate' },
  ),
  search: 'text',
  hasBytes: true,
  filters: {
    user_id: { schema: uuid(), where: (_, value) => sql`r.user_id = ${value}` },
    is_favorite: { schema: boolean(), where: (_, value) => sql`r.is_favorite = ${value}` },
  },
})
export type EmailTemplateInput = Infer<typeof emailTemplate.input>
export type EmailTemplate = Infer<typeof emailTemplate.output>
