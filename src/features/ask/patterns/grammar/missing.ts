/** What records have and do not have. */
import { sql } from 'kysely'
import { rows } from '../../../../kernel/statements.ts'
import { countOf, type Field, type Kind } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import { NOUNS, narrowed, narrowedName } from './nouns.ts'
import { bounded, type Reading, take } from './reading.ts'

const LACKS =
  '(?:without|with no|missing|lacking|lacks?|have no|has no|having no|with out|no|not have|do not have|don t have|doesn t have|does not have|not got|haven t got|hasn t got|not yet have)(?: an?| any| the| a| their)?'
const SET =
  '(?: (?:set|recorded|entered|specified|defined|listed|given|assigned|stored|known|attached|linked|filled in))?'
const IS_EMPTY = '(?:is|are) (?:missing|empty|blank|unknown|not set|not known|unset|not filled in)'

/** "without an email", "with no deals", "that have no owner", "not tagged" */
export function missing(reading: Reading, entity: Kind, fields: readonly Field[]): void {
  const wants: { length: number; read: () => void }[] = []
  const want = (pattern: string, condition: (said: string) => Condition): void => {
    const match = bounded(pattern).exec(reading.text)
    if (!match) return
    const read = () => {
      const said = take(reading, pattern)
      if (said !== undefined) reading.conditions.push(condition(said))
    }
    wants.push({ length: match[0].length, read })
  }
  for (const [kind, pattern] of NOUNS) {
    // "no activity in the last month" is about the time of the last one
    if (kind === entity || (kind === 'activity' && reading.span)) continue
    if (!countOf(reading.ctx, entity, kind)) continue
    const states = kind === 'deal' ? '(?:(?:open|active|won|lost) )?' : ''
    want(`${LACKS} ${states}(?:${pattern.source})${SET}`, said => untied(reading, entity, kind, said))
  }
  for (const field of fields) {
    if (reading.span && field.key.startsWith('last_')) continue
    const without = {
      where: sql`nullif(${field.value(reading.ctx)}::text, '') is null`,
      said: `without ${field.label}`,
    }
    want(`${LACKS} (?:${field.said.source})${SET}`, () => without)
    want(`(?:whose|where|with)(?: the| their| its| an?)? (?:${field.said.source}) ${IS_EMPTY}`, () => without)
  }
  if (entity !== 'note') {
    const tags = sql`not exists (select from ${rows(reading.ctx, 'taggings')} g where g.entity_id = r.id)`
    want(`untagged|not tagged(?! (?:(?:as|with) )?¤)|${LACKS} tags?`, () => ({
      where: tags,
      said: 'without tags',
    }))
  }
  // the contact person is more than a contact
  for (const { read } of wants.sort((a, b) => b.length - a.length)) read()
}

/** None of another kind hangs on it. */
function untied(reading: Reading, entity: Kind, kind: Kind, said: string): Condition {
  const narrow = narrowed(kind, said)
  const count = countOf(reading.ctx, entity, kind, narrow)
  return {
    where: count ? sql`${count} = 0` : sql`false`,
    said: `without ${narrowedName(kind, narrow)}`,
  }
}

/** "have a phone number", "with an owner", "with notes" */
export function having(reading: Reading, entity: Kind, fields: readonly Field[]): void {
  // "a birthday this month", "a value over 100" say more than that there is one
  if (reading.span || reading.amount) return
  const HAS = '(?:that have|who have|have|has|having|with)'
  for (const [kind, pattern] of NOUNS) {
    if (kind === entity || !countOf(reading.ctx, entity, kind)) continue
    const said = take(reading, `${HAS} (?:an? |any |some )?(?:${pattern.source})(?= (?:$|and |but ))`)
    if (said === undefined) continue
    const narrow = narrowed(kind, said)
    reading.conditions.push({
      where: sql`${countOf(reading.ctx, entity, kind, narrow)!} > 0`,
      said: `with ${narrowedName(kind, narrow)}`,
    })
  }
  for (const field of fields) {
    if (!take(reading, `${HAS} (?:an?|any) (?:${field.said.source})`)) continue
    reading.conditions.push({
      where: sql`nullif(${field.value(reading.ctx)}::text, '') is not null`,
      said: `with ${field.label}`,
    })
  }
}
