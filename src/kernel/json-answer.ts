/**
 * Answers as JSON text that needs neither objects nor JSON.stringify (db/json-rows.ts). The text belongs to the function
 * that returns the same answer as a value: a resource that replaces the function replaces both.
 */
import type { Ctx } from './context.ts'

type Answer<Args extends unknown[], Result> = (ctx: Ctx, ...args: Args) => Promise<Result>

const texts = new WeakMap<object, unknown>()

/** Declares that `text` returns the JSON text of what `value` returns. */
export function withJson<Args extends unknown[], Result>(
  value: Answer<Args, Result>,
  text: Answer<Args, Buffer> | undefined,
): Answer<Args, Result> {
  if (text) texts.set(value, text)
  return value
}

export const jsonOf = <Args extends unknown[]>(
  value: Answer<Args, unknown>,
): Answer<Args, Buffer> | undefined =>
  // `withJson` has stored it for a function with these arguments
  texts.get(value) as Answer<Args, Buffer> | undefined
