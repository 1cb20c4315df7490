/** The same figure of two sides, and what share one set is of another. */
import { conditionText, counted, described, type Wording } from '../../records/query/describe.ts'
import type { Figure, Result } from '../../records/query/result.ts'
import type { Condition, Query } from '../../records/query/spec.ts'
import type { Answer } from '../prose/answer.ts'
import type { Meaning } from '../understand/meaning.ts'
import { behind, labelled } from './figures.ts'
import { type Answering, figureText, grounded, number } from './format.ts'

/** A value says itself what it is. */
function sideText(where: Condition, wording: Wording): string {
  const isValue = 'field' in where && where.op === 'eq' && typeof where.value === 'string'
  const isOwn = 'field' in where && /_id$|^id$/.test(where.field)
  return isValue && !isOwn ? String(where.value) : conditionText(where, wording)
}

/** The figure, where it is one: sums in two currencies are not compared. */
const onlyFigure = ({ figures = [] }: Result): Figure | undefined =>
  figures.length === 1 ? figures[0] : undefined

export async function compareAnswer(
  answering: Answering,
  { query, sides, isYesNo, isLess }: Extract<Meaning, { kind: 'compare' }>,
): Promise<Answer> {
  const { run, say } = answering
  const totals = query.measure && 'field' in query.measure ? query.measure : undefined
  const compared = await Promise.all(
    sides.map(async side => ({
      label: sideText(side.is, answering),
      query: side.query,
      result: await run(side.query),
    })),
  )
  const texts = compared.map(({ label, result }) => {
    const count = counted(query.entity, result.total, answering)
    if (!totals) return `${label}: ${count}`
    const figures = (result.figures ?? []).map(figureText).join(` ${say('and')} `)
    return `${label}: ${figures} (${count})`
  })
  const result = await run(query)
  const { citations } = await behind(answering, query, totals?.field)
  const verdict = isYesNo ? yesOrNo(compared, answering, isLess) : ''
  const head = `${verdict}${totals ? `${labelled(answering, totals)}: ` : ''}`
  const text = `${head}${texts.join('; ')}.${largerOf(compared, answering, isLess)}`
  const answer = grounded(text, citations, query, result)
  const parts = compared.map(({ label, query: of, result: { figures = [] } }) => ({
    label,
    query: of,
    figures,
  }))
  return { ...answer, data: { ...answer.data, sides: parts } }
}

interface Side {
  label: string
  result: Result
}

/** How much more the first side has; undefined where the two cannot be compared. */
function lead([one, other]: readonly Side[]): { by: number; currency: string | null } | undefined {
  const [a, b] = [one && onlyFigure(one.result), other && onlyFigure(other.result)]
  // nothing was added up: it has no currency
  const isOne = a && b && (a.currency === b.currency || a.count === 0 || b.count === 0)
  if (!isOne || typeof a.value !== 'number' || typeof b.value !== 'number') return undefined
  return { by: a.value - b.value, currency: a.currency ?? b.currency }
}

function yesOrNo(sides: readonly Side[], { say }: Answering, isLess = false): string {
  const first = lead(sides)
  if (!first) return ''
  return `${say((isLess ? first.by < 0 : first.by > 0) ? 'Yes' : 'No')}: `
}

function largerOf(sides: readonly Side[], { say }: Answering, isLess = false): string {
  const first = lead(sides)
  if (!first) return ''
  if (first.by === 0) return ` ${say('Both are level')}.`
  const by = figureText({ value: Math.abs(first.by), currency: first.currency })
  return ` ${say(isLess ? 'Smaller' : 'Larger')}: ${sides[first.by > 0 === isLess ? 1 : 0]?.label}${say(', by')} ${by}.`
}

export async function shareAnswer(
  answering: Answering,
  { query, whole }: Extract<Meaning, { kind: 'share' }>,
): Promise<Answer> {
  const { run, say } = answering
  const isSum = query.measure?.kind === 'sum'
  const countOf = (of: Query): Query => ({ ...of, measure: { kind: 'count' } })
  const [part, all] = [await run(isSum ? query : countOf(query)), await run(isSum ? whole : countOf(whole))]
  const { citations } = await behind(answering, query)
  const [some, every] = [onlyFigure(part), onlyFigure(all)]
  const records = `${part.total} ${say('of')} ${described(whole, all.total, answering)}`
  if (!some || !every || !Number(every.value))
    return grounded(`${records}; ${say('a share cannot be given')}.`, citations, query, part)
  const share = `${number((100 * Number(some.value)) / Number(every.value))}%`
  const amounts = isSum ? `${figureText(some)} ${say('of')} ${figureText(every)}, ` : ''
  return grounded(`${share}: ${amounts}${records}.`, citations, query, part)
}
