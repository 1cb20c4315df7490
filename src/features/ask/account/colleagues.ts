/** Members of the account, whom a first name is enough for: "owned by Ann", "Ann's deals". */
import type { KnownValue } from './account-words.ts'
import type { Vocabulary } from './vocabulary.ts'

const PEOPLE = ['owner_id', 'assignee_id', 'author_id']

/** What a colleague has and a customer does not: "Ann's open pipeline". */
const OWN =
  /^(?:(?:total|whole|entire|open|won|lost|closed|overdue|late|urgent|average|weighted|current|upcoming|next|biggest|largest|top|own) )*(?:own|owns|owning|pipeline|funnel|forecast|quota|deals?|opps?|opportunit(?:y|ies)|tasks?|to-?dos?|win rate|close rate|calendar|agenda)(?: |$)/
const OWNED_BY =
  /\b(?:owned|owner|managed|handled|led|run|assigned|assignee|rep|belongs?|belonging|won|lost|closed|signed|held|completed)(?: (?:by|to|is))+$/

/**
 * `isSure`: only where the sentence speaks of a colleague, whoever else is called so; else wherever the name stands,
 * for it is asked last, when no customer was found by it.
 */
export function colleagueAt(
  words: readonly string[],
  at: number,
  vocabulary: Vocabulary,
  isSure: boolean,
): KnownValue[] {
  const word = words[at] ?? ''
  const owns = OWN.test(words.slice(at + 1, at + 6).join(' '))
  const isOwner = OWNED_BY.test(words.slice(Math.max(0, at - 4), at).join(' '))
  if (word.length < 2 || (isSure && !isOwner && !owns)) return []
  const called = membersCalled(word, vocabulary)
  // "Theos deals": many leave the apostrophe out
  return called.length === 0 && owns && word.endsWith('s')
    ? membersCalled(word.slice(0, -1), vocabulary)
    : called
}

/** The one member who has this first or last name; nobody when two have it. */
function membersCalled(word: string, { values }: Vocabulary): KnownValue[] {
  const known = [...values]
    .filter(([name]) => name === word || name.startsWith(`${word} `) || name.endsWith(` ${word}`))
    .flatMap(([, list]) => list.filter(({ field }) => PEOPLE.includes(field)))
  return new Set(known.map(one => one.value)).size === 1 ? known : []
}
