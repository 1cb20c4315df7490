/** Tools about the account itself: who calls, and what its records look like. */
import { sql } from 'kysely'
import { query, queryOne } from '../../../kernel/context.ts'
import { updateSchema } from '../../../kernel/general-endpoints.ts'
import { dict, list, object, published, text, uuid } from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { rows } from '../../../kernel/statements.ts'
import { getAccount } from '../../../resources/accounts/accounts.ts'
import { customFields } from '../../../resources/custom-fields/index.ts'
import type { KindName } from '../../../resources/kinds.ts'
import { pipelines } from '../../../resources/pipelines/index.ts'
import { matchers } from '../../records/bulk/matchers.ts'
import { RELATIONS } from '../../records/query/relations.ts'
import { kindField, kindsFor, READS, resourceOf, type Surroundings, type Tool, tool } from './tool.ts'

export const whoami = ({ ctx }: Surroundings): Tool =>
  tool({
    name: 'whoami',
    title: 'Who am I',
    description:
      'The account and the person that the API key acts for, what it may do, the time, and the members who can own records.',
    annotations: READS,
    input: object({}),
    output: object({
      account: object({ id: uuid(), name: text(), currency: text() }),
      user: object({ id: uuid(), name: text() }),
      role: text(),
      scopes: list(text()),
      members: list(object({ id: uuid(), name: text() })),
      now: text({ description: 'In UTC' }),
    }),
    async run() {
      const { id, name, currency } = await getAccount(ctx)
      // Of a person an account sees the name and not the password, so no statement here may name all columns.
      const person = await queryOne(ctx, sql<{ name: string }>`select name from users where id = ${ctx.user}`)
      const members = await query(
        ctx,
        sql<{ id: string; name: string }>`select u.id, u.name from ${rows(ctx, 'members')} m
          join (select id, name from users) u on u.id = m.user_id order by u.name, u.id limit ${MAX_MEMBERS}`,
      )
      return {
        account: { id, name, currency },
        user: { id: ctx.user, name: person?.name ?? '' },
        role: ctx.caller.role,
        scopes: [...ctx.caller.scopes],
        members,
        now: new Date().toISOString(),
      }
    },
  })

const MAX_MEMBERS = 200
const MAX_LISTED = 200

/** What a model needs before it writes or queries. */
export function describeSchema(here: Surroundings): Tool[] {
  const { ctx } = here
  const kinds = [...new Set([...kindsFor(ctx, 'read'), ...kindsFor(ctx, 'write')])]
  if (kinds.length === 0) return []
  const describe = tool({
    name: 'describe_schema',
    title: 'Describe the records',
    description:
      'The fields of a kind of record as JSON Schema: what create and update take, what is returned, its custom fields and what upsert matches on; for deals the pipelines with their stages.',
    annotations: READS,
    input: object({ entity_type: kindField(kinds) }),
    output: object({
      entity_type: text(),
      relations: text({ description: 'How queries lead from one kind of record to others' }),
      create: dict({ description: 'JSON Schema of the values of create' }),
      update: dict({ description: 'JSON Schema of the values of update' }),
      record: dict({ description: 'JSON Schema of the record as it is returned' }),
      match_on: list(text()),
      custom_fields: list(dict(), { description: 'In values and records they are keys of metadata' }),
      pipelines: list(dict()),
    }),
    run: async ({ entity_type }) => schemaOf(here, entity_type),
  })
  return [describe]
}

export async function schemaOf({ ctx }: Surroundings, kind: KindName) {
  const { record } = resourceOf(kind)
  const mayRead = (group: string) => hasScope(ctx.caller.scopes, `${group}:read`)
  const listed = { page: 1, page_size: MAX_LISTED }
  const custom = mayRead(customFields.name)
    ? (await customFields.operations.list(ctx, { ...listed, entity_type: kind })).items
    : []
  const ofDeals =
    kind === 'deal' && mayRead(pipelines.name) ? (await pipelines.operations.list(ctx, listed)).items : []
  return {
    entity_type: kind,
    relations: RELATIONS,
    create: published(record.input.json, 'request'),
    update: published(updateSchema(record).json, 'request'),
    record: published(record.output.json, 'response'),
    match_on: Object.keys(matchers[kind] ?? {}),
    custom_fields: custom,
    pipelines: ofDeals,
  }
}
