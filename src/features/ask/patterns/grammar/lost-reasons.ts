/** Deals by a word of why they were lost: "lost to a competitor", "lost on price". */
import { sql } from 'kysely'
import { fold } from '../../../search/words.ts'
import type { Kind } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
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

/** "lost on price": before the price is taken for the amount. */
export function applyLostOn(reading: Reading): void {
  const said = take(
    reading,
    /(?<= (?:lost|lose|losing) (?:\S+ ){0,4})(?:on|over|because of|due to|owing to|for) (?:(?:the|our|their|its|a|too|high) )*(?:pric(?:e|es|ing)|costs?|size|volume)/,
  )
  if (said === undefined) return
  const pattern = patternOf(said.split(' ').at(-1)!)
  const all = reasonsOf(reading).filter(reason => isAt(pattern, reason))
  // nothing was lost for it, as far as the words go
  if (all.length === 0) reading.text = `${reading.text}${said} `
  else reading.conditions.push(reasoned(all, said))
}

const reasonsOf = ({ vocabulary }: Reading): string[] =>
  [...vocabulary.values.values()]
    .flat()
    .filter(({ kind, field }) => kind === 'deal' && field === 'lost_reason')
    .map(({ value }) => value)

const reasoned = (reasons: readonly string[], words: string): Condition => ({
  where: sql`r.lost_reason = any(${[...new Set(reasons)]}::text[])`,
  said: `lost reason with ${words}`,
})

/** All words that are left are reasons for which deals were lost: then these deals are meant. */
export function applyLostReasons(reading: Reading, entity: Kind): void {
  if (entity !== 'deal' || !reading.conditions.some(({ said }) => said === 'lost')) return
  const before = reading.text
  while (take(reading, IDLE) !== undefined);
  const reasons = reasonsOf(reading)
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
  reading.conditions.push(reasoned(all, words.join(' ')))
}
