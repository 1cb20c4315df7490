/** Two figures beside each other, and what share one is of the other. */
import type { Ctx } from '../../../../kernel/context.ts'
import { type Answer, type Citation, refusal } from '../../prose/answer.ts'
import { type Field, TABLES } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { records } from './records.ts'
import { answer, number, shown } from './said.ts'
import { total } from './totals.ts'
import { winRate } from './win-rate.ts'

interface Figure {
  /** in words */
  said: string
  /** undefined where there is no single one */
  value: number | undefined
  count: number
  unit: { field: Pick<Field, 'type'>; currency: string | null }
  citations: Citation[]
}

type Values = { currency: string | null; value: number | null }[]

async function figureOf(ctx: Ctx, plan: Plan): Promise<Figure> {
  const { measure } = plan
  const { one, many } = TABLES[plan.entity]
  const counted = (count: number) => `${count} ${count === 1 ? one : many}`
  if (measure.kind === 'win rate') {
    const { answer: text, citations, data } = await winRate(ctx, plan)
    const { won, lost } = data as { won: number; lost: number }
    const value = won + lost === 0 ? undefined : (100 * won) / (won + lost)
    const said = text.replace(/^Win rate: |\.$/g, '')
    return { said, value, count: won + lost, unit: { field: { type: 'number' }, currency: null }, citations }
  }
  if ('field' in measure) {
    const { citations, data } = await total(ctx, plan, measure)
    const { values, count } = data as { values: Values; count: number }
    const valued = values.filter(({ value }) => value !== null)
    const texts = valued.map(({ value, currency }) => shown(measure.field, value, currency))
    const said = `${texts.join(' and ') || (measure.kind === 'sum' ? '0' : 'none')} (${counted(count)})`
    const [only] = valued
    const value = valued.length > 1 ? undefined : (only?.value ?? (measure.kind === 'sum' ? 0 : undefined))
    return { said, value, count, unit: { field: measure.field, currency: only?.currency ?? null }, citations }
  }
  const { citations, data } = await records(ctx, { ...plan, measure: { kind: 'count' } })
  const { count } = data as { count: number }
  return {
    said: counted(count),
    value: count,
    count,
    unit: { field: { type: 'number' }, currency: null },
    citations,
  }
}

const headOf = ({ entity, measure }: Plan, said: readonly string[]): string => {
  const label =
    measure.kind === 'win rate'
      ? 'Win rate'
      : 'field' in measure
        ? `${measure.kind === 'sum' ? 'Total' : measure.kind === 'average' ? 'Average' : 'Median'}${'weighted' in measure && measure.weighted ? ' weighted' : ''} ${measure.field.label}`
        : TABLES[entity].many
  const only = said.length === 0 ? '' : `(${said.join(', ')})`
  return `${[label, only].filter(part => part !== '').join(' ')}: `
}

const said = ({ conditions }: Plan): string[] => [
  ...new Set(conditions.map(one => one.said).filter(text => text !== '')),
]

export async function compared(ctx: Ctx, sides: readonly { label: string; plan: Plan }[]): Promise<Answer> {
  const [one, other] = sides as [(typeof sides)[number], (typeof sides)[number]]
  const [first, second] = [await figureOf(ctx, one.plan), await figureOf(ctx, other.plan)]
  const common = said(one.plan).filter(text => said(other.plan).includes(text))
  const texts = `${one.label}: ${first.said}; ${other.label}: ${second.said}`
  return answer(
    `${headOf(one.plan, common)}${texts}.${differenceOf(one, first, other, second)}`,
    indexed([...first.citations, ...second.citations]),
    {
      entity_type: one.plan.entity,
      measure: one.plan.measure.kind,
      compared: [
        { label: one.label, value: first.value ?? null, count: first.count },
        { label: other.label, value: second.value ?? null, count: second.count },
      ],
    },
  )
}

function differenceOf(
  one: { label: string },
  first: Figure,
  other: { label: string },
  second: Figure,
): string {
  if (first.value === undefined || second.value === undefined) return ''
  // what is in two currencies cannot be told apart
  const currencies = new Set([first, second].map(({ unit }) => unit.currency).filter(Boolean))
  if (currencies.size > 1) return ''
  if (first.value === second.value) return ' Both are level.'
  const higher = first.value > second.value ? one : other
  const [currency] = currencies
  const by = shown(first.unit.field, Math.abs(first.value - second.value), currency ?? null)
  return ` Larger: ${higher.label}, by ${by}.`
}

export async function share(ctx: Ctx, part: Plan, whole: Plan): Promise<Answer> {
  const [some, all] = [await figureOf(ctx, part), await figureOf(ctx, whole)]
  if (some.value === undefined || !all.value) return refusal('data')
  const { many } = TABLES[whole.entity]
  const counts = `${some.count} of ${all.count} ${many}`
  const isCount = !('field' in whole.measure)
  const figures = isCount
    ? counts
    : `${some.said.replace(/ \(.*$/, '')} of ${all.said.replace(/ \(.*$/, '')}, ${counts}`
  const only = said(part)
  const text = `${number((100 * some.value) / all.value)}%: ${figures}${only.length === 0 ? '' : ` (${only.join(', ')})`}.`
  return answer(text, indexed(some.citations), {
    entity_type: whole.entity,
    measure: 'share',
    part: some.value,
    whole: all.value,
    count: some.count,
  })
}

const indexed = (citations: readonly Citation[]): Citation[] =>
  citations.slice(0, 50).map((citation, i) => ({ ...citation, index: i + 1 }))
