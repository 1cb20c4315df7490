/** Comparisons with a number → conditions on the field, or on the number of records, that they speak of. */
import { sql } from 'kysely'
import { countOf, type Field, isNumeric, type Kind } from '../fields/index.ts'
import type { AmountFound } from './amounts.ts'
import { NOUNS, narrowed, narrowedName } from './nouns.ts'
import { bounded, type Reading, says, take } from './reading.ts'

export function applyAmount(
  reading: Reading,
  entity: Kind,
  fields: readonly Field[],
  amount: AmountFound,
): void {
  const after = amount.after.trim().split(' ').slice(0, 3).join(' ')
  const state = /^(?:open|won|lost) /.exec(after)?.[0] ?? ''
  const related = NOUNS.find(
    ([kind, pattern]) =>
      kind !== entity &&
      new RegExp(`^(?:${pattern.source})\\b`).test(kind === 'deal' ? after.slice(state.length) : after) &&
      // a company of a hundred people has employees, whoever of them we know
      !(entity === 'company' && /^(?:people|persons?|individuals?|folks)\b/.test(after)),
  )
  const narrow = related && narrowed(related[0], after)
  const counted = related && !amount.currency ? countOf(reading.ctx, entity, related[0], narrow) : undefined
  const numeric = fields.filter(isNumeric)
  const near = (field: Field) =>
    bounded(field.said).test(` ${amount.before.trim().split(' ').slice(-4).join(' ')} `) ||
    bounded(field.said).test(` ${after} `)
  const field =
    numeric.find(near) ??
    numeric.find(one => says(reading, one.said)) ??
    numeric.find(one => one.type === 'money') ??
    numeric[0]
  if (!counted && !field) return
  const value = counted ?? field!.value(reading.ctx)
  if (counted && state !== '') take(reading, state.trim())
  if (counted) take(reading, related![1])
  else take(reading, field!.said)
  // "small companies under 50 staff"
  if (!counted && amount.comparisons.length === 1)
    take(
      reading,
      amount.comparisons[0]!.op.startsWith('<') ? /small(?:er)?|tiny|little/ : /large|big(?:ger)?|larger/,
    )
  for (const { op, value: bound } of amount.comparisons) {
    reading.conditions.push({
      where: sql`${value} ${sql.raw(op)} ${bound}`,
      said: `${counted ? narrowedName(related![0], narrow) : field!.label} ${op} ${bound}`,
    })
  }
  if (amount.currency && entity === 'deal')
    reading.conditions.push({ where: sql`r.currency = ${amount.currency}`, said: amount.currency })
}
