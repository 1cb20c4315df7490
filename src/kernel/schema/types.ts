export { isRecord } from '../../lib/values.ts'

export type Loc = readonly (string | number)[]

/** One entry of a 422 body; the keys are serialised in this order. */
export interface Issue {
  type: string
  loc: Loc
  msg: string
  input: unknown
  ctx?: Record<string, unknown>
}

/** JSON Schema 2020-12, as OpenAPI 3.1 embeds it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly default?: unknown
  /** in place of a schema that contains itself: its title. Where no reference is possible, any object is published */
  readonly self?: string
}

export interface Schema<T> {
  /**
   * Returns the coerced value; pushes problems onto `issues` (the return value is then meaningless). A plain
   * function that does not use `this`: wrappers pass it on.
   */
  check(input: unknown, loc: Loc, issues: Issue[]): T
  readonly json: JsonSchema
  /** true when the key may be absent in an object. */
  readonly optional: boolean
  /** The value for an absent key, if there is one (then `optional` is true). */
  readonly default?: unknown
}

/** May be absent and then stays absent: `key?: T`. */
export interface OptionalSchema<T> extends Schema<T> {
  readonly optional: true
  readonly default?: never
}

/** May be absent and is then filled in: a required key in the output. */
export interface DefaultSchema<T> extends Schema<T> {
  readonly optional: true
  readonly default: T
}

export type Infer<S> = S extends Schema<infer T> ? T : never

/** The description of a schema in the published document. */
export interface Meta {
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly deprecated?: boolean
  /** in answers only, never in requests */
  readonly readOnly?: boolean
}

const META_KEYS = ['title', 'description', 'examples', 'deprecated', 'readOnly'] as const

/** Separates the description of a value from its constraints, so that a wrapper can have the description. */
export function splitMeta(json: JsonSchema): { meta: JsonSchema; rest: JsonSchema } {
  const meta: Record<string, unknown> = {}
  const rest: Record<string, unknown> = { ...json }
  for (const key of META_KEYS) {
    if (rest[key] === undefined) continue
    meta[key] = rest[key]
    delete rest[key]
  }
  return { meta, rest }
}

export function metaOf(options: Meta | undefined): JsonSchema {
  return options ? splitMeta({ ...options }).meta : {}
}

export function schema<T>(json: JsonSchema, options: Meta | undefined, check: Schema<T>['check']): Schema<T> {
  return { check, json: { ...json, ...metaOf(options) }, optional: false }
}

/**
 * Composites check their parts at this empty loc and prefix it only when something was pushed, so that a good
 * body allocates no loc at all.
 */
export const HERE: Loc = Object.freeze([])

export function prefix(issues: Issue[], from: number, loc: Loc, key: string | number): void {
  for (const issue of issues.slice(from)) {
    issue.loc = [...loc, key, ...issue.loc]
  }
}

/**
 * Reports and returns a placeholder. The cast is sound by the contract of `check`: no caller may use the value of
 * a check that pushed an issue.
 */
export function fail<T>(
  issues: Issue[],
  loc: Loc,
  input: unknown,
  type: string,
  msg: string,
  ctx?: Record<string, unknown>,
): T {
  issues.push(ctx ? { type, loc, msg, input, ctx } : { type, loc, msg, input })
  return meaningless()
}

/** The return value of a check that reports an issue. */
export const meaningless = <T>(): T => undefined as T

/** A rule of the service, in the form in which FastAPI serialises a ValueError (its exception becomes an empty object). */
export function failRule<T>(issues: Issue[], loc: Loc, input: unknown, text: string): T {
  issues.push(ruleIssue(loc, input, text))
  return meaningless()
}

export const ruleIssue = (loc: Loc, input: unknown, text: string): Issue => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${text}`,
  input,
  ctx: { error: {} },
})
