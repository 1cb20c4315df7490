/** The records of one kind that are linked to another record, as pages: `GET /api/contacts/{contact_id}/deals`. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { type Endpoint, endpoint, pathParam } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { customFilters, hasCustomFields, pageOf } from '../../kernel/general-endpoints.ts'
import type { Target } from '../../kernel/links.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import type { Resource } from '../../kernel/resource.ts'
import { without } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { type KindName, targets } from '../kinds.ts'

/** The resource's own list, narrowed by its filter `<parent>_id`. */
export const subLists = (resource: Resource, parents: readonly KindName[]): Endpoint[] =>
  parents.map(parent => {
    const target: Target = targets[parent]
    const filter = `${parent}_id`
    return endpoint({
      method: 'GET',
      path: `/api/${target.table}/{${filter}}/${resource.name}`,
      tag: resource.tag,
      // The kind in the answer decides about the scope: a key for contacts only may not read deals through them.
      permission: `${resource.name}:read`,
      summary: `List the ${resource.name} of ${/^[aeiou]/.test(parent) ? 'an' : 'a'} ${parent}`,
      description: `Takes the parameters of \`GET /api/${resource.name}\`, except \`${filter}\`.`,
      query: without(listParameters(resource.record), [filter]),
      customFilters: hasCustomFields(resource.record),
      response: pageOf(resource),
      async run(ctx, request) {
        const id = pathParam(request, filter)
        await mustExist(ctx, target, id)
        return resource.operations.list(ctx, { ...customFilters(request), ...request.query, [filter]: id })
      },
    })
  })

async function mustExist(ctx: Ctx, target: Target, id: string): Promise<void> {
  const parent = await queryOne(ctx, sql`select t.id from ${living(ctx, target.table)} t where t.id = ${id}`)
  if (!parent) throw errors.notFound(target.label)
}
