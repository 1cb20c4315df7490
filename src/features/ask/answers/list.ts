/** Records: all of them, the first of an order, whether there are any, and whether all of a set are so. */
import { described } from '../../records/query/describe.ts'
import type { Query } from '../../records/query/spec.ts'
import type { Answer, Citation } from '../prose/answer.ts'
import type { Meaning } from '../understand/meaning.ts'
import { type Answering, grounded, listed, named, narrowed, recordsOf } from './format.ts'

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
    ...recordsOf(query),
    measure: { kind: 'max', field: 'amount' },
    group_by: [{ field: 'currency' }],
  })
  if (groups.length < 2) return []
  const firsts = await Promise.all(
    groups.slice(0, MAX_TIES).map(({ key: [value] }) => {
      const own = narrowed(query, { field: 'currency', op: 'eq', value: String(value) })
      return listed({ run, ...rest }, own, ['amount'])
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
  if (cells.length > 0 && valueAt(Math.min(limit, cells.length) - 1) === 'null')
    return narrowed(query, { field: first.by, op: 'is_null', value: false })
  let end = limit
  while (end < cells.length && valueAt(end) === valueAt(limit - 1) && valueAt(end) !== 'null') end++
  return { ...query, limit: end }
}

export const NO_SUCH = 'There are no such records'

/** Whether all records of a set are so, and which are not. */
export async function everyAnswer(
  answering: Answering,
  { set, exceptions }: Extract<Meaning, { kind: 'every' }>,
): Promise<Answer> {
  const { run, say } = answering
  const all = await run({ ...set, measure: { kind: 'count' } })
  const { result: others, citations } = await listed(answering, exceptions)
  if (all.total === 0)
    return grounded(`${say(NO_SUCH)}: ${described(set, 0, answering)}.`, [], exceptions, others)
  const text =
    others.total === 0
      ? `${say('Yes')}, ${all.total === 1 ? '' : `${say('all')} `}${described(set, all.total, answering)}.`
      : `${say('No')}: ${others.total} ${say('of')} ${described(set, all.total, answering)} ${say('are not')}: ${named(citations)}.`
  return grounded(text, citations, exceptions, others)
}
