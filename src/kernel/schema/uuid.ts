import { at } from '../../lib/values.ts'
import { fail, type Meta, type Schema, schema } from './types.ts'

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SIMPLE = /^[0-9a-f]{32}$/
const URN = 'urn:uuid:'
const LENGTH = 36
const GROUPS = [8, 4, 4, 4, 12] as const

/** The text inside braces or after `urn:uuid:`, which must then be hyphenated. */
function unwrap(text: string): string | undefined {
  if (text.length > 1 && text.startsWith('{') && text.endsWith('}')) return text.slice(1, -1)
  return text.startsWith(URN) ? text.slice(URN.length) : undefined
}

/**
 * Why a text is not a UUID, with the messages and the order of checks of the Rust crate behind Pydantic. As
 * there, the wrapping counts in positions and in the last group, unless the whole has exactly the right length.
 */
function reasonFor(text: string): string {
  const wrapped = unwrap(text)
  if (wrapped !== undefined && Buffer.byteLength(wrapped) === LENGTH) return reasonFor(wrapped)
  const inner = wrapped ?? text
  const stray = /[^0-9a-fA-F-]/u.exec(inner)
  if (stray) {
    const before = inner === text ? 0 : text.startsWith(URN) ? URN.length : 1
    return `invalid character: found \`${stray[0]}\` at ${before + stray.index + 1}`
  }
  const groups: readonly number[] = inner.split('-').map(group => group.length)
  if (groups.length === 1 && wrapped === undefined) {
    return `invalid length: expected length 32 for simple format, found ${text.length}`
  }
  if (groups.length !== GROUPS.length) return `invalid group count: expected 5, found ${groups.length}`
  const early = groups.findIndex((length, i) => i < 4 && length !== GROUPS[i])
  const wrong = early < 0 ? 4 : early
  const length = at(groups, wrong) + (wrong === 4 ? text.length - inner.length : 0)
  return `invalid group length in group ${wrong}: expected ${GROUPS[wrong]}, found ${length}`
}

function parse(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (CANONICAL.test(lower)) return lower
  if (SIMPLE.test(lower)) {
    return lower.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  const wrapped = unwrap(text)?.toLowerCase()
  return wrapped !== undefined && CANONICAL.test(wrapped) ? wrapped : undefined
}

/** Accepts every usual notation and returns lower case with hyphens. */
export function uuid(options?: Meta): Schema<string> {
  return schema({ type: 'string', format: 'uuid' }, options, (input, loc, issues) => {
    if (typeof input !== 'string') {
      return fail(issues, loc, input, 'uuid_type', 'UUID input should be a string, bytes or UUID object')
    }
    if (CANONICAL.test(input)) return input
    const parsed = parse(input)
    if (parsed !== undefined) return parsed
    const error = reasonFor(input)
    return fail(issues, loc, input, 'uuid_parsing', `Input should be a valid UUID, ${error}`, { error })
  })
}
