import { codeOf } from '../lib/thrown.ts'

/** Classifies errors of the database by SQLSTATE, never by message text. */
export interface DatabaseError extends Error {
  code: string
  constraint?: string
  table?: string
  detail?: string
}

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '')
}

const has = (error: unknown, ...codes: string[]) => isDatabaseError(error) && codes.includes(error.code)

export const isUniqueViolation = (error: unknown, constraint?: string): error is DatabaseError =>
  isDatabaseError(error) &&
  error.code === '23505' &&
  (constraint === undefined || error.constraint === constraint)

/** The value that must be unique: a function of the database that refuses one names it in the detail, as JSON. */
export function takenValue(error: DatabaseError): { field: string; value: string } | undefined {
  if (!isUniqueViolation(error, 'external_ids_pkey') || !error.detail?.startsWith('{')) return undefined
  return JSON.parse(error.detail)
}

export const isForeignKeyViolation = (error: unknown): boolean => has(error, '23503')

/** A trigger refuses what the client asked for; its message is a sentence for the client. */
export const isRefusedByTrigger = (error: unknown): error is DatabaseError => has(error, 'KH409')

/** Two transactions deadlocked or could not be serialised; the aborted one may try again. */
export const isTransient = (error: unknown): boolean => has(error, '40001', '40P01')

/** Values that no column can hold: text with NUL, numbers out of range, malformed input. */
export const isUnstorable = (error: unknown): boolean =>
  isDatabaseError(error) && (error.code.startsWith('22') || has(error, '54000'))

export const isStatementTimeout = (error: unknown): boolean => has(error, '57014')

/** A write in a read-only session, such as one of a replica. */
export const isReadOnly = (error: unknown): boolean => has(error, '25006')

/** The disk of the database, or of the service's own files, is full. */
export const isDiskFull = (error: unknown): boolean =>
  has(error, '53100') || ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')

/** The server is unreachable, starting, stopping, or out of connections. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code) ||
    /^(08|57P0|53)/.test(code) ||
    // node-postgres reports a lost connection without a code
    /^(Connection terminated|timeout exceeded when trying to connect|Client .* not queryable$)/.test(
      error.message,
    )
  )
}
