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
  const pattern = `(?:(?:last|most recently|latest|last time)(?: (?:time|did|have|has|we|i|they|that|had|been|were))* ${verb}|${verb} (?:(?:to|with|from|by|at|us|¤) )*(?:last(?! (?:week|month|quarter|year|\\d|two|three|few|couple|(?:mon|tues|wednes|thurs|fri|satur|sun)day))|most recently)|last (?:person|contact|one)(?: (?:that|who|whom|we|i|they|have|had|did))* ${verb}|last (?:conversation|interaction|contact|touch(?:point)?|time))(?: (?:to|with|from|out|by))*`
  const isSubject = new RegExp(`^ (?:who|which of us) (?:(?:last|most recently|has) )*${verb} `).test(
    reading.text,
  )
  const asks = says(reading, /who|whom|which (?:contact|person)/)
    ? isSubject
      ? 'colleague'
      : 'who'
    : says(reading, /when|what date|what day|how long ago/)
      ? 'when'
      : says(reading, /last (?:conversation|interaction|contact|touch(?:point)?)(?: (?:to|with))+/)
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
  for (const { records, values } of reading.mentions) {
    const colleague = values.find(({ field }) => field === 'assignee_id')
    if (colleague && !records) {
      const where = sql`r.assignee_id in (select u.id from users u where u.name = ${colleague.value})`
      conditions.push({ where, said: `by ${colleague.value}` })
      continue
    }
    const where = records && tiedTo(reading.ctx, 'activity', records.kind, sql`${records.ids}::uuid[]`)
    if (!where) return undefined
    conditions.push({ where, said: [...new Set(records.names)].join(', ') })
  }
  consumeNouns(reading, 'contact')
  if (leftOver(reading).length > 0) return undefined
  return { entity: 'activity', measure: { kind: 'last contact', asks }, conditions, shown: [] }
}
