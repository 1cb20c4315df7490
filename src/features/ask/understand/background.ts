/**
 * What people say before or after a question to tell why they ask: "I have Ada on the line. What is still open at
 * Acme?" Only the sentence that asks is read. What is said of records stays, since it belongs to the question: "our
 * French customers: how many are there", and so does what the sentence that asks leans on ("who are they?").
 */
import type { AccountWords } from '../account/account-words.ts'
import { lexiconOf } from '../lexicon/index.ts'
import { leavesOf } from './leaves.ts'
import { tokensOf } from './tokens.ts'

/** What is said of records. */
const SAYING = new Set([
  'Noun',
  'Value',
  'Field',
  'State',
  'Number',
  'Time',
  'Superlative',
  'More',
  'Less',
  'Not',
])
/** "St. Verena" and "Dr. Haller" are no ends of sentences. */
const PARTS =
  /(?<=[.!?;:])(?<!(?<!\p{L})(?:\p{L}|st|dr|mrs?|ms|prof|no|nr|co|inc|ltd|corp|jr|sr|vs|ca|approx|e\.g|i\.e)\.)\s+|\s[-–—]\s|,\s+so\s+(?=(?:tell|show|which|who|whom|what|how|when|where|do|does|did|is|are|has|have)\b)/iu
/** The question is about this occasion's time at most, not about its records. */
const OCCASION =
  /\b(?:for|before|ahead of|after|prepar(?:e|ing)(?: for)?) (?:(?:the|my|our|a|an|next|today['’]s|tomorrow['’]s|this) )*(?:\p{L}+ )?(?:meeting|call|visit|report|forecast|review|interview|trip|fair|calendar|i (?:write|call|phone|drive|leave|load|go)\b[^,:.]*)/giu
/** It changes what is asked. */
const CHANGES =
  /\b(?:only|just|if|unless|except|without|not|no|never|but|leaving|excluding|including|ignoring|apart|besides|mean|namely|both|all|every|each)\b|n['’]t\b/i
/** It stands for what was said before. */
const LEANS =
  /\b(?:such|same|ones?)\b|\b(?:of|in|at|on|for|from|with|to|by|is|are|was|were|does|do|did) (?:that|those|these|this)(?! (?:year|month|week|quarter|morning))\b|(?<!\b(?:is|are|was|were|be|been) )\bthere\b/i
/** It does so unless the records that it stands for are named before it: "which people signed their NDA". */
const PERSONAL = /^(?:they|them|theirs?|it|its|he|him|his|she|hers?)$/
const TELLER = /^(?:i|we|my|our|somebody|someone|he|she|before|while|as)\b/i
/** A statement about somebody else: "A shop in Norway wants a quote". Its place is not that of the records. */
const OTHERS =
  /^(?:a|an|the|our|my|somebody|someone) [^,]*\b(?:wants?|needs?|has|have|asks|asked|is asking|are asking|called|wrote|says|said|claims)\b/i
/** Alone they are the caller's records: "mine". */
const SELVES = /^(?:i|m|we|re|ve|my|our|me|us)$/
const [MIN_ASKED, MAX_TOLD, MAX_TO_NOUN] = [4, 25, 6]

/** The part of a question that asks; all of it where the rest may belong to it. */
export function askedIn(question: string, account: AccountWords, now: Date): string {
  const parts = question
    .trim()
    .split(PARTS)
    .map(part => part.trim())
    .filter(part => part !== '')
  const marked = parts.filter(part => part.endsWith('?'))
  const asking = marked.length === 1 ? marked[0] : parts.at(-1)
  if (parts.length < 2 || marked.length > 1 || asking === undefined) return question
  const asked = tokensOf(asking)
  if (asked.length < MIN_ASKED || LEANS.test(asking)) return question
  const noun = Math.min(
    ...saidIn(asked, account, now)
      .filter(({ category }) => category === 'Noun' || category === 'Value')
      .map(({ from }) => from),
  )
  if (asked.slice(0, Number.isFinite(noun) ? noun : undefined).some(word => PERSONAL.test(word)))
    return question
  // who asks about a record that is named asks about nothing else
  const isNamed = asked.some((_, from) =>
    asked.some((_, to) => account.records(asked.slice(from, to + 1).join(' '))?.ids.length === 1),
  )
  const isTold = (part: string) => {
    const told = tokensOf(part.replace(OCCASION, '')).filter(word => !SELVES.test(word))
    if (told.length > MAX_TOLD || CHANGES.test(part)) return false
    if (isNamed && TELLER.test(part)) return true
    return saidIn(told, account, now).every(
      ({ category, meaning }) =>
        (category === 'Value' && OTHERS.test(part)) ||
        // "our forecast" names no other records than the part that asks, "our customers" would
        (category === 'Noun' &&
          noun < MAX_TO_NOUN &&
          TELLER.test(part) &&
          !/"where":\[\{/.test(JSON.stringify(meaning))),
    )
  }
  return parts.every(part => part === asking || isTold(part)) ? asking : question
}

const saidIn = (tokens: readonly string[], account: AccountWords, now: Date) =>
  leavesOf(tokens, lexiconOf(tokens), account, now).filter(({ category }) => SAYING.has(category))
