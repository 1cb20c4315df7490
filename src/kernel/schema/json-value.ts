import { isRecord, property } from '../../lib/values.ts'
import { checkStorable } from './storable.ts'
import { fail, failRule, type JsonSchema, type Meta, type Schema, schema } from './types.ts'

export interface JsonOptions extends Meta {
  /** bytes of the value as JSON */
  readonly maxBytes?: number
  /** keys of all its objects together */
  readonly maxKeys?: number
  /** what the values of an object are, for the published document; a rule checks them */
  readonly values?: JsonSchema
}

export const MAX_JSON_BYTES = 256 * 1024
export const MAX_JSON_KEYS = 1000

/**
 * A free JSON object. The input itself is returned, not a copy: copying by assignment would give a `__proto__` key
 * its effect.
 */
export function dict(options?: JsonOptions): Schema<Record<string, unknown>> {
  const problemOf = sizeProblem(options)
  const additionalProperties = options?.values ?? true
  return schema({ type: 'object', additionalProperties }, options, (input, loc, issues) => {
    if (!isRecord(input)) return fail(issues, loc, input, 'dict_type', 'Input should be a valid dictionary')
    const problem = problemOf(input)
    if (problem) return failRule(issues, loc, input, problem)
    checkStorable(input, loc, issues)
    return input
  })
}

export function json(options?: JsonOptions): Schema<unknown> {
  const problemOf = sizeProblem(options)
  return schema<unknown>({}, options, (input, loc, issues) => {
    const problem = problemOf(input)
    if (problem) return failRule(issues, loc, input, problem)
    checkStorable(input, loc, issues)
    return input
  })
}

/** What is wrong with the size of a value, if anything. Lists return such values completely, a thousand at a time. */
function sizeProblem({ maxBytes = MAX_JSON_BYTES, maxKeys = MAX_JSON_KEYS }: JsonOptions = {}) {
  return (input: unknown): string | undefined => {
    const size = { bytes: 0, keys: 0 }
    const isWithin = measure(input, size, maxBytes, maxKeys)
    if (isWithin) return undefined
    return size.keys > maxKeys
      ? `this must have at most ${maxKeys} keys`
      : `this must have at most ${maxBytes} bytes as JSON`
  }
}

/** Counts until a limit is exceeded: a value that is far too large is not read to its end. */
function measure(
  value: unknown,
  size: { bytes: number; keys: number },
  maxBytes: number,
  maxKeys: number,
): boolean {
  if (typeof value === 'string') size.bytes += Buffer.byteLength(value) + 2
  else if (typeof value !== 'object' || value === null) size.bytes += String(value).length
  else if (Array.isArray(value)) {
    size.bytes += 1 + Math.max(1, value.length)
    if (!value.every(part => measure(part, size, maxBytes, maxKeys))) return false
  } else {
    const keys = Object.keys(value)
    size.keys += keys.length
    size.bytes += 1 + Math.max(1, keys.length)
    if (size.keys > maxKeys || size.bytes > maxBytes) return false
    for (const key of keys) {
      size.bytes += Buffer.byteLength(key) + 3
      if (!measure(property(value, key), size, maxBytes, maxKeys)) return false
    }
  }
  return size.bytes <= maxBytes
}
