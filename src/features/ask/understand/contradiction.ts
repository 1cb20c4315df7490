/**
 * Conditions that no record can meet: "completed meetings that are due" took the open ones for due and answered 0. A
 * reading that contradicts itself is a wrong reading.
 */
import type { Condition, FieldCondition } from '../../records/query/spec.ts'
import { canHaveOthers } from './meaning.ts'

export function contradictsItself(where: Condition | undefined): boolean {
  if (where === undefined) return false
  if (isDoneAndOverdue(conjuncts(where))) return true
  const allowed = new Map<string, Set<unknown>>()
  return conjuncts(where).some(part => {
    if ('or' in part) return part.or.every(contradictsItself)
    if ('not' in part || 'and' in part) return false
    if ('where' in part) return contradictsItself(part.where)
    if (!('field' in part)) return false
    const values = valuesOf(part)
    if (values === undefined) return false
    const before = allowed.get(part.field)
    const both = values.filter(value => before?.has(value) ?? true)
    allowed.set(part.field, new Set(both))
    return both.length === 0
  })
}

const conjuncts = (where: Condition): Condition[] => ('and' in where ? where.and.flatMap(conjuncts) : [where])

/** Only what is still to be done is overdue: "completed late" asks when it was done. */
function isDoneAndOverdue(parts: readonly Condition[]): boolean {
  const only = (name: string, ...values: unknown[]) =>
    parts.some(
      part =>
        'field' in part && part.field === name && valuesOf(part)?.every(value => values.includes(value)),
    )
  return only('is_overdue', true) && only('status', 'completed', 'cancelled')
}

/** The values that a condition allows for its field; undefined where it does not list them. */
function valuesOf(part: FieldCondition): readonly unknown[] | undefined {
  const { op = 'eq', value } = part
  if (canHaveOthers(part)) return undefined
  if (op === 'eq') return [value]
  return op === 'in' && Array.isArray(value) ? value : undefined
}
