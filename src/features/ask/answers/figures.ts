/** Sums, averages, figures for each of something, win rates. */
import { counted, described } from '../../records/query/describe.ts'
import { type Group, type Result, runQuery } from '../../records/query/run.ts'
import type { Measure, Query } from '../../records/query/spec.ts'
import type { Answer } from '../prose/answer.ts'
import { type Answering, figureText, grounded, label, listed, named, number } from './format.ts'

type Totals = Extract<Measure, { field: string }>

const LABELS = { sum: 'Total', avg: 'Average', median: 'Median', min: 'Smallest', max: 'Largest' } as const

const labelled = (answering: Answering, { kind, field }: Totals): string =>
  `${LABELS[kind]} ${label(answering, field)}`

/** The records behind a figure are cited with it. */
const behind = (answering: Answering, { entity, where }: Query, field?: string) =>
  listed(answering, { entity, ...(where ? { where } : {}) }, field === undefined ? [] : [field])

export async function figureAnswer(answering: Answering, query: Query, measure: Totals): Promise<Answer> {
  const { ctx, kinds, nameOf } = answering
  // an average is one of the records that have the figure
  const { citations, result: records } = await behind(answering, query, measure.field)
  const result = await runQuery(ctx, kinds, query)
  const figures = (result.figures ?? []).filter(({ value }) => value !== null)
  const none = measure.kind === 'sum' ? '0' : 'none'
  const text = figures.map(figureText).join(' and ') || none
  const names = citations.length === 0 ? '' : `: ${named(citations)}`
  const set = described(query, records.total, nameOf)
  return grounded(`${labelled(answering, measure)}: ${text}, from ${set}${names}.`, citations, query, result)
}

export async function groupAnswer(answering: Answering, asked: Query): Promise<Answer> {
  const { ctx, kinds, nameOf } = answering
  const query = await withTies(answering, asked)
  const result = await runQuery(ctx, kinds, query)
  const totals = query.measure && 'field' in query.measure ? query.measure : undefined
  const { citations } = await behind(answering, query, totals?.field)
  const [group] = query.group_by ?? []
  const by = group?.bucket ?? label(answering, group?.field ?? '')
  const texts = (result.groups ?? []).map(one => {
    const count = counted(query.entity, Number(one.count))
    const key = keyText(one, by, group?.bucket)
    const value = totals?.kind === 'sum' ? { ...one, value: one.value ?? 0 } : one
    return totals ? `${key}: ${figureText(value)} (${count})` : `${key}: ${count}`
  })
  const isAll = query.limit === undefined
  const what = totals ? labelled(answering, totals) : counted(query.entity, 2).slice(2)
  const head = isAll ? `${what} by ${by}, ${described(query, result.total, nameOf)}: ` : ''
  const sum = isAll && totals?.kind === 'sum' ? sumOf(result) : ''
  return grounded(`${head}${texts.join('; ') || 'none'}.${sum}`, citations, query, result)
}

function keyText({ key }: Group, by: string, bucket: string | undefined): string {
  const [first] = key
  if (first === null || first === undefined) return `no ${by}`
  if (bucket === 'month') return String(first).slice(0, 7)
  if (bucket === 'quarter')
    return `${String(first).slice(0, 4)} Q${Math.ceil(Number(String(first).slice(5, 7)) / 3)}`
  return bucket === 'year' ? String(first).slice(0, 4) : String(first)
}

/** What all groups come to, where that is one figure. */
function sumOf({ groups = [] }: Result): string {
  const [first] = groups
  const isOne = new Set(groups.map(({ currency }) => currency)).size === 1
  if (!first || !isOne || groups.length < 2) return ''
  const sum = groups.reduce((all, { value }) => all + Number(value ?? 0), 0)
  return ` In all: ${figureText({ value: sum, currency: first.currency })}.`
}

/** Groups that are level with the last one belong to it. */
async function withTies({ ctx, kinds }: Answering, query: Query): Promise<Query> {
  const { limit } = query
  if (limit === undefined || query.order?.[0]?.by !== 'measure') return query
  const { groups = [] } = await runQuery(ctx, kinds, { ...query, limit: limit + 10 })
  let end = limit
  while (end < groups.length && groups[end]?.value === groups[limit - 1]?.value) end++
  return { ...query, limit: end }
}

/** The share of won deals among the closed ones. */
export async function winRate(answering: Answering, query: Query): Promise<Answer> {
  const { ctx, kinds } = answering
  const result = await runQuery(ctx, kinds, query)
  const { citations } = await behind(answering, query)
  const rateOf = (groups: readonly Group[]): string => {
    const count = (type: string) =>
      groups.filter(({ key }) => key[0] === type).reduce((all, one) => all + Number(one.count), 0)
    const [won, lost] = [count('won'), count('lost')]
    const counts = `(${won} won, ${lost} lost)`
    return won + lost === 0
      ? `unknown, for no deal has been closed ${counts}`
      : `${number((100 * won) / (won + lost))}% ${counts}`
  }
  const by = query.group_by?.[1]
  if (!by) return grounded(`Win rate: ${rateOf(result.groups ?? [])}.`, citations, query, result)
  const name = label(answering, by.field)
  const groups = [...Map.groupBy(result.groups ?? [], ({ key }) => String(key[1] ?? `no ${name}`))]
  const texts = groups.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, list]) => `${key}: ${rateOf(list)}`)
  return grounded(`Win rate by ${name}: ${texts.join('; ') || 'none'}.`, citations, query, result)
}
