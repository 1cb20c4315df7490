/** Every place of an operation where an id can stand, and a request with a given id in that place alone. */
import type { JsonSchema } from '../../src/kernel/schema/index.ts'
import type { Row } from './any-row.ts'
import type { Operation, Parameter } from './openapi.ts'
import { kindOf, kindsOf, sample, smallestBody } from './sample.ts'

export interface Call {
  method: Operation['method']
  url: string
  headers: Record<string, string>
  payload?: string
}

export interface Place {
  /** e.g. `path company_id`, `body application/json associated_company_ids.0` */
  name: string
  in: 'path' | 'query' | 'header' | 'body' | 'nowhere'
  /** the request with the id of this row here; every other id is one of the account's own */
  call(rows: Records): Call
}

/** A row of each table; the id that a place takes comes from the row that fits its name. */
export type Records = ReadonlyMap<string, Row>

export function placesOf(operation: Operation, own: Records): Place[] {
  const places = operation.parameters
    .filter(takesId)
    .map(parameter => parameterPlace(operation, parameter, own))
  for (const [type, schema] of operation.bodies) places.push(...bodyPlaces(operation, type, schema, own))
  if (places.length > 0) return places
  return [{ name: 'no id', in: 'nowhere', call: () => callOf(operation, own) }]
}

const takesId = ({ name, in: where, schema }: Parameter): boolean => {
  if (where === 'header') return name.toLowerCase() === 'x-account-id'
  if (where === 'path') return kindOf(schema).enum === undefined
  return name === 'ids' || leavesOf(schema, name).length > 0
}

function parameterPlace(operation: Operation, { name, in: where }: Parameter, own: Records): Place {
  return {
    name: `${where} ${name}`,
    in: where,
    call(rows) {
      const id = idFor(rows, operation.path, where === 'header' ? 'account_id' : name)
      return callOf(operation, own, { [where]: { [name]: id } })
    },
  }
}

function bodyPlaces(operation: Operation, type: string, schema: JsonSchema, own: Records): Place[] {
  return leavesOf(schema, 'ids').map(({ at, name, value }) => ({
    name: `body ${type} ${at}`,
    in: 'body',
    call: rows =>
      callOf(operation, own, {
        type,
        body: value(idFor(rows, operation.path, name), ownIds(operation, own)),
      }),
  }))
}

const ownIds = (operation: Operation, own: Records) => (name: string) => idFor(own, operation.path, name)

interface Leaf {
  at: string
  /** the name that says which kind of record is meant */
  name: string
  /** a value for the schema with the id in this place */
  value(id: string, usual: (name: string) => string): unknown
}

/** The places in a schema that take an id, also within lists, objects and alternatives. */
function leavesOf(schema: JsonSchema, name: string): Leaf[] {
  return kindsOf(schema).flatMap((kind): Leaf[] => {
    if (kind.format === 'uuid') return [{ at: '', name, value: id => id }]
    if (kind.type === 'array' && kind.items)
      return leavesOf(kind.items, name).map(leaf => ({
        ...leaf,
        at: `0${leaf.at && `.${leaf.at}`}`,
        value: (id, usual) => [leaf.value(id, usual)],
      }))
    const { properties } = kind
    if (kind.type !== 'object' || !properties) return []
    return Object.entries(properties).flatMap(([key, property]) =>
      leavesOf(property, key).map(leaf => ({
        ...leaf,
        at: `${key}${leaf.at && `.${leaf.at}`}`,
        value: (id: string, usual: (name: string) => string) => ({
          ...(smallestBody(kind, usual) as object),
          ...typeBeside(key, properties, usual),
          [key]: leaf.value(id, usual),
        }),
      })),
    )
  })
}

/** `entity_id` goes with `entity_type`. */
function typeBeside(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  usual: (name: string) => string,
): Row {
  const type = name.replace(/_ids?$/, '_type')
  const schema = properties[type]
  return type === name || schema === undefined ? {} : { [type]: sample(schema, type, usual) }
}

