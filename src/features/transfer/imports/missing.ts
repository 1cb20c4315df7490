/** A record that a row names and that is not here: the row fails, or goes in without it and says so. */
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
