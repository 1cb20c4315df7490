/** An account whose answers are compared with the published document: types, fields that are missing, fields too many. */
import { openApi } from '../../src/http/openapi/index.ts'
import { allEndpoints } from '../../src/service.ts'
import type { Account, Answer } from './service.ts'

interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
}
interface Operation {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}

const document = openApi(allEndpoints()) as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** Literal segments before parameters, as the service routes. */
const routes = Object.entries(document.paths)
  .map(([path, operations]) => ({
    operations,
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
  }))
  .sort((a, b) => (a.path.replaceAll('{', '~') < b.path.replaceAll('{', '~') ? -1 : 1))

export function conforming(account: Account): Account {
  const call: Account['call'] = async (method, path, body, headers) => {
    const answer = await account.call(method, path, body, headers)
    const problems = problemsOf(method, path, answer)
    if (problems.length > 0)
      throw new Error(
        `${method} ${path} → ${answer.status} differs from openapi.json:\n${problems.join('\n')}`,
      )
    return answer
  }
  return {
    ...account,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
    async create(path, body) {
      const answer = await call('POST', path, body)
      if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
      return answer.body
    },
  }
}

function problemsOf(method: string, path: string, answer: Answer): string[] {
  const [plain = ''] = path.split('?')
  const operation = routes.find(
    ({ pattern, operations }) => pattern.test(plain) && operations[method.toLowerCase()],
  )?.operations[method.toLowerCase()]
  // A replay lacks what is shown once.
  if (answer.headers.get('idempotency-replayed')) return []
  if (!operation || !answer.headers.get('content-type')?.startsWith('application/json')) return []
  const { status } = answer
  const declared = operation.responses[status] ?? (status < 500 ? operation.responses['4XX'] : undefined)
  if (!declared || (status < 400 && !operation.responses[status]))
    return [`the status ${status} is not declared`]
  const response = declared.$ref ? (resolved(declared.$ref) as typeof declared) : declared
  const schema = response.content?.['application/json']?.schema
  return schema ? differences(schema, answer.body, '') : ['no JSON is declared']
}

const resolved = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document)

function differences(schema: Schema, value: unknown, at: string): string[] {
  const parts = partsOf(schema)
  if (parts.length > 1) return objectDifferences(parts, value, at)
  const [part = {}] = parts
  if (part.anyOf && !part.properties) {
    const found = part.anyOf.map(branch => differences(branch, value, at))
    return found.find(list => list.length === 0) ?? found.sort((a, b) => a.length - b.length)[0]!
  }
  if (part.enum && !part.enum.includes(value))
    return [`${at}: ${JSON.stringify(value)} is not among its values`]
  if (part.type && !isOfType(part.type, value))
    return [`${at}: ${JSON.stringify(value)} is not of type ${part.type}`]
  if (Array.isArray(value) && part.items)
    return value.flatMap((item, i) => differences(part.items!, item, `${at}[${i}]`))
  return part.properties ? objectDifferences(parts, value, at) : []
}

/** A schema with its references followed, several where it is put together of several. */
function partsOf(schema: Schema): Schema[] {
  if (schema.$ref) return partsOf(resolved(schema.$ref) as Schema)
  return schema.allOf ? schema.allOf.flatMap(partsOf) : [schema]
}

function objectDifferences(parts: Schema[], value: unknown, at: string): string[] {
  if (!isOfType('object', value)) return [`${at}: ${JSON.stringify(value)} is no object`]
  const object = value as Record<string, unknown>
  const properties: Record<string, Schema> = Object.assign({}, ...parts.map(part => part.properties))
  const missing = parts.flatMap(part => part.required ?? []).filter(name => !Object.hasOwn(object, name))
  return [
    ...missing.map(name => `${at}.${name} is missing`),
    ...Object.entries(object).flatMap(([name, inner]) => {
      const schema = properties[name]
      return schema ? differences(schema, inner, `${at}.${name}`) : [`${at}.${name} is not declared`]
    }),
  ]
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
