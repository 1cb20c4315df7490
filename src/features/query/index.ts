import { pageOf, pathOf } from '../../kernel/general-endpoints.ts'
import { listRecords } from '../../kernel/list-query.ts'
import type { Endpoint, Resource } from '../../kernel/resource.ts'
import { boolean, dict, int, object, oneOf, optional, text, withDefault } from '../../kernel/schema/index.ts'
import { compileCondition } from './condition.ts'

const body = object({
  where: optional(
    dict({
      description:
        'A condition: {"and": […]}, {"or": […]}, {"not": …} or {"field", "op", "value"}. A field may step once into a related record (company.industry) or name a custom field (cf.key).',
      examples: [
        {
          and: [
            { field: 'status', op: 'in', value: ['lead', 'customer'] },
            { not: { field: 'company.country', op: 'eq', value: 'DE' } },
          ],
        },
      ],
    }),
  ),
  search: optional(text({ max: 1000 })),
  sort_by: optional(text()),
  sort_order: optional(oneOf(['asc', 'desc'])),
  page: withDefault(int({ min: 1 }), 1),
  page_size: withDefault(int({ min: 1, max: 1000 }), 50),
  cursor: optional(text()),
  deleted: withDefault(boolean(), false),
})

/** `POST /api/<group>/query` for each of these resources. */
export const queryEndpoints = (resources: readonly Resource[]): Endpoint[] => {
  const recordOf = (table: string) => resources.find(({ record }) => record.table === table)?.record
  return resources.map(resource => ({
    method: 'POST',
    path: `${pathOf(resource)}/query`,
    tag: resource.tag,
    permission: `${resource.name}:read`,
    summary: `Find ${resource.tag.toLowerCase()} by nested conditions`,
    body,
    response: pageOf(resource),
    run: async (ctx, request) => {
      const { where, ...params } = request.body
      const conditions =
        where === undefined ? [] : [await compileCondition(ctx, resource.record, recordOf, where)]
      return listRecords(ctx, resource.record, params, conditions)
    },
  }))
}
