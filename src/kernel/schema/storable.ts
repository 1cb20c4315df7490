import { fail, failRule, type Issue, isRecord, type Loc } from './types.ts'

/** Deeper JSON has no honest use here, and every recursive reader downstream may rely on the bound. */
export const MAX_DEPTH = 64

export const TOO_DEEP = `JSON is nested deeper than ${MAX_DEPTH} levels`

/** PostgreSQL cannot hold either in text or jsonb; unchecked they would surface as a 500 at the insert. */
export function unstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'text must not contain a NUL character'
  if (!text.isWellFormed()) return 'text must not contain an unpaired surrogate'
  return undefined
}

/** Reports whatever in a free JSON value cannot be stored, each at its own place; says nothing when all is well. */
export function checkStorable(value: unknown, loc: Loc, issues: Issue[]): void {
  // The path is one shared stack, copied only for an issue: a good value costs no allocation per level.
  const path: (string | number)[] = []
  const here = (): Loc => [...loc, ...path]

  const visit = (part: unknown): boolean => {
    if (typeof part === 'string') {
      const reason = unstorable(part)
      if (reason) failRule(issues, here(), part, reason)
    } else if (typeof part === 'number') {
      // 1e400 is well-formed JSON that parses to Infinity, which would be written back as null.
      if (!Number.isFinite(part))
        fail(issues, here(), part, 'finite_number', 'Input should be a finite number')
    } else if (typeof part === 'object' && part !== null) {
      if (path.length >= MAX_DEPTH) return false
      return Array.isArray(part) ? visitArray(part) : isRecord(part) ? visitRecord(part) : true
    }
    return true
  }

  const visitArray = (items: unknown[]): boolean => {
    for (let i = 0; i < items.length; i++) {
      path.push(i)
      if (!visit(items[i])) return false
      path.pop()
    }
    return true
  }

  const visitRecord = (record: Record<string, unknown>): boolean => {
    for (const key of Object.keys(record)) {
      path.push(key)
      const reason = unstorable(key)
      if (reason) failRule(issues, [...here(), '[key]'], key, reason)
      if (!visit(record[key])) return false
      path.pop()
    }
    return true
  }

  if (!visit(value)) failRule(issues, loc, value, TOO_DEEP)
}
