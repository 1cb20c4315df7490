/** Questions that are two at once: what is compared with each other, and what share one thing is of another. */
import type { Ctx } from '../../../kernel/context.ts'
import { fold } from '../../search/words.ts'
import { type Field, isNumeric } from './fields/index.ts'
import { capitalsIn } from './grammar/common-words.ts'
import { mentionsIn } from './grammar/mentions.ts'
import { withCountries } from './grammar/places.ts'
import { tidy } from './grammar/question.ts'
import { asksForShare, shareIn } from './grammar/shares.ts'
import { compares, comparesSizes, saysWhat, sidesOf } from './grammar/sides.ts'
import { vocabularyOf } from './grammar/vocabulary.ts'
import type { Measure, Plan } from './plan.ts'

type Read = (question: string) => Promise<Plan | undefined>

export async function readsTwo(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  read: Read,
): Promise<Plan | undefined> {
  const text = tidy(withCountries(question))
  if (text.split(' ').length > 40) return undefined
  if (asksForShare(text)) return ofShare(text, spelling(question), read)
  if (!compares(text)) return undefined
  const vocabulary = await vocabularyOf(ctx)
  const { mentions } = await mentionsIn(ctx, question, vocabulary, types)
  const sides = sidesOf(text.trim().split(' '), mentions, spelling(question))
  if (!sides) return undefined
  const isCounted = saysWhat(text)
  const plans = [await read(sides[0].question), await read(sides[1].question)]
  const [one, other] = plans.map(
    plan =>
      plan &&
      (isCounted || plan.measure.kind !== 'list') &&
      withFigure(plan, comparesSizes(text), vocabulary.fields.deal),
  )
  if (!one || !other || one.entity !== other.entity || one.measure.kind !== other.measure.kind)
    return undefined
  if (sides[0].record === one.entity && one.measure.kind === 'count') return undefined
  const measure: Measure = {
    kind: 'compared',
    sides: [
      { label: sides[0].label, plan: one },
      { label: sides[1].label, plan: other },
    ],
  }
  return { entity: one.entity, measure, conditions: [], shown: [] }
}

/** Names keep the capital by which they are known as names. */
function spelling(question: string): (text: string) => string {
  const capitals = capitalsIn(withCountries(question), fold)
  return text =>
    text
      .trim()
      .split(' ')
      .map(word => (capitals.has(word) ? word[0]!.toUpperCase() + word.slice(1) : word))
      .join(' ')
}

/** A plan that comes to one figure; of deals that are compared by their size, what they are worth. */
function withFigure(plan: Plan, isSize: boolean, deal: readonly Field[]): Plan | undefined {
  if (plan.groupBy || (plan.order && !plan.order.isWhole)) return undefined
  const { kind } = plan.measure
  if (['sum', 'average', 'median', 'win rate'].includes(kind)) return plan
  const [field, more] = plan.measure.kind === 'field' ? plan.measure.fields : []
  if (field && !more && isNumeric(field)) return { ...plan, measure: { kind: 'sum', field } }
  if (kind !== 'list' && kind !== 'count' && kind !== 'any') return undefined
  const amount =
    isSize && kind !== 'count' && plan.entity === 'deal' && deal.find(({ key }) => key === 'amount')
  return { ...plan, measure: amount ? { kind: 'sum', field: amount } : { kind: 'count' } }
}

async function ofShare(
  text: string,
  spelled: (text: string) => string,
  read: Read,
): Promise<Plan | undefined> {
  const found = shareIn(text)
  if (!found) return undefined
  const [all, some] = [await read(spelled(found.whole)), await read(spelled(found.part))]
  const whole = all && withFigure(all, false, [])
  const part = some && withFigure(some, false, [])
  if (!whole || !part || whole.entity !== part.entity || whole.measure.kind !== part.measure.kind)
    return undefined
  if (whole.measure.kind !== 'sum' && whole.measure.kind !== 'count') return undefined
  // it is a part of the whole only if all that is said of the whole holds for it, and more
  const said = part.conditions.map(one => one.said)
  const isPart =
    whole.conditions.every(one => said.includes(one.said)) && said.length > whole.conditions.length
  if (!isPart) return undefined
  // how many of the deals were won is told of those that came to an end
  const more = said.filter(text => !whole.conditions.some(one => one.said === text))
  if (more.join() === 'won') return { ...whole, measure: { kind: 'win rate' } }
  return { entity: whole.entity, measure: { kind: 'share', part, whole }, conditions: [], shown: [] }
}
