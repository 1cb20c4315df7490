/** Values by one word of them: "people in procurement", "deals lost to a competitor". */
import { fold } from '../../search/words.ts'
import type { KnownValue } from '../account/account-words.ts'
import { valueKey } from '../account/value-key.ts'
import type { Lexicon } from '../lexicon/types.ts'

const MIN_WORD = 4

/** Job titles and departments that contain the word, or that an abbreviation stands for. */
export function titlesWith(
  word: string,
  values: readonly KnownValue[],
  abbreviations: Readonly<Record<string, readonly string[]>>,
): KnownValue[] {
  const key = valueKey(word)
  const long = Object.hasOwn(abbreviations, key) ? (abbreviations[key] ?? []) : []
  if (key.length < MIN_WORD && long.length === 0) return []
  return values.filter(({ kind, field, value }) => {
    if (kind !== 'contact' || (field !== 'job_title' && field !== 'department')) return false
    const title = valueKey(value)
    return title.split(' ').includes(key) || long.includes(title)
  })
}

/** "chefs" are people, as in "Head Chef" and "Chef de Cuisine"; "crews" are none, although there is a crew manager. */
export function isHead(word: string, title: string): boolean {
  const words = valueKey(title).split(' ')
  const end = words.findIndex((one, i) => i > 0 && /^(?:of|de|for|and)$/.test(one))
  return words.at(end < 0 ? -1 : end - 1) === valueKey(word)
}

/** "renewals" are deals such as "Acme renewal 2027"; a deal "Game server test" is no server. */
export const isLast = (word: string, name: string): boolean =>
  valueKey(name)
    .replace(/[ \d]+$/, '')
    .split(' ')
    .at(-1) === valueKey(word)

const ENDINGS = /(?:itors?|itions?|itive|iness|ing|ed|es|s|e)$/

/** Reasons for which deals were lost that contain the word, or one that means the same. */
export function reasonsWith(
  word: string,
  values: readonly KnownValue[],
  alike: readonly (readonly string[])[],
): string[] {
  const stem = word.replace(ENDINGS, '')
  const start = stem.length >= MIN_WORD ? stem : word
  const starts = alike.find(list => list.some(one => start.startsWith(one))) ?? [start]
  const reasons = values.filter(({ field }) => field === 'lost_reason').map(({ value }) => value)
  return [...new Set(reasons)].filter(reason =>
    fold(reason)
      .split(/[^\p{L}\p{N}]+/u)
      .some(part => starts.some(one => (one.length < MIN_WORD ? part === one : part.startsWith(one)))),
  )
}

/** "because the customer kept it in-house": the reasons that most of its words name, if it says nothing else. */
export function reasonsIn(
  words: readonly string[],
  values: readonly KnownValue[],
  { reasons, words: { CauseWord = [] } }: Lexicon,
): string[] {
  const named = words
    .filter(word => !CauseWord.includes(word))
    .flatMap(word => word.split('-'))
    .map(word => reasonsWith(word, values, reasons))
  if (named.some(list => list.length === 0)) return []
  const all = [...new Set(named.flat())]
  const countOf = (reason: string) => named.filter(list => list.includes(reason)).length
  const most = Math.max(...all.map(countOf))
  return all.filter(reason => countOf(reason) === most)
}
