import { checkStorable } from './storable.ts'
import { fail, isRecord, type Meta, type Schema, schema } from './types.ts'

/**
 * A free JSON object. The very input is handed on, not a copy: copying by assignment is where a `__proto__` key
 * would start to act.
 */
export function dict(options?: Meta): Schema<Record<string, unknown>> {
  return schema({ type: 'object', additionalProperties: true }, options, (input, loc, issues) => {
    if (!isRecord(input)) return fail(issues, loc, input, 'dict_type', 'Input should be a valid dictionary')
    checkStorable(input, loc, issues)
    return input
  })
}

export function json(options?: Meta): Schema<unknown> {
  return schema<unknown>({}, options, (input, loc, issues) => {
    checkStorable(input, loc, issues)
    return input
  })
}
