/** The history of a record from the journal, latest first. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../../kernel/context.ts'
import { type Endpoint, endpoint, pathParam } from '../../../kernel/endpoint.ts'
import { pathOf, withArticle } from '../../../kernel/general-endpoints.ts'
import { asPage, pageFields, pageParameters } from '../../../kernel/page.ts'
import { checkBytes } from '../../../kernel/page-budget.ts'
import type { Resource } from '../../../kernel/resource.ts'

import { datetime, json, list, nullable, object, text, uuid } from '../../../kernel/schema/index.ts'
import { rows } from '../../../kernel/statements.ts'
import { type Change, entryOf, namesOf } from './entry.ts'

const actor = object({
  kind: text({ examples: ['key', 'user', 'tool', 'import', 'system'] }),
  id: nullable(uuid()),
  user_id: nullable(uuid()),
  user_name: nullable(text()),
})

const entry = object(
  {
    id: text({ description: 'Grows with time' }),
    at: datetime(),
    type: text({
      examples: [
        'created',
        'updated',
        'deleted',
        'restored',
        'stage_moved',
        'linked',
        'unlinked',
        'link_changed',
        'note_added',
        'activity_added',
        'file_added',
        'file_updated',
        'file_deleted',
        'file_restored',
        'merged',
      ],
    }),
    changes: list(object({ field: text(), from: json(), to: json() })),
    related: nullable(object({ entity_type: text(), id: uuid(), name: nullable(text()) })),
    actor,
    operation_id: nullable(uuid()),
  },
  { title: 'TimelineEntry' },
)

export const timelineEndpoints = (resources: readonly Resource[]): Endpoint[] =>
  resources.map(resource =>
    endpoint({
      method: 'GET',
      path: `${pathOf(resource)}/{${resource.idParam}}/timeline`,
      tag: resource.tag,
      permission: `${resource.name}:read`,
      summary: `List the changes of ${withArticle(resource.record.label)}`,
      description: 'Of the record itself, its links and its files; the newest first.',
      query: object(pageParameters()),
      response: object(pageFields(entry), { title: 'TimelinePage' }),
      run: async (ctx, request) => {
        const id = pathParam(request, resource.idParam)
        await resource.operations.get(ctx, id)
        return timeline(ctx, id, request.query.page, request.query.page_size)
      },
    }),
  )

export async function timeline(ctx: Ctx, id: string, page: number, size: number) {
  // Three selects, each along its own index, rather than an `or` over all.
  const touching = sql`(
    select c.* from ${rows(ctx, 'changes')} c where c.entity_id = ${id}
    union all
    select c.* from ${rows(ctx, 'changes')} c where c.related_id = ${id}
    union all
    select c.* from ${rows(ctx, 'files')} f join ${rows(ctx, 'changes')} c on c.entity_id = f.id
    where f.entity_id = ${id})`
  const section = sql`order by c.seq desc limit ${size} offset ${(page - 1) * size}`
  await checkBytes(
    ctx,
    sql`select coalesce(octet_length(s.before::text), 0)::bigint + coalesce(octet_length(s.after::text), 0) as bytes
      from (select c.before, c.after from ${touching} c ${section}) s`,
  )
  const changes = await query(
    ctx,
    sql<Change>`select c.seq, c.at, c.kind, c.entity_id, c.related_id, c.action, c.before, c.after, c.operation_id,
        c.actor_kind, c.actor_id, c.user_id, u.name as user_name, o.kind as operation_kind, count(*) over () as total
      from ${touching} c
      left join (select id, name from users) u on u.id = c.user_id
      left join ${rows(ctx, 'operations')} o on o.id = c.operation_id
      ${section}`,
  )
  const total =
    changes[0]?.total ??
    one(await query(ctx, sql<{ total: number }>`select count(*) as total from ${touching} c`)).total
  const names = await namesOf(ctx, id, changes)
  const items = changes.map(change => entryOf(id, change, names))
  return asPage(items, total, page, size)
}
