/**
 * Whether a reading uses every word that has a role of its own: "won so far this quarter" read without its quarter was
 * a sum of all years, and sure.
 */
import type { Meaning } from '../meaning.ts'
import type { Mark } from './blocks.ts'
import type { Parts } from './parts.ts'

const IN_ORDER = /"order":|"kind":"(?:compare|win rate)"|"last":|"birthday_day"/
const BESIDE = /"kind":"(?:compare|win rate|share)"|"op":"(?:gt|lt)e?"/
const COMPARED = new RegExp(`${BESIDE.source}|"order":`)

/** What the query of a reading contains that uses the word. */
const USED_BY: Partial<Record<Mark, RegExp>> = {
  average: /"kind":"avg"/,
  median: /"kind":"median"/,
  share: /"kind":"(?:share|win rate)"/,
  most: IN_ORDER,
  least: IN_ORDER,
  next: IN_ORDER,
  last: IN_ORDER,
  // "the difference between the largest and the second largest" is neither of them
  difference: BESIDE,
  larger: COMPARED,
  // "where have we only lost deals" asks for places or companies, not for the owners of the deals
  where: /"(?:city|country|location)"|"entity":"company"/,
  colleagues: /"some":"contacts"/,
}

export function usesAll({ marks, buckets }: Parts, meaning: Meaning): boolean {
  const uses = [...marks].flatMap(mark => USED_BY[mark] ?? [])
  if (buckets.length > 0) uses.push(/"bucket":/)
  if (uses.length === 0) return true
  const text = JSON.stringify(meaning)
  return uses.every(use => use.test(text))
}
