/** Errors of the database that the client caused, as the refusal that the client gets. */
import { isForeignKeyViolation, isUniqueViolation, isUnstorable } from '../db/sqlstate.ts'
import { errors, HttpError } from './errors.ts'

/** undefined: a failure of the service, which is not the client's to mend. */
export function refusalOf(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  // Behind the checks of a resource: two requests raced for the same value, and this one came second.
  if (isUniqueViolation(error)) return errors.conflict('Another record has taken a value that must be unique')
  if (isForeignKeyViolation(error))
    return errors.conflict('A record that this one refers to has just been removed')
  if (isUnstorable(error)) return errors.invalidValue(['body'], 'a value cannot be stored', null)
  return undefined
}
