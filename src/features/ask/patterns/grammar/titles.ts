/** People by a word of what they do: "who works in procurement", "the directors at Acme". */

import { sql } from 'kysely'
import { lookup } from '../../../../kernel/lookup.ts'
import { fold } from '../../../search/words.ts'
import type { Kind } from '../fields/index.ts'
import { leftOver, type Reading, take } from './reading.ts'
import { valueKey } from './value-key.ts'

/** What heads are called beside their letters. */
const HEADS = lookup<RegExp>({
  ceo: /^(?:chief executive(?: officer)?|managing director|geschaftsfuhrer|pdg)$/,
  cfo: /^(?:chief financ(?:e|ial) officer|finance director|financial director)$/,
  cto: /^(?:chief (?:technology|technical) officer|technical director)$/,
  coo: /^(?:chief operati(?:ng|ons) officer|operations director)$/,
  cmo: /^(?:chief marketing officer|marketing director)$/,
  cio: /^(?:chief information officer|it director)$/,
})

/** The titles that hold a word which nothing else was made of. */
function titlesWith(word: string, { vocabulary }: Reading): string[] {
  const key = valueKey(word)
  if (key.length < 3) return []
  const head = HEADS[key]
  return [...vocabulary.values.values()].flatMap(list =>
    list
      .filter(
        known =>
          known.kind === 'contact' &&
          ['job_title', 'department'].includes(known.field) &&
          (valueKey(known.value).split(' ').includes(key) || head?.test(valueKey(known.value))),
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
  const words = leftOver(reading)
  // "CFOs and finance people" are the ones and the others, "the quality managers" are both
  const isEither = / (?:or|and) /.test(reading.text)
  for (const some of isEither ? [words] : words.map(word => [word])) {
    const titles = [...new Set(some.flatMap(word => titlesWith(word, reading)))]
    for (const word of some) take(reading, word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    reading.conditions.push({
      where: sql`(r.job_title = any(${titles}::text[]) or r.department = any(${titles}::text[]))`,
      said: `job title with ${some.map(fold).join(' or ')}`,
    })
  }
}
