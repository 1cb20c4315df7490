/** An email that is being written. */
import { sql } from 'kysely'
import type { Target } from '../../kernel/links.ts'
import { defineRecord, type Filter } from '../../kernel/resource.ts'
import {
  datetime,
  dict,
  email,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  sometimes,
  text,
  union,
  uuid,
} from '../../kernel/schema/index.ts'
import { MAX_BODY, MAX_SUBJECT } from '../email-templates/record.ts'
import { targets } from '../kinds.ts'
import { account, base } from '../shared/fields.ts'

const address = object(
  { email: email(), name: sometimes(nullable(text({ max: 255, singleLine: true }))) },
  { title: 'EmailAddress' },
)
const addresses = () => optional(list(address, { max: 100 }))

const status = () => oneOf(['draft', 'scheduled', 'sent', 'failed'])
const reference = () => optional(nullable(uuid()))
const attachments = () =>
  union(
    { dict: dict(), 'list[dict]': list(dict({ maxBytes: 16_384 }), { max: 100 }) },
    { description: 'An object or an array' },
  )

const input = object(
  {
    to: addresses(),
    cc: addresses(),
    bcc: addresses(),
    subject: optional(text({ max: MAX_SUBJECT, singleLine: true })),
    body_html: optional(text({ max: MAX_BODY })),
    body_text: optional(
      nullable(text({ max: MAX_BODY, description: 'Derived from body_html when absent or null' })),
    ),
    template_id: reference(),
    contact_id: reference(),
    company_id: reference(),
    deal_id: reference(),
    in_reply_to: optional(
      nullable(
        text({ max: 998, singleLine: true, description: 'The Message-ID of the mail that this answers' }),
      ),
    ),
    attachments: optional(attachments()),
    scheduled_at: optional(nullable(datetime())),
    metadata: optional(dict()),
  },
  {
    title: 'EmailDraftCreate',
    examples: [
      {
        to: [{ email: 'ann@example.com', name: 'Ann' }],
        subject: 'Your offer',
        body_html: '<p>As discussed.</p>',
      },
    ],
  },
)

const by = (column: string): Filter => ({
  schema: uuid(),
  where: (_, value) => sql`r.${sql.ref(column)} = ${value}`,
})

export const templateTarget: Target = { table: 'email_templates', label: 'Email template', name: 'subject' }

export const emailDraft = defineRecord({
  table: 'email_drafts',
  label: 'Email draft',
  input,
  output: object(
    {
      ...base,
      ...account,
      user_id: uuid(),
      to: list(address),
      cc: list(address),
      bcc: list(address),
      subject: text(),
      body_html: text(),
      body_text: text(),
      template_id: nullable(uuid()),
      contact_id: nullable(uuid()),
      company_id: nullable(uuid()),
      deal_id: nullable(uuid()),
      in_reply_to: nullable(text()),
      attachments: attachments(),
      status: status(),
      scheduled_at: nullable(datetime()),
      sent_at: nullable(datetime()),
      message_id: nullable(text({ description: 'Assigned at the first attempt to send it' })),
      error: nullable(text({ description: 'Why it could not be sent' })),
      activity_id: nullable(uuid({ description: 'The activity that was created for the sent mail' })),
      metadata: dict(),
    },
    { title: 'EmailDraft' },
  ),
  references: {
    template_id: templateTarget,
    contact_id: targets.contact,
    company_id: targets.company,
    deal_id: targets.deal,
  },
  search: 'text',
  hasBytes: true,
  filters: {
    status: { schema: status(), where: (_, value) => sql`r.status = ${value}` },
    user_id: by('user_id'),
    template_id: by('template_id'),
    contact_id: by('contact_id'),
    company_id: by('company_id'),
    deal_id: by('deal_id'),
  },
})
export type EmailDraftInput = Infer<typeof emailDraft.input>
export type EmailDraft = Infer<typeof emailDraft.output>
