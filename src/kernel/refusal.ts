/** Translates database errors that the client caused into responses. */
import {
  type DatabaseError,
  isForeignKeyViolation,
  isRefusedByTrigger,
  isUniqueViolation,
  isUnstorable,
  takenValue,
} from '../db/sqlstate.ts'
import { errors, HttpError } from './errors.ts'

/** undefined: a failure of the service that the client cannot correct. */
export function refusalOf(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (isRefusedByTrigger(error)) return errors.conflict(error.message)
  // The resource's own check passed: two requests raced for the same value, and this one lost.
  if (isUniqueViolation(error)) return errors.conflict(takenSentence(error))
  if (isForeignKeyViolation(error))
    return errors.conflict('A record that this one refers to has just been removed')
  if (isUnstorable(error)) return errors.invalidValue(['body'], 'a value cannot be stored', null)
  return undefined
}

/**
 * Which value must be unique. The record that has it is not named: the caller may not be allowed to read it, and finds it
 * by the value otherwise.
 */
export function takenSentence(error: DatabaseError, other = 'Another record'): string {
  const { field, value } = takenValue(error) ?? {}
  if (field !== undefined) return `${other} has taken the value "${value}" of ${field}, which must be unique`
  const { table = '', constraint = '' } = error
  if (constraint === 'custom_values_unique')
    return `${other} has taken the value of a custom field that is unique`
  const named = FIELDS.find(name => constraint === `${table}_${name}`)
  return named === undefined
    ? `${other} has taken a value that must be unique`
    : `${other} has taken the ${named}, which must be unique`
}

/** Fields with an index that is named after them. */
const FIELDS = ['name', 'sku', 'slug', 'key']
