/** An API key. It acts for the person who created it, with their role and within its scopes. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import {
  boolean,
  datetime,
  type Infer,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { account, base } from '../shared/fields.ts'

const scopes = list(text({ min: 1, max: 100 }), {
  min: 1,
  max: 100,
  description: '*, *:read, or <group>:read, <group>:write, <group>:*; default: the caller’s own scopes',
  examples: [['*'], ['contacts:read', 'deals:*']],
})

export const keyInput = object(
  {
    name: text({ min: 1, max: 255 }),
    scopes: optional(scopes),
    expires_at: optional(nullable(datetime())),
  },
  { title: 'ApiKeyCreate', examples: [{ name: 'Website form', scopes: ['contacts:write'] }] },
)

const readOnly = {
  prefix: text({ description: 'How the key begins' }),
  last_used_at: nullable(datetime({ description: 'To the minute' })),
  revoked_at: nullable(datetime()),
  created_by: uuid(),
}

const fields = {
  ...base,
  ...account,
  name: text({ min: 1, max: 255 }),
  prefix: readOnly.prefix,
  scopes,
  expires_at: nullable(datetime()),
  last_used_at: readOnly.last_used_at,
  revoked_at: readOnly.revoked_at,
  created_by: readOnly.created_by,
}

export const apiKey = defineRecord({
  table: 'api_keys',
  label: 'API key',
  input: keyInput,
  output: object(fields, { title: 'ApiKey' }),
  filters: {
    revoked: {
      schema: boolean(),
      where: (_, value) => sql`(r.revoked_at is not null) = ${value}`,
    },
  },
  // record_counts does not include keys, so their rows are counted
  visible: () => sql`true`,
})
export type ApiKeyInput = Infer<typeof apiKey.input>
export type ApiKey = Infer<typeof apiKey.output>

export const newKeyOutput = object(
  { ...fields, key: text({ description: 'The key, shown only once' }) },
  { title: 'NewApiKey' },
)
