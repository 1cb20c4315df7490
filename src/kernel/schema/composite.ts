import { isRecord } from '../../lib/values.ts'
import { MAX_ISSUES } from './bounded-issues.ts'
import {
  fail,
  HERE,
  type Infer,
  type Issue,
  type JsonSchema,
  type Loc,
  type Meta,
  meaningless,
  type OptionalSchema,
  prefix,
  type Schema,
  schema,
} from './types.ts'
import { optional } from './wrap.ts'

export type Fields = Readonly<Record<string, Schema<unknown>>>

type AbsentKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalSchema<unknown> ? K : never
}[keyof F]

type Flat<T> = { [K in keyof T]: T[K] }

export type ObjectOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, AbsentKeys<F>>]: Infer<F[K]> } & { [K in AbsentKeys<F>]?: Infer<F[K]> }
>

export type ObjectSchema<F extends Fields = Fields> = Schema<ObjectOf<F>> & { readonly fields: F }

/** An object schema by the type of its values, where its fields are not known one by one. */
export type RecordSchema<T> = Schema<T> & { readonly fields: Fields }

interface Slot {
  readonly key: string
  readonly check: Schema<unknown>['check']
  /** The key is also a name on Object.prototype, so that reading it does not show whether the input has it. */
  readonly inherited: boolean
  readonly required: boolean
  readonly fill: (() => unknown) | undefined
}

function slotOf([key, field]: [string, Schema<unknown>]): Slot {
  // Assigning to this key on a plain object replaces its prototype instead of storing a value.
  if (key === '__proto__') throw new Error('A field cannot be named __proto__')
  const value = field.default
  return {
    key,
    check: field.check,
    inherited: key in Object.prototype,
    required: !field.optional,
    // A list or an object is copied: a handler that changes its default must not change it for later requests.
    fill: 'default' in field ? () => copy(value) : undefined,
  }
}

/** For JSON values; nearly every default is a scalar or empty, and structuredClone takes 2 µs even for `{}`. */
function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Object.keys(value).length === 0) return Array.isArray(value) ? [] : {}
  return structuredClone(value)
}

function objectJson(fields: Fields): JsonSchema {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => !field.optional).map(([key]) => key)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, field]) => [key, field.json])),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Unknown keys are ignored; an absent optional key stays absent unless it has a default. */
export const object = <F extends Fields>(fields: F, options?: Meta): ObjectSchema<F> => ({
  ...objectOf<ObjectOf<F>>(fields, options),
  fields,
})

/** `T` is the combined type of the fields, which the callers derive from their schemas. */
function objectOf<T>(fields: Fields, options?: Meta): RecordSchema<T> {
  const slots = Object.entries(fields).map(slotOf)

  const check = (input: unknown, loc: Loc, issues: Issue[]): T => {
    if (!isRecord(input)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from'
      return fail(issues, loc, input, 'model_attributes_type', msg)
    }
    const out: Record<string, unknown> = {}
    const start = issues.length
    for (const slot of slots) {
      const { key } = slot
      const value = slot.inherited && !Object.hasOwn(input, key) ? undefined : input[key]
      if (value === undefined) {
        if (slot.fill) out[key] = slot.fill()
        else if (slot.required) fail(issues, [...loc, key], input, 'missing', 'Field required')
        continue
      }
      const before = issues.length
      out[key] = slot.check(value, HERE, issues)
      if (issues.length !== before) prefix(issues, before, loc, key)
      if (issues.length - start > MAX_ISSUES) break
    }
    return out as T
  }

  return { ...schema(objectJson(fields), options, check), fields }
}

/** The same object with every key optional and no defaults: an absent key means "unchanged". */
export function partial<T>(whole: RecordSchema<T>, options?: Meta): RecordSchema<Partial<T>> {
  const entries = Object.entries(whole.fields).map(([key, field]) => [key, optional(field)] as const)
  return objectOf(Object.fromEntries(entries), options)
}

/** The fields of both, those of `first` first; rules about a whole object are dropped. */
export const combined = <A, B>(
  first: RecordSchema<A>,
  second: RecordSchema<B>,
  options?: Meta,
): RecordSchema<A & B> => objectOf({ ...first.fields, ...second.fields }, options)

/** The same object without some of its optional fields. */
export function without<T>(
  whole: RecordSchema<T>,
  names: readonly string[],
  options?: Meta,
): RecordSchema<T> {
  const entries = Object.entries(whole.fields).filter(([name]) => !names.includes(name))
  return objectOf(Object.fromEntries(entries), options)
}

/** The same object with further keys, published as a combination of both schemas. */
export const extended = <F extends Fields, G extends Fields>(
  whole: { readonly fields: F; readonly json: JsonSchema },
  further: G,
): ObjectSchema<F & G> => ({
  ...object({ ...whole.fields, ...further }),
  json: { allOf: [whole.json, objectJson(further)] },
})

export interface ListOptions extends Meta {
  readonly min?: number
  readonly max?: number
}

const items = (count: number): string => `${count} item${count === 1 ? '' : 's'}`

export function list<T>(item: Schema<T>, options: ListOptions = {}): Schema<T[]> {
  const { min = 0, max = Number.POSITIVE_INFINITY } = options
  const json: Record<string, unknown> = { type: 'array', items: item.json }
  if (options.min !== undefined) json.minItems = options.min
  if (options.max !== undefined) json.maxItems = options.max

  return schema<T[]>(json, options, (input, loc, issues) => {
    if (!Array.isArray(input)) return fail(issues, loc, input, 'list_type', 'Input should be a valid list')
    const actual = input.length
    // Checked before the items: a list that is a million items too long must not be reported item by item.
    if (actual > max) {
      const msg = `List should have at most ${items(max)} after validation, not ${actual}`
      const ctx = { field_type: 'List', max_length: max, actual_length: actual }
      return fail(issues, loc, input, 'too_long', msg, ctx)
    }
    const out: T[] = []
    const start = issues.length
    for (let i = 0; i < actual; i++) {
      const before = issues.length
      out.push(item.check(input[i], HERE, issues))
      if (issues.length !== before) prefix(issues, before, loc, i)
      // More are not shown to the client.
      if (issues.length - start > MAX_ISSUES) break
    }
    if (actual < min && issues.length === start) {
      const msg = `List should have at least ${items(min)} after validation, not ${actual}`
      const ctx = { field_type: 'List', min_length: min, actual_length: actual }
      return fail(issues, loc, input, 'too_short', msg, ctx)
    }
    return out
  })
}

/**
 * Takes the first branch that accepts the input unchanged, else the first that accepts it after coercion, so
 * that "5" stays a text where a text is allowed. When none does, every branch reports under its own name.
 */
export function union<B extends Fields>(branches: B, options?: Meta): Schema<Infer<B[keyof B]>> {
  type Value = Infer<B[keyof B]>
  const entries = Object.entries(branches)
  const json: JsonSchema = { anyOf: entries.map(([, branch]) => branch.json) }

  return schema<Value>(json, options, (input, loc, issues) => {
    const start = issues.length
    let coerced: { value: Value } | undefined
    for (const [name, branch] of entries) {
      const before = issues.length
      const value = branch.check(input, HERE, issues) as Value
      if (issues.length !== before) {
        prefix(issues, before, loc, name)
      } else if (value === input) {
        issues.length = start
        return value
      } else {
        coerced ??= { value }
      }
    }
    if (!coerced) return meaningless()
    issues.length = start
    return coerced.value
  })
}
