/**
 * Strict handling: unknown keys and parameters are an error instead of being ignored. The published schemas define what
 * is known, so strict handling accepts exactly what the OpenAPI document shows.
 */
import { isRecord } from '../lib/values.ts'
import { isCustomName } from './custom-values.ts'
import type { UploadPart } from './endpoint.ts'
import { errors } from './errors.ts'
import { nearest } from './nearest.ts'
import type { ApiRequest, Endpoint } from './resource.ts'
import type { Issue, JsonSchema, Loc } from './schema/index.ts'
import { failRule } from './schema/types.ts'

/** Of a body with a million unknown keys, only the first few are reported. */
const MAX_REPORTED = 20

/** `Prefer: handling=strict` (RFC 7240). If a preference occurs twice, the first one applies. */
export function prefersStrict(header: string | undefined): boolean {
  if (header === undefined) return false
  const preferences = header.split(',').map(preference => /^[^;]*/.exec(preference)?.[0].split('=') ?? [])
  const handling = preferences.find(([name]) => name?.trim().toLowerCase() === 'handling')
  return handling?.[1]?.trim().replaceAll('"', '').toLowerCase() === 'strict'
}

/** The keys of a body, at any depth, that its schema does not have. `shown` is the response schema. */
export function unknownKeys(json: JsonSchema, input: unknown, loc: Loc, shown?: JsonSchema): Issue[] {
  const issues: Issue[] = []
  collect(json, input, loc, issues, shown)
  return issues
}

function collect(json: JsonSchema, input: unknown, loc: Loc, issues: Issue[], shown?: JsonSchema): void {
  if (typeof input !== 'object' || input === null || issues.length >= MAX_REPORTED) return
  if (json.anyOf && !json.properties) {
    // Reports against the branch of a union that has the fewest unknown keys.
    const issuesByBranch = json.anyOf
      .filter(branch => fits(branch, input))
      .map(one => unknownKeys(one, input, loc))
    issues.push(...(issuesByBranch.sort((a, b) => a.length - b.length)[0] ?? []))
  } else if (Array.isArray(input)) {
    if (!json.items) return
    for (const [i, item] of input.entries()) collect(json.items, item, [...loc, i], issues)
  } else if (isRecord(input) && json.properties && json.additionalProperties !== true) {
    for (const [name, value] of Object.entries(input)) {
      const property = Object.hasOwn(json.properties, name) ? json.properties[name] : undefined
      if (property) collect(property, value, [...loc, name], issues)
      else if (issues.length < MAX_REPORTED)
        issues.push(extra([...loc, name], value, Object.keys(json.properties), shown))
    }
  }
}

const fits = (json: JsonSchema, input: object): boolean =>
  json.type === undefined || json.type === (Array.isArray(input) ? 'array' : 'object')

function extra(loc: Loc, input: unknown, names: readonly string[], shown?: JsonSchema): Issue {
  const name = String(loc.at(-1))
  const issue = { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input }
  if (Object.hasOwn(shown?.properties ?? {}, name))
    return { ...issue, msg: `${issue.msg}: this is read-only` }
  const suggestion = nearest(name, names)
  if (suggestion === undefined) return issue
  return { ...issue, msg: `${issue.msg}: did you mean '${suggestion}'?`, ctx: { suggestion } }
}

/** Query parameters that the endpoint does not have, and repeated ones of which only the last would be used. */
export function unknownParameters(endpoint: Endpoint, query: ApiRequest['rawQuery']): Issue[] {
  const fields = endpoint.query?.fields ?? {}
  const issues: Issue[] = []
  for (const [name, value] of Object.entries(query)) {
    if (issues.length === MAX_REPORTED) break
    if (endpoint.customFilters && isCustomName(name)) continue
    const loc = ['query', name]
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) issues.push(extra(loc, value, Object.keys(fields)))
    else if (Array.isArray(value) && !takesSeveral(name, field.json))
      failRule(issues, loc, value, 'send this parameter once')
  }
  return issues
}

export const takesSeveral = (name: string, json: JsonSchema): boolean =>
  name === 'ids' || json.type === 'array'

/** Yields the parts of an upload whose names are in the schema. Throws for other parts after all have been read. */
export async function* declaredParts(
  parts: AsyncIterable<UploadPart>,
  json: JsonSchema,
): AsyncGenerator<UploadPart> {
  const unknown: Issue[] = []
  for await (const part of parts) {
    const issues = unknownKeys(json, { [part.fieldname]: null }, ['body'])
    if (issues.length === 0) yield part
    else if (part.type === 'file') part.file.resume()
    unknown.push(...issues)
  }
  if (unknown.length > 0) throw errors.invalid(unknown.slice(0, MAX_REPORTED))
}
