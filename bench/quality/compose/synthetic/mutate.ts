/** Queries that differ from another in one thing. */
import type { Meaning } from '../../../../src/features/ask/understand/meaning.ts'
import type { Condition, Query } from '../../../../src/features/records/query/spec.ts'
import { conditionIn, valuesIn, type World } from './conditions.ts'
import { headsOf } from './heads.ts'
import { below, pick, random } from './random.ts'
import { NOUNS } from './words.ts'

export function mutated(world: World, made: Meaning): Meaning | undefined {
  if (made.kind !== 'query') return undefined
  const { query } = made
  if (!(query.entity in NOUNS)) return undefined
  const parts = query.where ? ('and' in query.where ? [...query.where.and] : [query.where]) : []
  const { where: _, ...rest } = query
  const withParts = (all: readonly Condition[], more: Partial<Query> = {}): Meaning => ({
    ...made,
    query: {
      ...rest,
      ...(all.length === 0 ? {} : { where: all.length === 1 && all[0] ? all[0] : { and: all } }),
      ...more,
    },
  })
  const at = below(parts.length)
  const part = parts[at]
  switch (below(9)) {
    case 0:
      return part && withParts(parts.toSpliced(at, 1))
    case 1: {
      const more = conditionIn(world, query.entity, 1)
      return more && withParts([...parts, more.where])
    }
    case 2: {
      const other = conditionIn(world, query.entity, 1)
      return part && other && withParts(parts.with(at, other.where))
    }
    case 3:
    case 4:
      return part && withParts(parts.with(at, twisted(world, query.entity, part)))
    case 5: {
      const other = pick(headsOf(query.entity))
      const { show: __, isYesNo: ___, isEach: ____, isNumber: _____, ...plain } = made
      const { order: _o, limit: _l, group_by: _g, ...base } = query
      return {
        ...plain,
        query: { ...base, measure: other.measure, ...other.more },
        ...(other.show ? { show: other.show, isEach: true as const } : {}),
        ...(other.isYesNo ? { isYesNo: true as const } : {}),
        ...(other.isNumber ? { isNumber: true as const } : {}),
      }
    }
    case 6: {
      const entity = pick(Object.keys(NOUNS).filter(one => one !== query.entity))
      return made.show || query.order || query.group_by ? undefined : { ...made, query: { ...query, entity } }
    }
    case 7: {
      const [order] = query.order ?? []
      return (
        order && {
          ...made,
          query: { ...query, order: [{ ...order, direction: order.direction === 'desc' ? 'asc' : 'desc' }] },
        }
      )
    }
    default:
      return part && withParts(parts.with(at, 'not' in part ? part.not : { not: part }))
  }
}

const OPPOSITE: Record<string, string> = { gt: 'lt', lt: 'gt' }

/** Another value, another comparison, another field or the opposite. */
function twisted(world: World, entity: string, where: Condition): Condition {
  if ('some' in where && where.where)
    return random() < 0.3
      ? { none: where.some, where: where.where }
      : { ...where, where: twisted(world, where.some.replace(/ies$/, 'y').replace(/s$/, ''), where.where) }
  if ('none' in where && where.where) return { some: where.none, where: where.where }
  if ('not' in where) return where.not
  if (!('field' in where)) return where
  const { field, op = 'eq', value } = where
  if (op === 'is_null') return { ...where, value: value === false }
  if (typeof value === 'number')
    return random() < 0.5
      ? { field, op: (OPPOSITE[op] ?? 'gt') as 'gt', value }
      : { field, op, value: value * 2 }
  if (typeof value === 'boolean') return { field, op, value: !value }
  const others = valuesIn(world, entity, field).filter(other => other !== value)
  return others.length > 0 && random() < 0.7 ? { field, op, value: pick(others) } : { not: where }
}
