/** Records: all of them, the first of an order, or whether there are any. */
import { described } from '../../records/query/describe.ts'
import type { Query } from '../../records/query/spec.ts'
import type { Answer, Citation } from '../prose/answer.ts'
import { type Answering, grounded, listed, named } from './format.ts'

export async function listAnswer(answering: Answering, asked: Query, isYesNo: boolean): Promise<Answer> {
  const query = await withTies(answering, asked)
  const ordered = (query.order ?? []).map(({ by }) => by).filter(by => by !== 'measure' && !/name$/.test(by))
  const { result, citations } = await listed(answering, { ...query, measure: { kind: 'list' } }, ordered)
  const { total } = result
  const { say } = answering
  const set = described(query, total, answering)
  const names = citations.length === 0 ? '' : named(citations)
  const such = names === '' ? set : `${set}: ${names}`
  const text = isYesNo
    ? total === 0
      ? `${say('No')}: ${set}`
      : `${say('Yes')}, ${such}`
    : query.limit === undefined || names === ''
      ? such
      : names
  const others = await inOtherCurrencies(answering, asked, citations)
  if (others.length === 0) return grounded(`${text}.`, citations, query, result)
  const more = ` ${say('In other currencies')}: ${named(others)}.`
  return grounded(`${text}.${more}`, [...citations, ...others], query, result)
}

/** Amounts in several currencies are not compared: the first of each other currency is named, too. */
async function inOtherCurrencies(
  { run, ...rest }: Answering,
  query: Query,
  citations: readonly Citation[],
): Promise<Citation[]> {
  if (query.limit !== 1 || query.offset || query.order?.[0]?.by !== 'amount') return []
  const { groups = [] } = await run({
    entity: query.entity,
    ...(query.where ? { where: query.where } : {}),
    measure: { kind: 'max', field: 'amount' },
    group_by: [{ field: 'currency' }],
  })
  if (groups.length < 2) return []
  const firsts = await Promise.all(
    groups.slice(0, MAX_TIES).map(({ key: [value] }) => {
      const own = { field: 'currency', op: 'eq' as const, value: String(value) }
      const where = query.where ? { and: [query.where, own] } : own
      return listed({ run, ...rest }, { ...query, where }, ['amount'])
    }),
  )
  const known = new Set(citations.map(({ entity_id }) => entity_id))
  return firsts
    .flatMap(first => first.citations)
    .filter(({ entity_id }) => !known.has(entity_id))
    .map((citation, i) => ({ ...citation, index: citations.length + i + 1 }))
}

const MAX_TIES = 10

/** "the company with the fewest employees" may be two: those level with the last one belong to it. */
async function withTies({ run }: Answering, query: Query): Promise<Query> {
  const [first] = query.order ?? []
  const { limit } = query
  if (limit === undefined || !first) return query
  const columns = [first.by]
  const { cells = [] } = await run({ ...query, limit: limit + MAX_TIES }, columns)
  const valueAt = (at: number) => JSON.stringify(cells[at]?.[first.by] ?? null)
  // what has no figure is not the one with the smallest or the largest
  if (cells.length > 0 && valueAt(Math.min(limit, cells.length) - 1) === 'null') {
    const has = { field: first.by, op: 'is_null' as const, value: false }
    return { ...query, where: query.where ? { and: [query.where, has] } : has }
  }
  let end = limit
  while (end < cells.length && valueAt(end) === valueAt(limit - 1) && valueAt(end) !== 'null') end++
  return { ...query, limit: end }
}
