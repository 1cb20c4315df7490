/** Values by one word of them: "people in procurement", "deals lost to a competitor". */
import { fold } from '../../search/words.ts'
import type { KnownValue } from '../account/account-words.ts'
import { valueKey } from '../account/value-key.ts'

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

const ENDINGS = /(?:itors?|itions?|itive|iness|ing|ed|es|s|e)$/

/** Reasons for which deals were lost that contain the word, or one that means the same. */
export function reasonsWith(
  word: string,
  values: readonly KnownValue[],
  alike: readonly (readonly string[])[],
): string[] {
  const stem = word.replace(ENDINGS, '')
  const start = stem.length >= MIN_WORD ? stem : word
  if (start.length < MIN_WORD) return []
  const starts = alike.find(list => list.some(one => start.startsWith(one))) ?? [start]
  const reasons = values.filter(({ field }) => field === 'lost_reason').map(({ value }) => value)
  return [...new Set(reasons)].filter(reason =>
    fold(reason)
      .split(/[^\p{L}\p{N}]+/u)
      .some(part => starts.some(one => part.startsWith(one))),
  )
}
