import { property } from '../../lib/values.ts'
import { MAX_ISSUES } from './bounded-issues.ts'
import { hasLongMarkRun, MAX_MARKS } from './marks.ts'
import { fail, failRule, type Issue, type Loc } from './types.ts'

/** Deeper JSON has no legitimate use, and recursive code can rely on the limit. */
export const MAX_DEPTH = 64

export const TOO_DEEP = `JSON is nested deeper than ${MAX_DEPTH} levels`

/**
 * PostgreSQL cannot store NUL or half a surrogate pair in text or jsonb; unchecked they would cause a 500 at the insert.
 * A long run of combining marks would block it.
 */
export function unstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'text must not contain a NUL character'
  if (!text.isWellFormed()) return 'text must not contain an unpaired surrogate'
  if (hasLongMarkRun(text)) return `text must not contain more than ${MAX_MARKS} combining marks in a row`
  return undefined
}

/** Whether a JSON value at this depth can be stored completely: the usual case, so it allocates nothing. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return unstorable(value) === undefined
  // 1e400 is well-formed JSON that parses to Infinity, which would be written back as null.
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every(part => isStorable(part, depth + 1))
  for (const key of Object.keys(value)) {
    if (unstorable(key) || !isStorable(property(value, key), depth + 1)) return false
  }
  return true
}

/** Reports each part of a free JSON value that cannot be stored, with its path. */
export function checkStorable(value: unknown, loc: Loc, issues: Issue[]): void {
  if (isStorable(value, 0)) return
  const before = issues.length
  if (report(value, loc, 0, issues, before + MAX_ISSUES)) return
  issues.length = before
  failRule(issues, loc, value, TOO_DEEP)
}

/** Reports until there are more issues than `most`. false when the value is too deep, which is then reported alone. */
function report(value: unknown, loc: Loc, depth: number, issues: Issue[], most: number): boolean {
  if (typeof value === 'string') {
    const reason = unstorable(value)
    if (reason) failRule(issues, loc, value, reason)
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    fail(issues, loc, value, 'finite_number', 'Input should be a finite number')
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) return false
    const list = Array.isArray(value)
    for (const [key, part] of Object.entries(value)) {
      const at = [...loc, list ? Number(key) : key]
      const reason = unstorable(key)
      if (reason) failRule(issues, [...at, '[key]'], key, reason)
      if (!report(part, at, depth + 1, issues, most)) return false
      if (issues.length > most) return true
    }
  }
  return true
}
