/** `POST /api/inbound/mail`: mails from a mail server's pipe or a provider's webhook. */
import { bytes, endpoint } from '../../kernel/endpoint.ts'
import { int, list, nullable, object, oneOf, text, uuid } from '../../kernel/schema/index.ts'
import { logMail } from './log.ts'

export const inboundMailEndpoint = endpoint({
  method: 'POST',
  path: '/api/inbound/mail',
  tag: 'Inbound mail',
  permission: 'activities:write',
  showsNoRecord: true,
  summary: 'Log a mail',
  description:
    'Takes a raw mail (RFC 5322), of at most `KITH_BODY_LIMIT`, and logs it as an activity on the contacts that it is from and to; attachments become files of the activity. A mail that no contact sent or received is ignored, and one whose Message-ID is known is a duplicate. `metadata.mail_thread` is the same for all mails of a conversation. Needs `contacts:read` besides and, for attachments, `files:write`.',
  rawBody: 'message/rfc822',
  body: bytes,
  response: object(
    {
      status: oneOf(['logged', 'duplicate', 'ignored']),
      activity_id: nullable(uuid()),
      contact_ids: list(uuid()),
      files: int({ min: 0, description: 'Attachments that were stored' }),
      skipped: list(object({ name: text(), reason: text() }), {
        description: 'Attachments that were not stored',
      }),
    },
    { title: 'LoggedMail' },
  ),
  // A repeated mail is recognised by its Message-ID.
  replaysItself: true,
  run: (ctx, { body }) => logMail(ctx, body),
})
