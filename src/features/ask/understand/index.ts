/** A question about the data → its meaning, or none. `before`: what was asked before it, which it may lean on. */
import type { AccountWords } from '../account/account-words.ts'
import { type Before, followUp } from './follow-up.ts'
import { readAlone, type Understood } from './reading.ts'

export type { Understood } from './reading.ts'

/** Joins a question to the one before it without changing what it asks. */
const LEADING = /^\s*(?:and|but|so|also)\b[\s,]*/i

export function understand(
  question: string,
  account: AccountWords,
  now: Date,
  before?: Before,
): Understood | undefined {
  const alone = readAlone(question.replace(LEADING, ''), account, now)
  return (before && followUp(question, account, now, before, alone !== undefined)) ?? alone
}
