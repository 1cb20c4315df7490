/** Tools that create, change and delete records of any kind. Each call is one operation, whose id the result has. */
import type { Ctx } from '../../../kernel/context.ts'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import { HttpError } from '../../../kernel/errors.ts'
import { pathOf } from '../../../kernel/general-endpoints.ts'
import { asOperation } from '../../../kernel/operation.ts'
import { checkMayRead } from '../../../kernel/reach.ts'
import {
  boolean,
  dict,
  list,
  object,
  sometimes,
  text,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { declarationOf, type KindName } from '../../../resources/kinds.ts'
import { matchers } from '../../records/bulk/matchers.ts'
import { callAsOperation } from '../call.ts'
import {
  ADDS,
  CHANGES,
  changed,
  kindField,
  kindsFor,
  operationId,
  resourceOf,
  type Surroundings,
  type Tool,
  tool,
} from './tool.ts'

const MAX_DELETED = 100

export function writingTools({ ctx, origin, routes }: Surroundings): Tool[] {
  const kinds = kindsFor(ctx, 'write')
  if (kinds.length === 0) return []
  const entity_type = kindField(kinds)
  const fields = kinds.map(kind => `${kind}: ${Object.keys(resourceOf(kind).record.input.fields).join(', ')}`)
  const values = dict({
    description: `Fields of the record. describe_schema says what each takes. ${fields.join('. ')}`,
  })
  const route = (kind: KindName, method: Endpoint['method'], rest: string) =>
    routes(method, `${pathOf(resourceOf(kind))}${rest}`)

  return [
    tool({
      name: 'create',
      title: 'Create a record',
      description: 'Creates a record. Search first: it may exist already. upsert avoids duplicates.',
      annotations: ADDS,
      input: object({ entity_type, values }),
      output: changed,
      run: ({ entity_type: kind, values: body }) =>
        callAsOperation(ctx, route(kind, 'POST', ''), origin, kind, { body }),
    }),
    tool({
      name: 'update',
      title: 'Update a record',
      description:
        'Changes the fields that values names; the others stay. null empties a field. Objects such as metadata are merged key by key, lists are replaced.',
      annotations: CHANGES,
      input: object({ entity_type, id: uuid(), values }),
      output: changed,
      run: ({ entity_type: kind, id, values: body }) => {
        const { idParam } = resourceOf(kind)
        return callAsOperation(ctx, route(kind, 'PATCH', `/{${idParam}}`), origin, kind, {
          params: { [idParam]: id },
          body,
          isMergePatch: true,
        })
      },
    }),
    tool({
      name: 'upsert',
      title: 'Update or create a record',
      description: `Updates the record that has the same value, or creates one; refused when several match. The value that it matches on stays as the record has it. match_on is, for ${kinds
        .map(kind => `${kind}: ${Object.keys(matchers[kind] ?? {}).join(', ')}`)
        .join('; ')}; for all: cf.<key> or, where the kind has external_ids, external_ids.<source>.`,
      annotations: CHANGES,
      input: object({ entity_type, match_on: text({ max: 120, examples: ['email'] }), values }),
      output: changed,
      run: ({ entity_type: kind, match_on, values: body }) =>
        callAsOperation(ctx, route(kind, 'POST', '/upsert'), origin, kind, { query: { match_on }, body }),
    }),
    tool({
      name: 'delete',
      title: 'Delete records',
      description:
        'Moves records to the trash. Call it with dry_run first: nothing changes then, and the result names what would be deleted.',
      annotations: CHANGES,
      input: object({
        entity_type,
        ids: list(uuid(), { min: 1, max: MAX_DELETED }),
        dry_run: withDefault(boolean(), false),
      }),
      output: object({
        dry_run: boolean(),
        records: list(object({ id: uuid(), name: text() })),
        operation_id: sometimes(operationId),
      }),
      run: ({ entity_type: kind, ids, dry_run }) => remove(ctx, kind, ids, dry_run),
    }),
  ]
}

async function remove(ctx: Ctx, kind: KindName, ids: readonly string[], dry_run: boolean) {
  if (dry_run) return { dry_run, records: await living(ctx, kind, ids) }
  const { operationId: operation_id, result } = await asOperation(ctx, 'bulk_delete', kind, async tx => {
    const records = await living(tx, kind, ids)
    return { result: records, count: await resourceOf(kind).operations.remove(tx, ids) }
  })
  return { dry_run, records: result, operation_id }
}

/** The records with these ids, by name, so the caller must be allowed to read them; an unknown one refuses all. */
async function living(ctx: Ctx, kind: KindName, ids: readonly string[]) {
  const { operations, record } = resourceOf(kind)
  checkMayRead(ctx, record.table)
  const { items } = await operations.list(ctx, { page: 1, page_size: MAX_DELETED, ids: [...ids] })
  const missing = ids.filter(id => !items.some(item => item.id === id))
  if (missing.length > 0) throw new HttpError(404, `${record.label} not found: ${missing.join(', ')}`)
  const { name } = declarationOf(kind)
  return items.map(item => ({ id: item.id, name: String(item[name] ?? '') }))
}
