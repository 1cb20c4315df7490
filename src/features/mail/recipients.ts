import type { Item } from '../../kernel/resource.ts'

/** Everybody whom a draft goes to. */
export const recipientsOf = ({ to, cc, bcc }: Item): string[] =>
  [...to, ...cc, ...bcc].map(({ email }: { email: string }) => email)
