/** The `webhooks` of the document: every type of event, as it is posted to a receiver. */
import { eventKinds, eventSchema } from '../../features/events/index.ts'
import { resources } from '../../resources/index.ts'
import type { Schemas } from './schemas.ts'

export function webhooksOf(schemas: Schemas): Record<string, unknown> {
  const schema = schemas.publish(eventSchema.json, 'response')
  const types = [...eventKinds(resources).values()].flatMap(kind => kind.types)
  return Object.fromEntries(
    types.map(type => [
      type,
      {
        post: {
          operationId: operationId(type),
          summary: type,
          tags: ['Events'],
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
