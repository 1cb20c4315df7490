/** The outcome of a row. */
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/sqlstate.ts'
import { HttpError } from '../../../kernel/errors.ts'
import { takenSentence } from '../../../kernel/refusal.ts'
import type { Issue } from '../../../kernel/schema/index.ts'
import type { Draft } from './draft.ts'
import type { MappedColumn } from './drafts.ts'
import { type RowError, rowError } from './row-values.ts'

export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'

/** `["body", "metadata", "score"]` is the column cf.score. */
const fieldOf = ({ loc }: Issue): string | null => {
  const [, first, second] = loc
  if (first === undefined) return null
  return first === 'metadata' && second !== undefined ? `cf.${second}` : String(first)
}

export const issueErrors = (issues: readonly Issue[]): RowError[] =>
  issues.map(issue => {
    const value =
      typeof issue.input === 'string' || typeof issue.input === 'number' ? String(issue.input) : null
    return rowError(issue.type, issue.msg.replace(/^Value error, /, ''), value, null, fieldOf(issue))
  })

/** A refusal of the API, with its message. Any other error was not caused by the row. */
export function refusal(error: unknown): RowError[] | undefined {
  if (error instanceof HttpError && error.status < 500) {
    return typeof error.detail === 'string'
      ? [rowError(error.status === 404 ? 'reference_not_found' : 'conflict', error.detail, null)]
      : issueErrors(error.detail)
  }
  if (isUniqueViolation(error)) return [rowError('conflict', takenSentence(error), null)]
  if (isForeignKeyViolation(error))
    return [rowError('reference_not_found', 'A record that it refers to is gone', null)]
  return undefined
}

/** Adds to an error the column that its field was mapped from, and the cell. */
export function located(error: RowError, draft: Draft, columns: readonly MappedColumn[]): RowError {
  if (error.column !== null) return error
  const mapped = columns.find(({ field }) => isAbout(field.name, field.destination, error.field))
  const isMissing = error.message === 'Field required' && error.field !== null
  if (!mapped) {
    if (!isMissing) return error
    return { ...error, message: `Field required: map a column to ${error.field}` }
  }
  const cell = draft.cells[mapped.column.index] ?? ''
  return {
    ...rowError(error.code, isMissing ? 'Field required: this cell has no value' : error.message, cell),
    column: mapped.column.header,
    field: mapped.field.name,
  }
}

function isAbout(
  name: string,
  destination: MappedColumn['field']['destination'],
  field: string | null,
): boolean {
  if (field === null) return false
  return name === field || (destination.at === 'link' && destination.field === field)
}
