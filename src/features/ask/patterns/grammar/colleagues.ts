/** Members of the account, whom a first name is enough for: "owned by Ann", "Ann's deals". */
import { mayName } from './common-words.ts'
import type { Mention } from './mentions.ts'
import { around, GRAMMAR } from './question.ts'
import type { Known, Vocabulary } from './vocabulary.ts'

export const PEOPLE = ['owner_id', 'assignee_id', 'user_id']

export const isColleague = ({ values, records }: Mention): boolean =>
  !records && values.length > 0 && values.every(known => PEOPLE.includes(known.field))

/** What a colleague has and a customer does not: "Ann's open pipeline". */
const OWN =
  /^(?:(?:total|whole|entire|open|won|lost|closed|overdue|late|urgent|average|weighted|current|upcoming|next|biggest|largest|top|own) )*(?:own|owns|owning|pipeline|funnel|forecast|quota|deals?|opps?|opportunit(?:y|ies)|tasks?|to-?dos?|win rate|close rate|calendar|agenda)(?: |$)/

/**
 * `sure`: only where the sentence speaks of a colleague, whoever else is called so; else wherever the name stands,
 * for it is asked last, when no customer was found by it.
 */
export function addColleagues(
  words: readonly string[],
  taken: (Mention | undefined)[],
  mentions: Mention[],
  vocabulary: Vocabulary,
  capitals: ReadonlySet<string>,
  sure: boolean,
): void {
  for (const [at, word] of words.entries()) {
    if (taken[at] || GRAMMAR.has(word) || word.length < 2 || !mayName(word, capitals)) continue
    const place = around(words, at, at + 1)
    const owns = OWN.test(words.slice(at + 1, at + 6).join(' '))
    if (sure && !place.owning && !owns) continue
    // "Theos deals": many leave the apostrophe out
    const called = membersCalled(word, vocabulary)
    const known =
      called.length === 0 && owns && word.endsWith('s')
        ? membersCalled(word.slice(0, -1), vocabulary)
        : called
    if (known.length === 0) continue
    const mention: Mention = { said: word, values: known, records: undefined, ...place, owning: true }
    mentions.push(mention)
    taken[at] = mention
  }
}

/** The one member who has this first or last name; nobody when two have it. */
function membersCalled(word: string, { values }: Vocabulary): Known[] {
  const known = [...values]
    .filter(([name]) => name === word || name.startsWith(`${word} `) || name.endsWith(` ${word}`))
    .flatMap(([, list]) => list)
    .filter(({ field }) => PEOPLE.includes(field))
  return new Set(known.map(one => one.value)).size === 1 ? known : []
}
