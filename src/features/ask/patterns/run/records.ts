/** Lists, counts, single fields, yes or no. */
import { sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { rows } from '../../../../kernel/statements.ts'
import { type Answer, refusal } from '../../prose/answer.ts'
import type { Field } from '../fields/index.ts'
import { PEOPLE } from '../grammar/colleagues.ts'
import type { Plan } from '../plan.ts'
import { answer, cite, described, details, MAX_NAMED, named } from './said.ts'
import { found, type Row } from './select.ts'

/** What a list shows beside the names. */
function shownFields(ctx: Ctx, plan: Plan): Field[] {
  const basic: Partial<Record<Plan['entity'], Field[]>> = {
    deal: [
      { key: 'amount', label: '', said: /¤/, type: 'money', value: () => sql`r.amount` },
      {
        key: 'stage',
        label: 'stage',
        said: /¤/,
        type: 'text',
        value: () => sql`(select s.name from ${rows(ctx, 'stages')} s where s.id = r.stage_id)`,
      },
    ],
    activity: [
      { key: 'type', label: '', said: /¤/, type: 'text', value: () => sql`r.type` },
      { key: 'falls_due_at', label: 'due', said: /¤/, type: 'time', value: () => sql`r.falls_due_at` },
    ],
  }
  const wanted = [...(plan.shown ?? []), ...(basic[plan.entity] ?? [])]
  return wanted.filter((field, i) => wanted.findIndex(one => one.key === field.key) === i).slice(0, 5)
}

export async function records(ctx: Ctx, plan: Plan): Promise<Answer> {
  const { measure } = plan
  const fields = measure.kind === 'field' ? measure.fields : shownFields(ctx, plan)
  const { rows: list, count } = await found(ctx, plan, fields)
  const citations = cite(plan, list, fields)
  const data = { entity_type: plan.entity, count, items: list.map((row, i) => itemOf(row, fields, i)) }
  if (measure.kind === 'field') {
    const filled = list.filter(row => fields.some((_, i) => row[`f${i}`] !== null && row[`f${i}`] !== ''))
    // The record is there and does not say: that is no answer. Nobody may own it, though.
    const isNobodys = list.length > 0 && fields.every(({ key }) => PEOPLE.includes(key))
    if (filled.length === 0 && !isNobodys) return { ...refusal('data'), citations }
    const texts = list
      .slice(0, MAX_NAMED)
      .map(
        (row, i) => `${row.name}: ${details(fields, row) || (isNobodys ? 'nobody' : 'not known')} [${i + 1}]`,
      )
    return answer(`${texts.join('; ')}.`, citations, data)
  }
  // Nobody is known to be it: that does not make it nobody.
  if (count === 0 && plan.isUnknown) return refusal('data')
  if (measure.kind === 'any') {
    const text =
      count === 0 ? `No: ${described(plan, 0)}.` : `Yes, ${described(plan, count)}: ${named(list, fields)}.`
    return answer(text, citations, data)
  }
  if (plan.order && !plan.order.isWhole) {
    const first = list[0]
    if (!first) return answer(`${described(plan, 0)}.`, [], data)
    return answer(`${named(list, fields, plan.order)}.`, citations, data)
  }
  return answer(
    `${described(plan, count)}${count === 0 ? '' : `: ${named(list, fields, plan.order)}`}.`,
    citations,
    data,
  )
}

const itemOf = (row: Row, fields: readonly Field[], i: number) => ({
  index: i + 1,
  id: row.id,
  name: row.name,
  ...Object.fromEntries(fields.map((field, at) => [field.key, row[`f${at}`] ?? null])),
})
