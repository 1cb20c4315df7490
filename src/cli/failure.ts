/** One sentence for what a command threw. */
import { codeOf } from '../lib/thrown.ts'

/** Of several attempts (a name with several addresses) the first one's. */
export function explain(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message || (codeOf(error) ?? error.name)
}
