/**
 * Limits the size of a 422. An answer must not be larger than its request: 50 KB of bad values under one long key
 * once got an answer of 100 MB.
 */
import { property } from '../../lib/values.ts'
import type { Issue } from './types.ts'

export const MAX_ISSUES = 100
const MAX_TEXT = 200
const MAX_JSON = 1000
const MAX_MESSAGE = 2000

export function boundedIssues(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length <= MAX_ISSUES) return issues.map(bounded)
  const rest: Issue = {
    type: 'too_many_errors',
    loc: issues[0]?.loc.slice(0, 1) ?? [],
    msg: `More problems were found than the ${MAX_ISSUES - 1} listed here`,
    input: null,
  }
  return [...issues.slice(0, MAX_ISSUES - 1).map(bounded), rest]
}

const bounded = (issue: Issue): Issue => ({
  ...issue,
  loc: issue.loc.map(part => (typeof part === 'string' ? cut(part, MAX_TEXT) : part)),
  msg: cut(issue.msg, MAX_MESSAGE),
  input: boundedInput(issue.input),
})

/** The whole text, or its beginning followed by `…`; never splits a surrogate pair. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`

/** A short value is shown unchanged, a long one as the beginning of its JSON text. */
function boundedInput(input: unknown): unknown {
  if (typeof input === 'string') return cut(input, MAX_TEXT)
  if (typeof input !== 'object' || input === null) return input
  const beginning = beginningOf(input, { remaining: MAX_JSON })
  const json = JSON.stringify(beginning.value)
  return beginning.isWhole ? input : `${cut(json, MAX_TEXT - 1).replace(/…$/, '')}…`
}

/** As much of a JSON value as fits the remaining characters; the rest is not read. */
function beginningOf(value: unknown, budget: { remaining: number }): { value: unknown; isWhole: boolean } {
  if (typeof value !== 'object' || value === null) {
    const shown =
      typeof value === 'string' ? value.slice(0, Math.max(0, budget.remaining)).toWellFormed() : value
    budget.remaining -= typeof value === 'string' ? value.length + 2 : 5
    return { value: shown, isWhole: budget.remaining >= 0 }
  }
  budget.remaining -= 2
  if (Array.isArray(value)) {
    const parts: unknown[] = []
    for (const part of value) {
      if (budget.remaining < 0) break
      parts.push(beginningOf(part, budget).value)
    }
    return { value: parts, isWhole: budget.remaining >= 0 }
  }
  const entries: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    if (budget.remaining < 0) break
    budget.remaining -= key.length + 4
    entries.push([key.slice(0, MAX_TEXT), beginningOf(property(value, key), budget).value])
  }
  return { value: Object.fromEntries(entries), isWhole: budget.remaining >= 0 }
}
