/** Suggests the existing name that a client most likely meant. */
import { editDistance } from './edit-distance.ts'

/** Longer names are not compared: the work grows with the product of the lengths. */
const MAX_LENGTH = 64

/**
 * The candidate with the smallest edit distance, if that is at most a third of the name's length; else the only one
 * that has all words of the name: `password` is near `current_password`.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const plainName = plain(name)
  let best: string | undefined
  let fewest = Math.floor(plainName.length / 3) + 1
  for (const candidate of candidates) {
    const edits = editDistance(plainName, plain(candidate), fewest - 1)
    if (edits >= fewest) continue
    best = candidate
    fewest = edits
  }
  return best ?? withWords(name, candidates)
}

function withWords(name: string, candidates: readonly string[]): string | undefined {
  const words = wordsOf(name)
  const matches = candidates.filter(candidate => {
    const own = wordsOf(candidate)
    return words.length > 0 && words.every(word => own.includes(word))
  })
  return matches.length === 1 ? matches[0] : undefined
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word.length > 1)

/** `companySize`, `company-size` and `Company Size` all become `companysize`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
