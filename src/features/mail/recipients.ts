import type { EmailDraft } from '../../resources/email-drafts/record.ts'

/** All recipients of a draft. */
export const recipientsOf = ({ to, cc, bcc }: Pick<EmailDraft, 'to' | 'cc' | 'bcc'>): string[] =>
  [...to, ...cc, ...bcc].map(({ email }) => email)
