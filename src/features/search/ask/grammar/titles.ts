/** People by a word of what they do: "who works in procurement", "the directors at Acme". */
import { sql } from 'kysely'
import { fold } from '../../words.ts'
import type { Kind } from '../fields/index.ts'
import { leftOver, type Reading, take } from './reading.ts'
import { valueKey } from './value-key.ts'

/** The titles that hold a word which nothing else was made of. */
function titlesWith(word: string, { vocabulary }: Reading): string[] {
  const key = valueKey(word)
  if (key.length < 3) return []
  return [...vocabulary.values.values()].flatMap(list =>
    list
      .filter(
        known =>
          known.kind === 'contact' &&
          ['job_title', 'department'].includes(known.field) &&
          valueKey(known.value).split(' ').includes(key),
      )
      .map(known => known.value),
  )
}

/** Whether all that is left to understand is what people do. */
export const asksForTitle = (reading: Reading): boolean => {
  const left = leftOver(reading)
  return left.length > 0 && left.every(word => titlesWith(word, reading).length > 0)
}

export function applyTitles(reading: Reading, entity: Kind): void {
  if (entity !== 'contact' || !asksForTitle(reading)) return
  for (const word of leftOver(reading)) {
    const titles = [...new Set(titlesWith(word, reading))]
    take(reading, word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    reading.conditions.push({
      where: sql`(r.job_title = any(${titles}::text[]) or r.department = any(${titles}::text[]))`,
      said: `job title with ${fold(word)}`,
    })
  }
}
