/** `/api/webhooks`: the URLs that events are posted to, and the log of deliveries. */
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { empty, endpointsOf, idArray, pageOf } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import type { Resource } from '../../kernel/resource.ts'
import { datetime, int, nullable, object, optional, withDefault, without } from '../../kernel/schema/index.ts'
import { eventKinds } from '../events/index.ts'
import { getDelivery, listDeliveries, replay, replaySince, sendTest } from './deliveries.ts'
import { operationsFor, rotate } from './operations.ts'
import { delivery, deliveryDetail, newWebhookOutput, secretText, webhook } from './record.ts'

const tag = 'Webhooks'
const path = '/api/webhooks'
const one = `${path}/{webhook_id}` as const
const read = { tag, permission: 'webhooks:read' } as const
const write = { tag, permission: 'webhooks:write' } as const
const shown = { ...write, response: newWebhookOutput, shownOnce: ['secret'] } as const
const DAY = 24 * 3600

const removing = {
  description: 'Also deletes its secret and its deliveries; this cannot be undone.',
}

/** Only admins and owners: a webhook sends records out of the account. */
export function webhookEndpoints(resources: readonly Resource[]): Endpoint[] {
  const kinds = eventKinds(resources)
  const operations = operationsFor(kinds)
  const own: Endpoint[] = [
    endpoint({
      ...shown,
      method: 'POST',
      path,
      summary: 'Create a webhook',
      description:
        'Events from now on are posted to the address, in order for each record and at least once, signed according to Standard Webhooks. The response contains the secret, only this once. docs/webhooks.md is a guide.',
      body: webhook.input,
      status: 201,
      run: (ctx, { body }) => operations.create(ctx, body),
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: `${path}/bulk-delete`,
      summary: 'Delete several webhooks',
      description: `${removing.description} Unknown ids are skipped.`,
      body: idArray,
      response: empty,
      // unlike other bulk deletes this is not an operation, because it cannot be undone
      run: async (ctx, { body }) => {
        await operations.remove(ctx, body)
        return {}
      },
    }),
    endpoint({
      ...shown,
      method: 'POST',
      path: `${one}/rotate-secret`,
      summary: 'Rotate the secret of a webhook',
      description:
        'During the overlap each delivery has two signatures, one of the old secret and one of the new, so that no delivery fails while the receiver switches to the new one.',
      body: object(
        { secret: optional(secretText), overlap_seconds: withDefault(int({ min: 0, max: 7 * DAY }), DAY) },
        { title: 'WebhookRotate' },
      ),
      bodyOptional: true,
      run: (ctx, { params, body }) => rotate(ctx, kinds, params.webhook_id, body),
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: `${one}/test`,
      summary: 'Send a test event',
      description:
        'Sends an event of the type `webhook.test`, once. Returns the delivery; read it again to see its result.',
      response: delivery.output,
      status: 202,
      run: (ctx, { params }) => sendTest(ctx, kinds, params.webhook_id),
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: `${one}/replay`,
      summary: 'Send all events since a time again',
      description:
        'Includes events that were delivered and events from before the webhook was created. Their `webhook-id` is the same as before.',
      body: object({ since: datetime() }, { title: 'WebhookReplay' }),
      response: object(
        {
          first_sequence: nullable(
            int({ min: 1, description: 'The first event that is sent again; null: there is none' }),
          ),
        },
        { title: 'WebhookReplayed' },
      ),
      status: 202,
      run: (ctx, { params, body }) => replaySince(ctx, kinds, params.webhook_id, body.since),
    }),
    endpoint({
      ...read,
      method: 'GET',
      path: `${one}/deliveries`,
      summary: 'List deliveries of a webhook',
      description:
        'Those that are pending, and those that ended within the last seven days (10,000 at most). Needs the read scopes of the webhook’s event types.',
      query: without(listParameters(delivery), ['webhook_id']),
      response: pageOf({ record: delivery }),
      run: (ctx, { params, query }) => listDeliveries(ctx, kinds, params.webhook_id, query),
    }),
    endpoint({
      ...read,
      method: 'GET',
      path: `${one}/deliveries/{delivery_id}`,
      summary: 'Get a delivery',
      description: 'With its request and its attempts.',
      response: deliveryDetail,
      single: true,
      run: (ctx, { params }) => getDelivery(ctx, kinds, params.webhook_id, params.delivery_id),
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: `${one}/deliveries/{delivery_id}/replay`,
      summary: 'Send a delivery again',
      description: 'A pending delivery is tried now.',
      response: delivery.output,
      status: 202,
      run: (ctx, { params }) => replay(ctx, kinds, params.webhook_id, params.delivery_id),
    }),
  ]
  return endpointsOf({
    name: 'webhooks',
    idParam: 'webhook_id',
    tag,
    record: webhook,
    operations,
    endpoints: own,
  })
    .filter(({ path: where }) => !where.endsWith('/restore'))
    .map(declared => ({
      role: 'admin',
      ...declared,
      ...(declared.method === 'DELETE' ? removing : {}),
    }))
}
