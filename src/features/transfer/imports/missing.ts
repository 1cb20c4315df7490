/** A record that a row names does not exist: the row fails, or is imported without it, with a warning. */
import type { Draft } from './draft.ts'
import { rowError } from './row-values.ts'

export function noteMissing(
  draft: Draft,
  field: string,
  label: string,
  value: string,
  rule: 'fail' | 'empty' | 'create',
): 'failed' | undefined {
  const note = (message: string) => rowError('reference_not_found', message, value, null, field)
  if (rule === 'empty') {
    draft.warnings.push(note(`${label} not found: left out`))
    return undefined
  }
  draft.errors.push(note(`${label} not found`))
  return 'failed'
}
