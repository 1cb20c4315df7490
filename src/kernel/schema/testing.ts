import type { Issue, Loc, Schema } from './types.ts'

/** The coerced value, or the list of issues when there are any. */
export function run(schema: Schema<unknown>, input: unknown, loc: Loc = ['body']): unknown {
  const issues: Issue[] = []
  const value = schema.check(input, loc, issues)
  return issues.length > 0 ? issues : value
}

/** The one issue expected, without the parts that every row would repeat. */
export function fault(schema: Schema<unknown>, input: unknown): { type: string; msg: string; ctx?: unknown } {
  const issues: Issue[] = []
  schema.check(input, [], issues)
  if (issues.length !== 1) throw new Error(`expected one issue, got ${JSON.stringify(issues)}`)
  const { type, msg, ctx } = issues[0]!
  return ctx === undefined ? { type, msg } : { type, msg, ctx }
}
