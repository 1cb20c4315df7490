/** Fields that are filled in, or not, and flags that are written no. */
import { type About, type FieldMeaning, isField } from '../meaning.ts'
import { empty } from '../rules/shared.ts'
import type { Block } from './blocks.ts'

/** A flag that was not filled in says neither yes nor no. */
export const unset = (field: FieldMeaning): About =>
  field.type === 'flag'
    ? { entity: field.entity, where: { field: field.field, op: 'is_null', value: true } }
    : empty(field, true)

export const set = (field: FieldMeaning): About =>
  field.type === 'flag'
    ? { entity: field.entity, where: { field: field.field, op: 'is_null', value: false } }
    : empty(field, false)

/** "no length filled in" */
export const isUnset = ({ where }: About): boolean =>
  isField(where) && where.op === 'is_null' && where.value === true

/** "not insured, written no": the flag is no, and not only not yes. */
export function flagOf(block: Block | undefined): About | undefined {
  if (block?.kind === 'field' && block.field.type === 'flag')
    return { entity: block.field.entity, where: { field: block.field.field, op: 'eq', value: false } }
  if (block?.kind !== 'about') return undefined
  const { entity, where } = block.about
  const is = 'not' in where ? where.not : where
  return isField(is) && typeof is.value === 'boolean' && is.op === 'eq'
    ? { entity, where: { ...is, value: false } }
    : undefined
}
