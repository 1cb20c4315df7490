/**
 * JSON Schema for one direction. One declaration serves requests and answers, which differ: a request may omit a
 * field that has a default, an answer always has it.
 */
import type { JsonSchema } from './types.ts'

export type Direction = 'request' | 'response'

/** The whole schema for its direction, without references. */
export const published = (json: JsonSchema, direction: Direction): JsonSchema =>
  direction === 'request' ? asRequest(json, published) : asResponse(json, published)

/** Publishes a part of a schema, perhaps as a reference. */
type Publish = (json: JsonSchema, direction: Direction) => JsonSchema

/**
 * Generators treat a property with a default as always present, so in a request only the description names the
 * default.
 */
export function asRequest(json: JsonSchema, publish: Publish): JsonSchema {
  const { default: value, sometimes: _, readOnly: _readOnly, self: _self, ...rest } = json
  const inner = withParts(rest, part => publish(part, 'request'))
  if (value === undefined) return inner
  const text = `Defaults to ${JSON.stringify(value)}`
  return { ...inner, description: json.description ? `${json.description}. ${text}` : text }
}

/** Every property is always present, except those marked otherwise. */
export function asResponse(json: JsonSchema, publish: Publish): JsonSchema {
  const { default: _, sometimes: _sometimes, self: _self, ...rest } = json
  const inner = withParts(rest, part => publish(part, 'response'))
  if (!json.properties) return inner
  const { required: _required, ...open } = inner
  const always = Object.entries(json.properties).filter(([, property]) => !property.sometimes)
  return always.length > 0 ? { ...open, required: always.map(([name]) => name) } : open
}

function withParts(json: JsonSchema, publish: (part: JsonSchema) => JsonSchema): JsonSchema {
  const parts: Record<string, unknown> = { ...json }
  if (json.properties) {
    const properties = Object.entries(json.properties).map(([name, part]) => [name, publish(part)])
    parts.properties = Object.fromEntries(properties)
  }
  if (json.items) parts.items = publish(json.items)
  for (const key of ['anyOf', 'allOf', 'oneOf'] as const) {
    if (json[key]) parts[key] = json[key].map(publish)
  }
  return parts
}
