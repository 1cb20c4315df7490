import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { empty, endpointsOf, idArray } from '../../kernel/general-endpoints.ts'
import { int, object, withDefault } from '../../kernel/schema/index.ts'
import { operations, rotate } from './keys.ts'
import { apiKey, keyInput, newKeyOutput } from './record.ts'

const tag = 'API keys'
const path = '/api/api-keys'
const shown = { permission: 'api-keys:write', tag, response: newKeyOutput, shownOnce: ['key'] } as const
const revoking = {
  summary: 'Revoke an API key',
  description: 'It stops working at once and permanently, and remains in the list.',
}
const WEEK = 7 * 24 * 3600

const own: Endpoint[] = [
  endpoint({
    ...shown,
    method: 'POST',
    path,
    summary: 'Create an API key',
    description:
      'The response contains the key, only this once: the service stores its hash. The key acts as the user who creates it, with their role.',
    body: keyInput,
    status: 201,
    run: (ctx, { body }) => operations.create(ctx, body),
  }),
  endpoint({
    ...shown,
    method: 'POST',
    path: `${path}/{key_id}/rotate`,
    summary: 'Rotate an API key',
    description:
      'The old key works until the grace period ends; without a grace period it stops working at once.',
    body: object({ grace_seconds: withDefault(int({ min: 0, max: WEEK }), 0) }, { title: 'ApiKeyRotate' }),
    bodyOptional: true,
    run: (ctx, { params, body }) => rotate(ctx, params.key_id, body.grace_seconds),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/bulk-delete`,
    tag,
    permission: 'api-keys:write',
    summary: 'Revoke several API keys',
    description: 'Unknown ids are skipped.',
    body: idArray,
    response: empty,
    // unlike other bulk deletes not an operation, because it cannot be undone
    run: async (ctx, { body }) => {
      await operations.remove(ctx, body)
      return {}
    },
  }),
]

/** A revoked key cannot be restored. */
export const apiKeyEndpoints: Endpoint[] = endpointsOf({
  name: 'api-keys',
  idParam: 'key_id',
  tag,
  record: apiKey,
  operations,
  endpoints: own,
})
  .filter(({ path: where }) => !where.endsWith('/restore'))
  .map(endpoint => ({ role: 'admin', ...endpoint, ...(endpoint.method === 'DELETE' ? revoking : {}) }))
