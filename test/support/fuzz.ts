/** Random requests that mostly fit the OpenAPI document and are wrong in one or a few places, repeatable by seed. */
import type { JsonSchema } from '../../src/kernel/schema/index.ts'
import { type Call, callOf, idFor, type Records } from './id-places.ts'
import type { Operation } from './openapi.ts'
import { kindsOf } from './sample.ts'

export interface Random {
  /** from 0 to 1, without 1 */
  next(): number
  chance(probability: number): boolean
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

/** mulberry32 */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: probability => next() < probability,
    pick: from => {
      const chosen = from[below(from.length)]
      if (chosen === undefined) throw new Error('there is nothing to pick from')
      return chosen
    },
  }
}

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'null',
  'true',
  '0',
  '-1',
  "'; drop table companies; --",
  '%',
  '_',
  '\\',
  '"',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'constructor',
  '__proto__',
  'toString',
  '\u202eabc',
  'a\u0301'.repeat(40),
  '\ufdfa'.repeat(50),
  '👩‍👩‍👧‍👦',
  'İıſß',
  'x'.repeat(300),
  'x'.repeat(70_000),
  '\n\r\t',
  '0000-00-00',
  '9999-12-31',
  '10000-01-01',
  '2026-02-30',
  '2026-01-31T25:00:00Z',
  '+275760-09-13T00:00:00Z',
  'infinity',
  'NaN',
  '1e400',
  '9223372036854775808',
  '(?:a+)+$',
  'a@b',
  'http://',
  'javascript:alert(1)',
]
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: { b: [] } },
  { constructor: 1 },
  JSON.parse('{"__proto__": {"a": 1}}'),
  [[[[[[[[[[]]]]]]]]]],
]

const hostile = (random: Random): unknown => (random.chance(0.6) ? random.pick(TEXTS) : random.pick(VALUES))

/** How often a value is replaced by a hostile one. */
const HOSTILE = 0.06

type IdOf = (name: string) => string

/** A value that usually fits the schema. */
function anyValue(random: Random, schema: JsonSchema, name: string, idOf: IdOf, depth = 0): unknown {
  if (random.chance(HOSTILE)) return hostile(random)
  const kind = random.pick(kindsOf(schema))
  if (kind.enum) return random.pick(kind.enum as unknown[])
  if (kind.const !== undefined) return kind.const
  switch (kind.type) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'number':
      return numberOf(random, kind)
    case 'array': {
      const { items } = kind
      const length = depth > 4 || !items ? 0 : random.below(Math.min(4, Number(kind.maxItems ?? 3) + 1))
      return Array.from({ length }, () => anyValue(random, items ?? {}, name, idOf, depth + 1))
    }
    case 'object':
      return objectOf(random, kind, idOf, depth)
    case 'string':
      return textOf(random, kind, name, idOf)
    default:
      return hostile(random)
  }
}

function objectOf(random: Random, kind: JsonSchema, idOf: IdOf, depth: number): unknown {
  const object: Record<string, unknown> = {}
  const optional = depth > 4 ? 0 : random.pick([0.1, 0.3, 0.6])
  for (const [key, property] of Object.entries(kind.properties ?? {})) {
    const isRequired = kind.required?.includes(key) === true
    if (random.chance(isRequired ? 0.98 : optional))
      object[key] = anyValue(random, property, key, idOf, depth + 1)
  }
  if (!kind.properties && random.chance(0.5))
    object[random.pick(['a', 'key', ...TEXTS.slice(0, 24)])] = hostile(random)
  if (random.chance(0.05))
    object[random.pick(['unknown', 'constructor', 'account_id', 'id'])] = hostile(random)
  return object
}

function numberOf(random: Random, { minimum, maximum, type }: JsonSchema): number {
  const low = Number(minimum ?? 0)
  const high = Number(maximum ?? low + 1000)
  if (random.chance(0.2)) return random.pick([low, high, low - 1, high + 1])
  const value = low + random.next() * Math.min(high - low, 100)
  return type === 'integer' ? Math.floor(value) : value
}

