/** Translates database errors that the client caused into responses. */
import { isForeignKeyViolation, isRefusedByTrigger, isUniqueViolation, isUnstorable } from '../db/sqlstate.ts'
import { errors, HttpError } from './errors.ts'

/** undefined: a failure of the service that the client cannot correct. */
export function refusalOf(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (isRefusedByTrigger(error)) return errors.conflict(error.message)
  // The resource's own check passed: two requests raced for the same value, and this one lost.
  if (isUniqueViolation(error)) return errors.conflict('Another record has taken a value that must be unique')
  if (isForeignKeyViolation(error))
    return errors.conflict('A record that this one refers to has just been removed')
  if (isUnstorable(error)) return errors.invalidValue(['body'], 'a value cannot be stored', null)
  return undefined
}
