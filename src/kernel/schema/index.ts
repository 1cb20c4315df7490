export { boundedIssues, MAX_ISSUES } from './bounded-issues.ts'
export {
  combined,
  extended,
  type Fields,
  type ListOptions,
  list,
  type ObjectOf,
  type ObjectSchema,
  object,
  partial,
  type RecordSchema,
  union,
  without,
} from './composite.ts'
export { date, datetime } from './datetime.ts'
export { email } from './email.ts'
export { type ParsedBody, parseJsonBody } from './json-body.ts'
export { dict, json, MAX_JSON_BYTES, MAX_JSON_KEYS } from './json-value.ts'
export { decompose, hasLongMarkRun, MAX_MARKS } from './marks.ts'
export { asRequest, asResponse, type Direction, published } from './published.ts'
export { boolean, type IntOptions, int, type NumberOptions, number } from './scalars.ts'
export { type OneOfOptions, oneOf, type TextOptions, text } from './text.ts'
export type { DefaultSchema, Infer, Issue, JsonSchema, Loc, Meta, OptionalSchema, Schema } from './types.ts'
export { uuid } from './uuid.ts'
export { nullable, optional, rule, sometimes, withDefault } from './wrap.ts'
