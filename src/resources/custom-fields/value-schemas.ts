/** The schemas of values by field type, with the same errors as other fields. */
import {
  boolean,
  date,
  datetime,
  email,
  int,
  json,
  list,
  number,
  oneOf,
  type Schema,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import type { Definition, FieldType, Validation } from './definition.ts'
import { compilePattern } from './pattern.ts'
import { derived, phone, url } from './text-kinds.ts'

/** The longest text of each type that is one. */
export const TEXT_LIMITS: Partial<Record<FieldType, number>> = {
  text: 1000,
  long_text: 50_000,
  url: 2048,
  email: 320,
  phone: 64,
}
export const RATING = { min: 1, max: 5 }
export const MAX_CHOICES = 500
/** The longest value of an option. */
export const MAX_OPTION = 255

type Shape = Pick<Definition, 'field_type' | 'options' | 'validation'>

const cached = new WeakMap<object, Schema<unknown>>()

export function valueSchema(definition: Shape): Schema<unknown> {
  let schema = cached.get(definition)
  if (!schema) {
    schema = build(definition, definition.validation ?? {})
    cached.set(definition, schema)
  }
  return schema
}

function build({ field_type, options }: Shape, validation: Validation): Schema<unknown> {
  const choices = (options ?? []).filter(option => !option.is_archived).map(option => option.value)
  switch (field_type) {
    case 'text':
    case 'long_text':
      return textual(field_type, validation)
    case 'url':
      return both(textual(field_type, validation), url)
    case 'phone':
      return both(textual(field_type, validation), phone)
    case 'email':
      return both(textual(field_type, validation), email())
    case 'number':
    case 'currency':
      return number(numericBounds(validation))
    case 'rating':
      return int({ ...RATING, ...numericBounds(validation) })
    case 'boolean':
      return boolean()
    case 'date':
      return between(date(), validation)
    case 'datetime':
      return between(datetime(), validation)
    case 'select':
      return choice(choices)
    case 'multi_select':
      return several(choice(choices), validation)
    case 'user':
    case 'reference':
      return uuid()
    case 'json':
      return json()
  }
}

/** The second check runs only for values that pass the first. */
const both = (first: Schema<string>, second: Schema<string>): Schema<string> =>
  derived(first, (input, loc, issues) => {
    const before = issues.length
    const value = first.check(input, loc, issues)
    return issues.length === before ? second.check(value, loc, issues) : value
  })

function textual(type: FieldType, { min_length, max_length, pattern }: Validation): Schema<string> {
  const plain = text({
    ...(min_length == null ? {} : { min: min_length }),
    max: Math.min(max_length ?? Number.POSITIVE_INFINITY, TEXT_LIMITS[type] ?? Number.POSITIVE_INFINITY),
  })
  if (pattern == null) return plain
  const matches = compilePattern(pattern)
  return derived(plain, (input, loc, issues) => {
    const before = issues.length
    const value = plain.check(input, loc, issues)
    if (issues.length === before && !matches(value)) {
      const msg = `String should match pattern '${pattern}'`
      issues.push({ type: 'string_pattern_mismatch', loc, msg, input, ctx: { pattern } })
    }
    return value
  })
}

const numericBounds = ({ min, max }: Validation) => ({
  ...(typeof min === 'number' ? { min } : {}),
  ...(typeof max === 'number' ? { max } : {}),
})

/** Dates and times are stored as texts that sort chronologically. */
const between = (inner: Schema<string>, { min, max }: Validation): Schema<string> =>
  derived(inner, (input, loc, issues) => {
    const before = issues.length
    const value = inner.check(input, loc, issues)
    if (issues.length !== before) return value
    if (typeof max === 'string' && value > max) {
      const msg = `Input should be less than or equal to ${max}`
      issues.push({ type: 'less_than_equal', loc, msg, input, ctx: { le: max } })
    } else if (typeof min === 'string' && value < min) {
      const msg = `Input should be greater than or equal to ${min}`
      issues.push({ type: 'greater_than_equal', loc, msg, input, ctx: { ge: min } })
    }
    return value
  })

/** Without options there is nothing to choose. */
const choice = (values: string[]): Schema<string> =>
  values.length > 0
    ? oneOf(values)
    : derived(text(), (input, loc, issues) => {
        const msg = 'Value error, this field has no options to choose from'
        issues.push({ type: 'value_error', loc, msg, input, ctx: { error: {} } })
        return String(input)
      })

const several = (one: Schema<string>, { min_length, max_length }: Validation): Schema<string[]> => {
  const inner = list(one, {
    ...(min_length == null ? {} : { min: min_length }),
    max: Math.min(max_length ?? MAX_CHOICES, MAX_CHOICES),
  })
  return derived(inner, (input, loc, issues) => {
    const values = inner.check(input, loc, issues)
    return Array.isArray(values) ? [...new Set(values)] : values
  })
}
