/** Who was spoken to last, and when. */
import { sql } from 'kysely'
import { tiedTo } from '../fields/index.ts'
import type { Condition, Plan } from '../plan.ts'
import { consumeNouns } from './nouns.ts'
import { leftOver, type Reading, says, take } from './reading.ts'

/** "Who did I last talk to at Acme", "when did we last speak with Ann" */
export function lastContact(reading: Reading): Plan | undefined {
  const verb =
    '(?:talk(?:ed)?|sp(?:eak|oke|oken)|contact(?:ed)?|me(?:e)?t|call(?:ed)?|e-?mail(?:ed)?|hear(?:d)?|interact(?:ed)?|touch(?:ed)?|reach(?:ed)?|connect(?:ed)?|chat(?:ted)?|been in touch|in touch|in contact)'
  const pattern = `(?:(?:last|most recently|latest|last time)(?: (?:time|did|have|has|we|i|they|that|had|been|were))* ${verb}|${verb} (?:(?:to|with|from|by|at|us|¤) )*(?:last|most recently)|last (?:person|contact|one)(?: (?:that|who|whom|we|i|they|have|had|did))* ${verb}|last (?:conversation|interaction|contact|touchpoint|time))(?: (?:to|with|from|out|by))*`
  const asks = says(reading, /who|whom|which (?:contact|person)/)
    ? 'who'
    : says(reading, /when|what date|what day|how long ago/)
      ? 'when'
      : undefined
  if (!asks || !take(reading, pattern)) return undefined
  take(reading, verb)
  take(reading, /how long ago|what date|what day/)
  const conditions: Condition[] = [
    {
      where: sql`r.happened_at is not null and r.type in ('call', 'meeting', 'email')`,
      said: 'completed calls, meetings and emails',
    },
  ]
  for (const { records } of reading.mentions) {
    const where = records && tiedTo(reading.ctx, 'activity', records.kind, sql`${records.ids}::uuid[]`)
    if (!where) return undefined
    conditions.push({ where, said: [...new Set(records.names)].join(', ') })
  }
  consumeNouns(reading, 'contact')
  if (leftOver(reading).length > 0) return undefined
  return { entity: 'activity', measure: { kind: 'last contact', asks }, conditions, shown: [] }
}
