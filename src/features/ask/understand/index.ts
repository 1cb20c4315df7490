/** A question about the data → its meaning, or none. `before`: what was asked before it, which it may lean on. */
import type { AccountWords } from '../account/account-words.ts'
import { withoutCourtesy } from './courtesy.ts'
import { type Before, followUp } from './follow-up.ts'
import type { Meaning } from './meaning.ts'
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
  const asked = withoutCourtesy(question).replace(LEADING, '')
  const read = readAlone(asked.replace(/^whether /, ''), account, now)
  const alone = read && BEGINS_WITH_ANY.test(asked) ? { ...read, meaning: yesOrNo(read.meaning) } : read
  const followed = before && followUp(question, account, now, before, alone !== undefined)
  return followed ? { ...followed, isFollowUp: true } : alone
}

/** "anything above 100k?" */
const BEGINS_WITH_ANY = /^(?:any|anything|anyone|anybody|whether)\b/i

/** A list that is asked for with such a word may be empty: the answer says yes or no before it. */
function yesOrNo(meaning: Meaning): Meaning {
  if (meaning.kind !== 'query' || meaning.show || meaning.last) return meaning
  const { measure, group_by, limit } = meaning.query
  const isList = (measure === undefined || measure.kind === 'list') && !group_by && limit === undefined
  return isList ? { ...meaning, isYesNo: true } : meaning
}