interface Overrides {
  path?: Record<string, string>
  query?: Record<string, string>
  header?: Record<string, string>
  type?: string
  body?: unknown
}

/** The smallest request that the operation accepts, with the account's own ids but for the overrides. */
export function callOf(operation: Operation, own: Records, overrides: Overrides = {}): Call {
  const usual = ownIds(operation, own)
  let url = operation.path
  const query = new URLSearchParams()
  for (const { name, in: where, required, schema } of operation.parameters) {
    const value = () => String(sample(schema, name, usual))
    if (where === 'path') {
      const isId = kindOf(schema).enum === undefined
      url = url.replace(`{${name}}`, overrides.path?.[name] ?? (isId ? usual(name) : value()))
    }
    if (where === 'query' && overrides.query?.[name] !== undefined) query.set(name, overrides.query[name])
    else if (where === 'query' && required) query.set(name, value())
  }
  const text = query.toString()
  return {
    method: operation.method,
    url: text === '' ? url : `${url}?${text}`,
    headers: { ...overrides.header },
    ...bodyOf(operation, overrides, usual),
  }
}

function bodyOf(operation: Operation, overrides: Overrides, usual: (name: string) => string) {
  const [first] = operation.bodies
  if (!first) return {}
  const type = overrides.type ?? first[0]
  const body = 'body' in overrides ? overrides.body : smallestBody(first[1], usual)
  if (type !== 'multipart/form-data')
    return { payload: JSON.stringify(body), headers: { ...overrides.header, 'content-type': type } }
  return {
    payload: multipart(body as Row),
    headers: { ...overrides.header, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

const BOUNDARY = 'boundary-of-the-test'

/** Each field as a part; `file` is a small CSV file. */
function multipart(fields: Row): string {
  const parts = Object.entries({ file: '', ...fields }).map(([name, value]) => {
    const isFile = name === 'file'
    const about = isFile ? '; filename="a.csv"\r\ncontent-type: text/csv' : ''
    const content = isFile ? 'name\nA\n' : typeof value === 'string' ? value : JSON.stringify(value)
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${about}\r\n\r\n${content}\r\n`
  })
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

export const idFor = (rows: Records, path: string, name: string): string => {
  const row = recordFor(rows, path, name)
  return String(
    name === 'account_slug' || name === 'page_slug' ? row.slug : name === 'token' ? row.token : row.id,
  )
}

/** Words that say what a record is to another, not what it is. */
const ALIASES: Record<string, string> = {
  person: 'contact',
  team: 'contact',
  owner: 'user',
  assignee: 'user',
  entity: 'company',
  key: 'api_key',
  token: 'chat_share',
  account_slug: 'account',
  page_slug: 'kb_document',
}

/** The record for a parameter or field: `company_id` and `associated_company_ids` mean a company. */
export function recordFor(from: Records, path: string, name: string): Row {
  const group = path.split('/').filter(part => part !== '' && part !== 'api' && !part.startsWith('{'))
  const words = (ALIASES[name] ?? name).replace(/_?ids?$/, '').split('_')
  const candidates = words
    .flatMap((_, i) => words.slice(i).join('_'))
    .flatMap(word => [word, ALIASES[word] ?? word])
  // What has no word of its own (`primary_id`, `ids`) is of the group's kind.
  const kinds = [...candidates.map(plural), ...group.map(part => part.replaceAll('-', '_')).reverse()]
  const tables = [...from].filter(([, row]) => typeof row.id === 'string').map(([table]) => table)
  for (const kind of kinds) {
    const row = from.get(kind)
    if (row?.id) return row
    const longer = tables.filter(table => table.endsWith(`_${kind}`))
    const ofGroup = longer.find(table => group.some(part => plural(table.split('_')[0] ?? '') === part))
    const match = from.get(ofGroup ?? longer[0] ?? '')
    if (match) return match
  }
  return from.get('companies') ?? {}
}

const plural = (word: string) => (word.endsWith('y') ? word.replace(/y$/, 'ies') : `${word}s`)
