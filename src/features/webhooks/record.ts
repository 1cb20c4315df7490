/** A webhook and its deliveries, as clients see them. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import {
  boolean,
  datetime,
  dict,
  extended,
  type Infer,
  int,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { rows } from '../../kernel/statements.ts'
import { account, base } from '../../resources/shared/fields.ts'

export const secretText = text({
  max: 120,
  description:
    'Signs the deliveries: `whsec_` and 24 to 64 bytes in base64; made by the service unless given',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})

const url = text({
  min: 1,
  max: 2048,
  description: 'An https address on the public internet, or one in a network of `KITH_WEBHOOK_ALLOW`',
  examples: ['https://hooks.example.com/kith'],
})
const event_types = list(text({ min: 1, max: 100 }), {
  min: 1,
  max: 200,
  description: '`deal.stage_changed`, `deal.*` or `*`; each takes the read scope of its records',
  examples: [['deal.stage_changed', 'contact.*']],
})
const description = nullable(text({ max: 1000 }))

const fields = {
  ...base,
  ...account,
  url,
  event_types,
  description,
  is_active: boolean({
    description: 'One that is not active keeps its place: when it is active again, it goes on there',
  }),
  disabled_reason: nullable(text({ description: 'Why the service disabled it' })),
  disabled_at: nullable(datetime()),
  failing_since: nullable(
    datetime({ description: 'The first failed attempt since the last one that succeeded' }),
  ),
  previous_secret_expires_at: nullable(
    datetime({ description: 'Until then deliveries are signed with the previous secret, too' }),
  ),
  created_by: uuid(),
}

export const webhook = defineRecord({
  table: 'webhooks',
  label: 'Webhook',
  input: object(
    {
      url,
      event_types,
      description: optional(description),
      is_active: optional(boolean()),
      secret: optional(secretText),
    },
    {
      title: 'WebhookCreate',
      examples: [{ url: 'https://hooks.example.com/kith', event_types: ['deal.stage_changed', 'contact.*'] }],
    },
  ),
  output: object(fields, { title: 'Webhook' }),
  filters: {
    is_active: { schema: boolean(), where: (_, value) => sql`r.is_active = ${value}` },
  },
  // webhooks are not in `record_counts`; a list with `visible` counts its rows instead
  visible: () => sql`true`,
})
export type WebhookInput = Infer<typeof webhook.input>
export type Webhook = Infer<typeof webhook.output>

export const newWebhookOutput = object(
  { ...fields, secret: text({ description: 'The secret, shown this once' }) },
  { title: 'NewWebhook' },
)

export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const

const attemptFields = {
  url: nullable(text()),
  response_status: nullable(int({ description: 'Null: no answer came, see `error`' })),
  response_excerpt: nullable(text({ description: 'How the body of the answer begins' })),
  error: nullable(text()),
  duration_ms: nullable(int({ min: 0 })),
}

const deliveryOutput = object(
  {
    ...base,
    ...account,
    webhook_id: uuid(),
    message_id: text({
      description: 'The header `webhook-id`: the same for every attempt and replay of an event',
    }),
    event_type: text(),
    event_sequence: nullable(int({ min: 1, description: 'Null: a test' })),
    record_id: uuid(),
    status: oneOf(DELIVERY_STATES),
    attempt_count: int({ min: 0 }),
    next_attempt_at: nullable(datetime({ description: 'Of a pending delivery: not before this time' })),
    attempted_at: nullable(datetime({ description: 'The last attempt, which the next fields are about' })),
    ...attemptFields,
  },
  { title: 'WebhookDelivery' },
)

export const delivery = defineRecord({
  table: 'webhook_deliveries',
  label: 'Delivery',
  input: object({}),
  output: deliveryOutput,
  computed: {
    next_attempt_at: ctx => sql`case when r.status = 'pending' then (
      select l.next_at from ${rows(ctx, 'webhook_lanes')} l
      where l.webhook_id = r.webhook_id and l.record_id = r.record_id) end`,
  },
  visible: () => sql`true`,
  filters: {
    status: { schema: oneOf(DELIVERY_STATES), where: (_, value) => sql`r.status = ${value}` },
    event_type: { schema: text({ max: 100 }), where: (_, value) => sql`r.event_type = ${value}` },
    record_id: { schema: uuid(), where: (_, value) => sql`r.record_id = ${value}` },
    webhook_id: { schema: uuid(), where: (_, value) => sql`r.webhook_id = ${value}` },
  },
})
export type Delivery = Infer<typeof delivery.output>

const attempt = object({ at: datetime(), ...attemptFields }, { title: 'WebhookAttempt' })
export type Attempt = Infer<typeof attempt>

export const deliveryDetail = extended(deliveryOutput, {
  request: object(
    {
      url: text(),
      headers: dict({ description: 'Those of every attempt; the time and the signature are new each time' }),
      body: nullable(dict({ description: 'The event' })),
    },
    { title: 'WebhookRequest' },
  ),
  attempts: list(attempt, { description: 'The latest 20, the oldest first' }),
})
