/**
 * A question about the data → what to ask the database. A small grammar: kinds of record, their fields, values that
 * the account holds, times, amounts, and what is wanted of them. Every word must be understood; a question with
 * words left over is not about the data, and is answered from what the records say.
 */
import type { Ctx } from '../../../kernel/context.ts'
import type { Kind } from './fields/index.ts'
import { amountIn } from './grammar/amounts.ts'
import { applyAmount } from './grammar/comparisons.ts'
import { applySpan } from './grammar/dates.ts'
import { groupOf } from './grammar/groups.ts'
import { kindOf } from './grammar/kind.ts'
import { lastContact } from './grammar/last-contact.ts'
import { measureOf } from './grammar/measures.ts'
import { mentionsIn } from './grammar/mentions.ts'
import { having, missing } from './grammar/missing.ts'
import { applyMentions } from './grammar/named.ts'
import { consumeNouns } from './grammar/nouns.ts'
import { fieldsAsked, leftOver, type Reading, says, take } from './grammar/reading.ts'
import { states } from './grammar/states.ts'
import { superlative } from './grammar/superlatives.ts'
import { timeIn } from './grammar/times.ts'
import { vocabularyOf } from './grammar/vocabulary.ts'
import type { Measure, Plan } from './plan.ts'

/** "what percentage of our deals do we win" */
const PERCENTAGE =
  / (?:what |which )?percent(?:age)? of (?:our |the |all )*deals (?:(?:do|did|have|are|were|that|we) )*(?:win|won) /

export async function interpret(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  now = new Date(),
): Promise<Plan | undefined> {
  const vocabulary = await vocabularyOf(ctx)
  const { text: read, mentions } = await mentionsIn(ctx, question, vocabulary, types)
  const text = read.replace(PERCENTAGE, ' win rate ')
  if (text.split(' ').length > 60) return undefined
  const reading: Reading = {
    ctx,
    now,
    text,
    vocabulary,
    mentions,
    conditions: [],
    span: undefined,
    amount: undefined,
  }
  const past = says(
    reading,
    /did|was|were|won|lost|closed|created|added|completed|made|held|happened|sent|had|spoke|spoken|talked|met|contacted|haven t|hasn t|have not|has not|not been/,
  )
  const last = lastContact(reading)
  if (last) return types.includes('activity') ? last : undefined

  const time = timeIn(reading.text, now, past)
  if (time) {
    reading.span = time.span
    reading.text = time.rest
  }
  reading.amount = amountIn(reading.text)
  if (reading.amount) reading.text = reading.amount.rest
  const entity = kindOf(reading)
  if (!entity || !types.includes(entity)) return undefined
  const plan = build(reading, entity)
  return plan && leftOver(reading).length === 0 ? plan : undefined
}

function build(reading: Reading, entity: Kind): Plan | undefined {
  const fields = reading.vocabulary.fields[entity]
  const plan: Plan = { entity, measure: { kind: 'list' }, conditions: reading.conditions, shown: [] }
  groupOf(reading, plan, fields)
  superlative(reading, plan, fields)
  missing(reading, entity, fields)
  const own = applyMentions(reading, entity, fields)
  if (own === undefined) return undefined
  if (own === 0) having(reading, fields)
  states(reading, entity)
  // "is Acme a customer"
  const isIt = own > 0 && reading.conditions.length > 1 && /^ (?:is|are|was|were) ¤/.test(reading.text)
  const measure: Measure = isIt ? { kind: 'any' } : measureOf(reading, plan, fields)
  if (reading.amount) applyAmount(reading, entity, fields, reading.amount)
  if (reading.span) applySpan(reading, plan, fields, reading.span)
  plan.measure = measure
  const sized = fields.some(field => field.type === 'number' && says(reading, field.said))
  if (own > 0 && (measure.kind === 'list' || (measure.kind === 'count' && sized)) && !plan.order) {
    const asked = fieldsAsked(reading, fields)
    const where = says(reading, /where|based|located|live|lives/)
      ? fields.filter(field => ['city', 'country', 'location'].includes(field.key))
      : []
    const wanted = [...asked, ...where]
    if (wanted.length === 0) return undefined
    for (const field of wanted) take(reading, field.said)
    plan.measure = { kind: 'field', fields: [...new Set(wanted)].slice(0, 3) }
    take(reading, /why|when|where/)
  }
  consumeNouns(reading, entity)
  for (const field of fields) {
    // a field that is only asked to be shown: "list the deals with their amounts"
    if (
      plan.measure.kind === 'list' &&
      (says(reading, `(?:with |and |show |their |including )+(?:${field.said.source})`) ||
        says(reading, `(?:${field.said.source}) (?:of|for)`))
    ) {
      take(reading, field.said)
      plan.shown.push(field)
    }
  }
  if (
    reading.conditions.length === 0 &&
    plan.measure.kind === 'list' &&
    !plan.order &&
    !plan.groupBy &&
    !/ (?:which|what|list|show|who|all|give|find) /.test(reading.text)
  ) {
    return undefined
  }
  return plan
}
