/** Answers that many endpoints have in common. */
import type { Endpoint } from '../../kernel/resource.ts'
import { refTo, type Schemas } from './schemas.ts'

type Json = Record<string, unknown>

/** All errors except 422 have one form, so each operation has one entry for them: six would be a third of the document. */
export const RESPONSES: Record<string, Json> = {
  Problem: {
    description:
      '401: credentials are missing or not valid. 403: the role or scopes of the caller do not allow this. 404: there is no such record in the account. 409: the request conflicts with stored data. 412: the record has changed since it was read (If-Match). 413, 415: the upload is too large or of another type. 429: too many requests.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    content: { 'application/json': { schema: { $ref: refTo('Error') } } },
  },
  ValidationFailed: {
    description: 'The request failed validation; nothing was written',
    content: { 'application/json': { schema: { $ref: refTo('HTTPValidationError') } } },
  },
}

export const HEADERS: Record<string, Json> = {
  ETag: { description: 'Changes whenever the record changes', schema: { type: 'string' } },
  OperationId: {
    description: 'The operation, to undo it by `POST /api/operations/{operation_id}/undo`',
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: { description: 'With 429: seconds to wait', schema: { type: 'integer' } },
}

export const ERROR_SCHEMAS: Record<string, Json> = {
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      type: { type: 'string', description: 'The kind of problem', examples: ['string_too_long'] },
      loc: {
        type: 'array',
        description: 'The path to the value, beginning with body, query, path or header',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        examples: [['body', 'name']],
      },
      msg: { type: 'string', examples: ['String should have at most 255 characters'] },
      input: { description: 'The value in the request' },
      ctx: { type: 'object', additionalProperties: true, description: 'Values used in the message' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'array', items: { $ref: refTo('ValidationError') } } },
  },
  Error: {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string', examples: ['Company not found'] } },
  },
}

export function responsesOf(endpoint: Endpoint, schemas: Schemas): Json {
  const status = String(endpoint.status ?? 200)
  const json = endpoint.response
    ? { 'application/json': { schema: schemas.publish(endpoint.response.json, 'response') } }
    : undefined
  const other = endpoint.responseContent && otherContent(endpoint.responseContent)
  const others = endpoint.otherStatuses?.map(String) ?? []
  const main = { description: DESCRIPTIONS[status] ?? 'OK', ...headersOf(endpoint), content: json ?? other }
  return {
    // Another form for clients that request it by Accept.
    ...(json && other ? { 200: { description: 'As an event stream', content: other } } : {}),
    [status]: main,
    ...Object.fromEntries(others.map(code => [code, { ...main, description: DESCRIPTIONS[code] ?? 'OK' }])),
    422: { $ref: '#/components/responses/ValidationFailed' },
    '4XX': { $ref: '#/components/responses/Problem' },
  }
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted: the work goes on in the background',
}

function headersOf({ single, operationHeader }: Endpoint): Json {
  const headers = {
    ...(single ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(operationHeader ? { 'X-Operation-ID': { $ref: '#/components/headers/OperationId' } } : {}),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** Every content type except pages and event streams is a file. */
function otherContent(content: NonNullable<Endpoint['responseContent']>): Json {
  const entries = Object.entries(content).map(([type, schema]) => {
    const isFile = type !== 'text/html' && type !== 'text/event-stream'
    return [type, { schema: isFile ? { type: 'string', format: 'binary' } : schema }]
  })
  return Object.fromEntries(entries)
}
