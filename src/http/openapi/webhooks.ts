/** The `webhooks` of the document: every type of event, as it is posted to a receiver. */
import { eventKinds, eventSchema } from '../../features/events/index.ts'
import { TEST_TYPE } from '../../features/webhooks/deliveries.ts'
import { resources } from '../../resources/index.ts'
import type { Schemas } from './schemas.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** The headers of every webhook, for `components.parameters`. */
export const WEBHOOK_HEADERS = {
  WebhookId: header('webhook-id', 'The same for every attempt and replay of an event'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and a base64 HMAC-SHA256 of id, timestamp and body joined by dots; several during a rotation, separated by spaces',
  ),
}

const parameters = Object.keys(WEBHOOK_HEADERS).map(name => ({ $ref: `#/components/parameters/${name}` }))

export function webhooksOf(schemas: Schemas): Record<string, unknown> {
  const schema = schemas.publish(eventSchema.json, 'response')
  const types = [...[...eventKinds(resources).values()].flatMap(kind => kind.types), TEST_TYPE]
  return Object.fromEntries(
    types.map(type => [
      type,
      {
        post: {
          operationId: operationId(type),
          summary: type,
          tags: ['Webhooks'],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '2XX': { description: 'The event was received' } },
        },
      },
    ]),
  )
}

/** `deal.stage_changed` → `onDealStageChanged` */
const operationId = (type: string) =>
  `on${type.replace(/(?:^|[._-])([a-z])/g, (_, first: string) => first.toUpperCase())}`
