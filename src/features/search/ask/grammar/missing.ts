/** What records do not have. */
import { sql } from 'kysely'
import { countOf, type Field, type Kind, TABLES } from '../fields/index.ts'
import { NOUNS } from './nouns.ts'
import { type Reading, take } from './reading.ts'

/** "without an email", "with no deals", "that have no owner" */
export function missing(reading: Reading, entity: Kind, fields: readonly Field[]): void {
  const lead =
    '(?:without|with no|missing|lacking|lacks?|have no|has no|having no|with out|no|not have|do not have|don t have|doesn t have|not got)(?: an?| any| the| a)?'
  for (const [kind, pattern] of NOUNS) {
    // "no activity in the last month" is about the time of the last one
    if (kind === 'activity' && reading.span) continue
    const count = kind === entity ? undefined : countOf(reading.ctx, entity, kind)
    if (count && take(reading, `${lead} (?:${pattern.source})`))
      reading.conditions.push({ where: sql`${count} = 0`, said: `without ${TABLES[kind].many}` })
  }
  for (const field of fields) {
    if (reading.span && field.key.startsWith('last_')) continue
    if (!take(reading, `${lead} (?:${field.said.source})`)) continue
    reading.conditions.push({
      where: sql`nullif(${field.value(reading.ctx)}::text, '') is null`,
      said: `without ${field.label}`,
    })
  }
}

/** "have a phone number", "with an owner" */
export function having(reading: Reading, fields: readonly Field[]): void {
  // "a birthday this month", "a value over 100" say more than that there is one
  if (reading.span || reading.amount) return
  for (const field of fields) {
    if (!take(reading, `(?:have|has|having|with) (?:an?|any) (?:${field.said.source})`)) continue
    reading.conditions.push({
      where: sql`nullif(${field.value(reading.ctx)}::text, '') is not null`,
      said: `with ${field.label}`,
    })
  }
}