function textOf(
  random: Random,
  { format, minLength, maxLength, pattern }: JsonSchema,
  name: string,
  idOf: IdOf,
): string {
  if (format === 'uuid' || /(^|_)ids?$/.test(name)) return idOf(name)
  if (format === 'email') return `person${random.below(1000)}@people.test`
  if (format === 'date') return `2026-0${1 + random.below(9)}-1${random.below(10)}`
  if (format === 'date-time')
    return `2026-0${1 + random.below(9)}-1${random.below(10)}T0${random.below(10)}:30:00Z`
  if (pattern !== undefined) return random.pick(['USD', 'EUR', '#aabbcc', 'en', 'abc'])
  const [shortest, longest] = [Number(minLength ?? 0), Number(maxLength ?? 200)]
  if (random.chance(0.05)) return 'y'.repeat(Math.min(longest + random.below(2), 300_000))
  const words = random.pick([
    'Acme',
    'Ada Lovelace',
    'name',
    'created_at',
    'How many companies?',
    'Größe',
    'asc',
    'company',
  ])
  return words.padEnd(shortest, '.').slice(0, Math.max(longest, 1))
}

/** Longer addresses are refused before they reach a route (431). */
const MAX_QUERY = 1000

/** A request to the operation with the account's own ids where ids go, most of the time. */
export function randomCall(random: Random, operation: Operation, own: Records): Call {
  const idOf: IdOf = name => {
    if (random.chance(0.05)) return random.pick(['zz', '01900000-0000-7000-8000-000000000000', ...TEXTS])
    return idFor(own, operation.path, name)
  }
  const query: Record<string, string> = {}
  const path: Record<string, string> = {}
  const share = random.pick([0.02, 0.1, 0.3])
  for (const { name, in: where, required, schema } of operation.parameters) {
    const text = () => toText(anyValue(random, schema, name, idOf))
    if (where === 'query' && random.chance(required ? 0.95 : share)) query[name] = text().slice(0, MAX_QUERY)
    if (where === 'path')
      path[name] = encodeURIComponent(wellFormed(schema.enum ? text() : idOf(name)) || 'x')
  }
  if (random.chance(0.04))
    query[random.pick(['constructor', '__proto__', 'cf.x', 'cf.', 'unknown'])] = random
      .pick(TEXTS)
      .slice(0, MAX_QUERY)
  const [type, schema] = [...operation.bodies][random.below(operation.bodies.size)] ?? []
  const body =
    type === undefined || schema === undefined
      ? {}
      : { type, body: random.chance(0.03) ? hostile(random) : anyValue(random, schema, 'ids', idOf) }
  const call = callOf(operation, own, { path, query, ...body, header: headersFor(random, operation) })
  return random.chance(0.02) ? broken(random, call) : call
}

const toText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(toText).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

/** A lone surrogate cannot be sent in an address. */
const wellFormed = (text: string): string => text.toWellFormed().slice(0, 1500)

function headersFor(random: Random, { method, permission }: Operation): Record<string, string> {
  const headers: Record<string, string> = {}
  if (random.chance(0.2)) headers.prefer = 'handling=strict'
  if (random.chance(0.05)) headers['if-match'] = random.pick(['*', '"x"', 'x', ''])
  if (random.chance(0.05)) headers['if-none-match'] = random.pick(['*', '"x"', 'x', ''])
  if (random.chance(0.05) && permission !== 'public') headers['x-account-id'] = random.pick(['', 'zz', '*'])
  if (method === 'POST' && random.chance(0.1))
    headers['idempotency-key'] = random.pick(['a', 'b', 'x'.repeat(300), ' '])
  if (random.chance(0.02)) headers.accept = random.pick(['text/event-stream', 'text/html', '*/*', 'x'])
  return headers
}

/** A body that is not what its type says, or that has another type. */
function broken(random: Random, call: Call): Call {
  if (call.payload === undefined) return call
  if (random.chance(0.5))
    return { ...call, payload: random.pick(['{', '[1', '', '\ufeff{}', '{"a":1,}', 'nul', '"\\ud800"']) }
  const type = random.pick(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'x', ''])
  return { ...call, headers: { ...call.headers, 'content-type': type } }
}
