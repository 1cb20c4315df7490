/**
 * `{{ name }}` and `{{ name | default: "text" }}` in a text, replaced in one scan. Nothing is executed: the
 * value of a name is inserted, and inserted text is not scanned again.
 */
import { errors } from '../../kernel/errors.ts'

/** Longer ones are text between braces, not variables. */
const MAX_EXPRESSION = 500
/** A short template that repeats one long value must not exhaust the memory. */
export const MAX_RENDERED = 1_000_000

export interface Filling {
  /** The value of a name, or undefined when there is none. */
  lookup: (name: string) => string | undefined
  /** How a value is written: HTML-escaped, or unchanged. */
  write: (value: string) => string
  /** Decodes the text between the braces: an editor may have escaped its quotes. */
  read: (expression: string) => string
  used: Set<string>
  missing: Set<string>
}

export function fillIn(text: string, filling: Filling): string {
  const parts: string[] = []
  let length = 0
  const add = (part: string) => {
    length += part.length
    if (length > MAX_RENDERED) {
      throw errors.invalidValue(['body'], `the result is longer than ${MAX_RENDERED} characters`, null)
    }
    parts.push(part)
  }
  let at = 0
  for (let close = text.indexOf('}}'); close !== -1; close = text.indexOf('}}', at)) {
    const before = text.slice(at, close)
    // the innermost pair: braces around it are text
    const open = before.lastIndexOf('{{')
    const expression = before.slice(open + 2)
    if (open === -1 || expression.length > MAX_EXPRESSION) add(`${before}}}`)
    else {
      add(before.slice(0, open))
      add(filling.write(filledText(filling.read(expression).trim(), filling)))
    }
    at = close + 2
  }
  add(text.slice(at))
  return parts.join('')
}

const EXPRESSION =
  /^([\p{L}\p{N}_.-]+)(?:\s*\|\s*default\s*:\s*(?:"([^"]*)"|'([^']*)'|[“”]([^“”]*)[“”]|[‘’]([^‘’]*)[‘’]))?$/u

function filledText(expression: string, { lookup, used, missing }: Filling): string {
  const parsed = EXPRESSION.exec(expression)
  const name = parsed?.[1] ?? expression
  const value = parsed ? lookup(name) : undefined
  const fallback = parsed?.slice(2).find(text => text !== undefined)
  if (value === undefined && fallback === undefined) {
    missing.add(name)
    used.delete(name)
    return ''
  }
  if (!missing.has(name)) used.add(name)
  return value || (fallback ?? '')
}
