import {
  type DefaultSchema,
  failRule,
  type JsonSchema,
  type Meta,
  metaOf,
  type OptionalSchema,
  type Schema,
  splitMeta,
} from './types.ts'

/** Gives a wrapper the optionality and the default of the schema that it wraps. */
function rewrap<T>(inner: Schema<unknown>, json: JsonSchema, check: Schema<T>['check']): Schema<T> {
  return 'default' in inner
    ? { check, json, optional: inner.optional, default: inner.default }
    : { check, json, optional: inner.optional }
}

export function nullable<T>(inner: OptionalSchema<T>, options?: Meta): OptionalSchema<T | null>
export function nullable<T>(inner: DefaultSchema<T>, options?: Meta): DefaultSchema<T | null>
export function nullable<T>(inner: Schema<T>, options?: Meta): Schema<T | null>
export function nullable<T>(inner: Schema<T>, options?: Meta): Schema<T | null> {
  // A named object stays whole, so that the document refers to it by its name.
  const isNamed = inner.json.type === 'object' && inner.json.title !== undefined
  const { meta, rest } = isNamed ? { meta: {}, rest: inner.json } : splitMeta(inner.json)
  const { default: value, ...branch } = rest
  // Any value at all includes null.
  if (Object.keys(branch).length === 0) {
    const json = { ...inner.json, ...metaOf(options) }
    return rewrap<T | null>(inner, json, (input, loc, issues) =>
      input === null ? null : inner.check(input, loc, issues),
    )
  }
  const branches = branch.anyOf && Object.keys(branch).length === 1 ? branch.anyOf : [branch]
  const json: JsonSchema = {
    anyOf: [...branches, { type: 'null' }],
    ...(value === undefined ? {} : { default: value }),
    ...meta,
    ...metaOf(options),
  }
  return rewrap<T | null>(inner, json, (input, loc, issues) =>
    input === null ? null : inner.check(input, loc, issues),
  )
}

/** The key may be absent and then stays absent; a default of the inner schema is dropped. */
export function optional<T>(inner: Schema<T>): OptionalSchema<T> {
  const { default: _, ...json } = inner.json
  return { check: inner.check, json, optional: true }
}

/**
 * The same for a key that answers have only sometimes. All other keys are published as always present in an answer,
 * even if a request may omit them.
 */
export const sometimes = <T>(inner: Schema<T>): OptionalSchema<T> =>
  optional({ ...inner, json: { ...inner.json, sometimes: true } })

export function withDefault<T>(inner: Schema<T>, value: T): DefaultSchema<T> {
  return { check: inner.check, json: { ...inner.json, default: value }, optional: true, default: value }
}

/** Adds a rule, which is called only with a valid value. */
export function rule<T>(inner: OptionalSchema<T>, check: (value: T) => string | undefined): OptionalSchema<T>
export function rule<T>(inner: DefaultSchema<T>, check: (value: T) => string | undefined): DefaultSchema<T>
export function rule<T>(inner: Schema<T>, check: (value: T) => string | undefined): Schema<T>
export function rule<T>(inner: Schema<T>, check: (value: T) => string | undefined): Schema<T> {
  return rewrap<T>(inner, inner.json, (input, loc, issues) => {
    const before = issues.length
    const value = inner.check(input, loc, issues)
    if (issues.length !== before) return value
    const text = check(value)
    return text === undefined ? value : failRule(issues, loc, input, text)
  })
}
