import type { EmailDraft } from '../../resources/email-drafts/record.ts'

/** Everybody whom a draft goes to. */
export const recipientsOf = ({ to, cc, bcc }: Pick<EmailDraft, 'to' | 'cc' | 'bcc'>): string[] =>
  [...to, ...cc, ...bcc].map(({ email }) => email)
