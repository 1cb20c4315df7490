/** Sums, averages, figures for each of something, win rates. */
import { counted, described } from '../../records/query/describe.ts'
import type { Group, Result } from '../../records/query/result.ts'
import type { Measure, Query } from '../../records/query/spec.ts'
import { type Answer, refusal } from '../prose/answer.ts'
import type { Meaning } from '../understand/meaning.ts'
import {
  type Answering,
  figureText,
  grounded,
  isCount,
  label,
  listed,
  named,
  narrowed,
  number,
  recordsOf,
} from './format.ts'

export type Totals = Extract<Measure, { field: string }>

const LABELS = { sum: 'Total', avg: 'Average', median: 'Median', min: 'Smallest', max: 'Largest' } as const

export const labelled = (answering: Answering, { kind, field }: Totals): string =>
  `${answering.say(LABELS[kind])} ${label(answering, field)}`

/** The records behind a figure are cited with it. */
export const behind = (answering: Answering, query: Query, field?: string) =>
  listed(answering, recordsOf(query), field === undefined ? [] : [field])

export async function figureAnswer(answering: Answering, query: Query, measure: Totals): Promise<Answer> {
  const { run, say } = answering
  // an average is one of the records that have the figure
  const { citations, result: records } = await behind(answering, having(query, measure), measure.field)
  const result = await run(query)
  // records that all lack the number add up to nothing known
  if (result.total > 0 && result.figures?.every(({ count }) => count === 0)) return refusal('data')
  const figures = (result.figures ?? []).filter(({ value }) => value !== null)
  const none = measure.kind === 'sum' ? '0' : say('none')
  const text = figures.map(figureText).join(` ${say('and')} `) || none
  const names = citations.length === 0 ? '' : `: ${named(citations)}`
  const set = described(query, records.total, answering)
  return grounded(
    `${labelled(answering, measure)}: ${text}${say(', from')} ${set}${names}.`,
    citations,
    query,
    result,
  )
}

/** A sum lists all records, other figures only those that have the field. */
function having(query: Query, { kind, field }: Totals): Query {
  if (kind === 'sum' || isCount(field)) return query
  return narrowed(query, { field, op: 'is_null', value: false })
}

export async function groupAnswer(answering: Answering, asked: Query, isNumber: boolean): Promise<Answer> {
  const { run, say } = answering
  const query = await withTies(answering, asked)
  const result = await run(query)
  // "how much has each rep won" by owner, of which there are none: another field is meant
  if (result.groups?.every(({ key }) => key.every(part => part === null))) return refusal('data')
  const totals = query.measure && 'field' in query.measure ? query.measure : undefined
  const [group] = query.group_by ?? []
  const by = group?.bucket ? say(group.bucket) : label(answering, group?.field ?? '')
  const { citations } = await behind(answering, ofGroups(query, result), totals?.field)
  const sizes = totals ? await sizesOf(answering, query) : new Map<string, number>()
  const texts = (result.groups ?? []).map(one => {
    const size = sizes.get(JSON.stringify(one.key)) ?? Number(one.count)
    const part = size === Number(one.count) ? '' : `${one.count} ${say('of')} `
    const count = `${part}${counted(query.entity, size, answering)}`
    const key = keyText(one, by, group?.bucket, answering)
    const value = totals?.kind === 'sum' ? { ...one, value: one.value ?? 0 } : one
    return totals ? `${key}: ${figureText(value)} (${count})` : `${key}: ${count}`
  })
  const isAll = query.limit === undefined
  const what = totals ? labelled(answering, totals) : counted(query.entity, 2, answering).slice(2)
  const head = isAll ? `${what} ${say('by')} ${by}, ${described(query, result.total, answering)}: ` : ''
  const sum = isAll && totals?.kind === 'sum' ? sumOf(result, answering) : ''
  const many = isNumber ? `${texts.length}: ` : ''
  return grounded(`${many}${head}${texts.join('; ') || say('none')}.${sum}`, citations, query, result)
}

const MAX_GROUPS = 200

