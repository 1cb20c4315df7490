/** The values of one record's custom fields, as {key: value}. */
import { sql } from 'kysely'
import { type Ctx, one, queryOne, transaction } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { dict, type Issue, object, oneOf, uuid } from '../../kernel/schema/index.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living, updateRows } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import { checkCustomValues, type Metadata } from './checks.ts'
import { CUSTOM_ENTITY_TYPES, type CustomEntityType, type Definition, definitionsOf } from './definition.ts'

interface RecordId {
  entity_type: CustomEntityType
  entity_id: string
}

/** Values belong to the record: a caller who may not read companies may not read their values. */
function mayUse(ctx: Ctx, type: CustomEntityType, action: 'read' | 'write'): void {
  const permission = `${targets[type].table}:${action}`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
}

async function metadataOf(ctx: Ctx, { entity_type, entity_id }: RecordId, lock = sql``): Promise<Metadata> {
  const { table, label } = targets[entity_type]
  const record = await queryOne(
    ctx,
    sql<{
      metadata: Metadata
    }>`select r.metadata from ${living(ctx, table)} r where r.id = ${entity_id} ${lock}`,
  )
  if (!record) throw errors.notFound(label)
  return record.metadata
}

const valuesOf = (definitions: readonly Definition[], metadata: Metadata): Metadata =>
  Object.fromEntries(
    definitions
      .filter(({ is_archived }) => !is_archived)
      .map(({ key }) => [key, Object.hasOwn(metadata, key) ? metadata[key] : null]),
  )

async function getValues(ctx: Ctx, record: RecordId): Promise<Metadata> {
  mayUse(ctx, record.entity_type, 'read')
  const metadata = await metadataOf(ctx, record)
  return valuesOf(await definitionsOf(ctx, record.entity_type), metadata)
}

function putValues(ctx: Ctx, record: RecordId, input: Metadata): Promise<Metadata> {
  mayUse(ctx, record.entity_type, 'write')
  // The response has the values of all fields, not only of those that change.
  mayUse(ctx, record.entity_type, 'read')
  return transaction(ctx, async tx => {
    const before = await metadataOf(tx, record, sql`for no key update`)
    const definitions = await definitionsOf(tx, record.entity_type)
    const unknown = Object.keys(input).filter(key => !definitions.some(field => field.key === key))
    if (unknown.length > 0) throw errors.invalid(unknown.map(key => undeclared(key, input[key])))
    const write = { id: record.entity_id, before, metadata: { ...before, ...input } }
    const checked = await checkCustomValues(tx, record.entity_type, [write], ['body'])
    const { metadata, issues, conflict } = one(checked)
    if (issues.length > 0) throw errors.invalid(issues)
    if (conflict !== undefined) throw errors.conflict(conflict)
    for (const key of Object.keys(input)) if (input[key] === null) delete metadata[key]
    await updateRows(
      tx,
      targets[record.entity_type].table,
      { metadata: JSON.stringify(metadata), updated_at: sql`now()` },
      sql`r.id = ${record.entity_id}`,
    )
    return valuesOf(definitions, metadata)
  })
}

const undeclared = (key: string, input: unknown): Issue => ({
  type: 'value_error',
  loc: ['body', key],
  msg: 'Value error, no custom field has this key',
  input,
  ctx: { error: {} },
})

const common = {
  path: '/api/custom-fields/values/{entity_type}/{entity_id}',
  tag: 'Custom fields',
  params: object({ entity_type: oneOf(CUSTOM_ENTITY_TYPES), entity_id: uuid() }),
  response: dict({ description: 'The value of each field, null where there is none' }),
}

export const valueEndpoints = [
  endpoint({
    ...common,
    method: 'GET',
    permission: 'custom-fields:read',
    summary: 'Get the custom field values of a record',
    description:
      'Without archived fields. Also needs the scope to read the record, such as `companies:read`.',
    run: (ctx, { params }) => getValues(ctx, params),
  }),
  endpoint({
    ...common,
    method: 'PUT',
    permission: 'custom-fields:write',
    summary: 'Update the custom field values of a record',
    description: 'Absent fields are not changed; null clears a field.',
    body: dict(),
    run: (ctx, { params, body }) => putValues(ctx, params, body),
  }),
]
