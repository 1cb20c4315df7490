/** Deals by a word of why they were lost: "lost to a competitor", "lost on price". */
import { sql } from 'kysely'
import { fold } from '../../words.ts'
import type { Kind } from '../fields/index.ts'
import { leftOver, type Reading, take } from './reading.ts'

/** The same reason in other words. */
const ALIKE = ['competit|rival', 'pric|expens|cost|cheap', 'budget|fund']
const ENDINGS = /(?:itors?|itions?|itive|iness|ing|ed|es|s|e)$/
const SHORTEST = 4
/** They turn the reason into its opposite, or say nothing of it. */
const NEGATIONS = new Set('no not never without other than except'.split(' '))
const IDLE = /lack|lack of|insufficient|missing|because(?: of)?|due|owing|thanks|reasons?|grounds|account/

const patternOf = (word: string): string => {
  const stem = word.replace(ENDINGS, '')
  const start = stem.length >= SHORTEST ? stem : word
  return ALIKE.find(list => list.split('|').some(one => start.startsWith(one) || one === start)) ?? start
}

const isAt = (pattern: string, reason: string): boolean =>
  new RegExp(`(?:^|[^\\p{L}])(?:${pattern})`, 'u').test(fold(reason))

/** All words that are left are reasons for which deals were lost: then these deals are meant. */
export function applyLostReasons(reading: Reading, entity: Kind): void {
  if (entity !== 'deal' || !reading.conditions.some(({ said }) => said === 'lost')) return
  const before = reading.text
  while (take(reading, IDLE) !== undefined);
  const reasons = [...reading.vocabulary.values.values()]
    .flat()
    .filter(({ kind, field }) => kind === 'deal' && field === 'lost_reason')
    .map(({ value }) => value)
  const words = leftOver(reading)
  const found = words.map(word => {
    const pattern = patternOf(word.replace(/[^\p{L}\p{N}]/gu, ''))
    return NEGATIONS.has(word) || pattern.length < 3 ? [] : reasons.filter(reason => isAt(pattern, reason))
  })
  if (words.length === 0 || found.some(list => list.length === 0)) {
    reading.text = before
    return
  }
  const all = found[0]!.filter(reason => found.every(list => list.includes(reason)))
  for (const word of words) take(reading, word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  reading.conditions.push({
    where: sql`r.lost_reason = any(${[...new Set(all)]}::text[])`,
    said: `lost reason with ${words.join(' ')}`,
  })
}
