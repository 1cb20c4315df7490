/** A question about the data → its meaning, or none. `before`: what was asked before it, which it may lean on. */
import type { AccountWords } from '../account/account-words.ts'
import { lexiconOf } from '../lexicon/index.ts'
import { askedIn } from './background.ts'
import { parse } from './chart.ts'
import { withoutCourtesy } from './courtesy.ts'
import { type Before, followUp } from './follow-up.ts'
import { leavesOf } from './leaves.ts'
import type { Meaning } from './meaning.ts'
import { type Understood, understoodFrom } from './normal.ts'
import { RULES } from './rules/index.ts'
import { MAX_TOKENS, tokensOf } from './tokens.ts'
import { spelt } from './typos.ts'

export type { Understood } from './normal.ts'

/** Joins a question to the one before it without changing what it asks. */
const LEADING = /^\s*(?:and|but|so|also)\b[\s,]*/i

export function understand(
  question: string,
  account: AccountWords,
  now: Date,
  before?: Before,
): Understood | undefined {
  const asked = withoutCourtesy(askedIn(question, account, now)).replace(LEADING, '')
  const readAs = read(asked.replace(/^whether /, ''), account, now)
  const alone =
    readAs && BEGINS_WITH_ANY.test(asked) ? { ...readAs, meaning: yesOrNo(readAs.meaning) } : readAs
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

// ---- a question that stands alone

function read(question: string, account: AccountWords, now: Date): Understood | undefined {
  const words = tokensOf(question)
  const lexicon = lexiconOf(words)
  const tokens = words.map(token => spelt(token, lexicon))
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return undefined
  const said = ` ${tokens.join(' ')} `
  if (lexicon.unread.some(phrase => said.includes(` ${phrase} `))) return undefined
  return understoodFrom(parse(tokens.length, leavesOf(tokens, lexicon, account, now), RULES, 'Meaning'))
}