/** How many records are in each group, with those that lack the number and those in other currencies. */
async function sizesOf({ run }: Answering, query: Query): Promise<Map<string, number>> {
  const { group_by = [] } = query
  const all = { ...recordsOf(query), group_by, measure: { kind: 'count' as const }, limit: MAX_GROUPS }
  const { groups = [] } = await run(all)
  return new Map(groups.map(({ key, count }) => [JSON.stringify(key), Number(count)]))
}

/** Of groups that were compared, only the records in those that are left. */
function ofGroups(query: Query, { groups = [] }: Result): Query {
  const [key] = query.group_by ?? []
  if (!query.having || !key || key.bucket) return query
  const value = groups.map(group => String(group.key[0]))
  return narrowed(query, { field: key.field, op: 'in', value })
}

function keyText({ key }: Group, by: string, bucket: string | undefined, { say }: Answering): string {
  const [first] = key
  if (first === null || first === undefined) return `${say('no')} ${by}`
  if (bucket === 'month') return String(first).slice(0, 7)
  if (bucket === 'quarter')
    return `${String(first).slice(0, 4)} Q${Math.ceil(Number(String(first).slice(5, 7)) / 3)}`
  return bucket === 'year' ? String(first).slice(0, 4) : String(first)
}

/** What all groups come to, where that is one figure. */
function sumOf({ groups = [] }: Result, { say }: Answering): string {
  const [first] = groups
  const isOne = new Set(groups.map(({ currency }) => currency)).size === 1
  if (!first || !isOne || groups.length < 2) return ''
  const sum = groups.reduce((all, { value }) => all + Number(value ?? 0), 0)
  return ` ${say('In all')}: ${figureText({ value: sum, currency: first.currency })}.`
}

/** Groups that are level with the last one belong to it. */
async function withTies({ run }: Answering, query: Query): Promise<Query> {
  const { limit } = query
  if (limit === undefined || query.order?.[0]?.by !== 'measure') return query
  const { groups = [] } = await run({ ...query, limit: limit + 10 })
  let end = limit
  while (end < groups.length && groups[end]?.value === groups[limit - 1]?.value) end++
  return { ...query, limit: end }
}

/** The share of won deals among the closed ones. */
export async function winRate(
  answering: Answering,
  { query, pick }: Extract<Meaning, { kind: 'win rate' }>,
): Promise<Answer> {
  const { say } = answering
  const result = await answering.run(query)
  const { citations } = await behind(answering, query)
  const closed = (groups: readonly Group[]): [won: number, lost: number] => {
    const count = (type: string) =>
      groups.filter(({ key }) => key[0] === type).reduce((all, one) => all + Number(one.count), 0)
    return [count('won'), count('lost')]
  }
  const rateOf = (groups: readonly Group[]): string => {
    const [won, lost] = closed(groups)
    const counts = `(${won} ${say('won')}, ${lost} ${say('lost')})`
    return won + lost === 0
      ? `${say('unknown, for no deal has been closed')} ${counts}`
      : `${number((100 * won) / (won + lost))}% ${counts}`
  }
  const by = query.group_by?.[1]
  if (!by) return grounded(`${say('Win rate')}: ${rateOf(result.groups ?? [])}.`, citations, query, result)
  const name = label(answering, by.field)
  const groups = [...Map.groupBy(result.groups ?? [], ({ key }) => String(key[1] ?? `${say('no')} ${name}`))]
  const text = ([key, list]: readonly [string, readonly Group[]]) => `${key}: ${rateOf(list)}`
  if (pick) {
    const share = ([, list]: readonly [string, readonly Group[]]) => {
      const [won, lost] = closed(list)
      return won / (won + lost)
    }
    const rates = groups.map(share)
    const end = pick === 'best' ? Math.max(...rates) : Math.min(...rates)
    const ends = groups.filter(one => share(one) === end).map(text)
    return grounded(`${ends.join('; ') || say('none')}.`, citations, query, result)
  }
  const texts = groups.sort(([a], [b]) => (a < b ? -1 : 1)).map(text)
  return grounded(
    `${say('Win rate')} ${say('by')} ${name}: ${texts.join('; ') || say('none')}.`,
    citations,
    query,
    result,
  )
}
