/**
 * Schemas of the document. One declaration serves requests and answers, which differ: a request may omit a field that
 * has a default, an answer always has it. So each schema is published for its direction.
 */
import { asRequest, asResponse, type Direction, type JsonSchema } from '../../kernel/schema/index.ts'

/** Where a reference points before the names are known. */
const MARK = /^(request|response) (\w+)$/

export interface Schemas {
  /** The schema for its direction; one with a title is stored under components and referred to. */
  publish(json: JsonSchema, direction: Direction): JsonSchema
  /** The components, by name, and a function that replaces the provisional references. */
  finish(): { schemas: Record<string, JsonSchema>; resolve: <T>(value: T) => T }
}

export function schemaRegistry(): Schemas {
  const titled: Record<Direction, Map<string, JsonSchema>> = { request: new Map(), response: new Map() }

  const publish: Schemas['publish'] = (json, direction) => {
    if (json.self !== undefined) return { $ref: `${direction} ${json.self}` }
    const inner = direction === 'request' ? asRequest(json, publish) : asResponse(json, publish)
    if (typeof json.title !== 'string' || json.type !== 'object') return inner
    const existing = titled[direction].get(json.title)
    if (existing && JSON.stringify(existing) !== JSON.stringify(inner)) {
      throw new Error(`Two schemas of a ${direction} are called ${json.title}: give one another title.`)
    }
    titled[direction].set(json.title, inner)
    return { $ref: `${direction} ${json.title}` }
  }

  /** A schema that differs by direction has two names: ContactEmail in answers, ContactEmailInput in requests. */
  function nameOf(direction: Direction, title: string): string {
    const other = titled.response.get(title)
    const isDifferent =
      direction === 'request' && other && textOf('response', title) !== textOf('request', title)
    return isDifferent ? `${title}Input` : title
  }

  /** The same for both directions where it refers to itself. */
  const textOf = (direction: Direction, title: string): string =>
    JSON.stringify(titled[direction].get(title)).replaceAll(`"${direction} ${title}"`, '"self"')

  function resolve<T>(value: T): T {
    if (Array.isArray(value)) return value.map(resolve) as T
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, inner]) => {
      const mark = key === '$ref' && typeof inner === 'string' ? MARK.exec(inner) : null
      return [key, mark ? refTo(nameOf(mark[1] as Direction, mark[2]!)) : resolve(inner)]
    })
    return Object.fromEntries(entries) as T
  }

  return {
    publish,
    finish() {
      const named = (['response', 'request'] as const).flatMap(direction =>
        [...titled[direction]].map(([title, json]) => [nameOf(direction, title), resolve(json)] as const),
      )
      const sorted = named.sort(([a], [b]) => (a < b ? -1 : 1))
      return { schemas: Object.fromEntries(sorted), resolve }
    },
  }
}

export const refTo = (name: string): string => `#/components/schemas/${name}`
