/** A meaning in one readable line, so that a table of questions can be read: `deal list (stage.type=open and amount>10000)`. */
import type { Condition, Query } from '../../records/query/spec.ts'
import type { Meaning } from './meaning.ts'

const SIGNS: Record<string, string> = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

export function meaningText(meaning: Meaning): string {
  if (meaning.kind === 'every')
    return `every ${queryText(meaning.set)}: none of ${queryText(meaning.exceptions)}`
  if (meaning.kind === 'win rate') return `win rate ${queryText(meaning.query)}`
  if (meaning.kind === 'share') return `share ${queryText(meaning.query)} of ${queryText(meaning.whole)}`
  if (meaning.kind === 'compare')
    return `compare ${meaning.sides.map(side => queryText(side.query)).join(' with ')}`
  return `${queryText(meaning.query)}${meaning.show ? ` show ${meaning.show.field}` : ''}`
}

export function queryText({ entity, where, measure, group_by, having, order, limit }: Query): string {
  const figure =
    measure && 'field' in measure ? `${measure.kind} ${measure.field}` : (measure?.kind ?? 'list')
  return [
    `${entity} ${figure}`,
    ...(where ? [conditionText(where)] : []),
    ...(group_by ?? []).map(({ field, bucket }) => `by ${field}${bucket ? ` ${bucket}` : ''}`),
    ...(having ? [`having ${having.op} ${having.value}`] : []),
    ...(order ?? []).map(({ by, direction }) => `order ${by} ${direction ?? 'asc'}`),
    ...(limit === undefined ? [] : [`limit ${limit}`]),
  ].join(' ')
}

function conditionText(where: Condition): string {
  if ('and' in where) return `(${where.and.map(conditionText).join(' and ')})`
  if ('or' in where) return `(${where.or.map(conditionText).join(' or ')})`
  if ('not' in where) return `not ${conditionText(where.not)}`
  if ('field' in where) {
    const { field, op = 'eq', value } = where
    return `${field}${SIGNS[op] ?? ` ${op} `}${Array.isArray(value) ? value.join('|') : value}`
  }
  const inner = where.where ? conditionText(where.where) : 'any'
  if ('some' in where) return `some ${where.some}[${inner}]`
  if ('none' in where) return `none ${where.none}[${inner}]`
  if ('every' in where) return `every ${where.every}[${inner}]`
  return `count ${where.count}[${inner}]${SIGNS[where.op] ?? where.op}${where.value}`
}
