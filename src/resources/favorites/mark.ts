/**
 * Records that a member marks as a favorite on the record itself: `GET /api/favorites` is documented as having
 * companies, contacts and deals only. The mark is a row of `favorites`, whose list does not show it.
 */
import { sql } from 'kysely'
import { type Ctx, transaction } from '../../kernel/context.ts'
import { type Endpoint, endpoint, pathParam } from '../../kernel/endpoint.ts'
import { pathOf } from '../../kernel/general-endpoints.ts'
import { newId } from '../../kernel/ids.ts'
import type { Item, Resource, Stored } from '../../kernel/resource.ts'
import { insertRows, lockRow, TO_TRASH, updateRows } from '../../kernel/statements.ts'

type Markable = Pick<Resource<Item, Stored>, 'name' | 'idParam' | 'tag' | 'record' | 'operations'>

const mark = ({ record, operations }: Markable, entityType: string, ctx: Ctx, id: string) =>
  transaction(ctx, async tx => {
    // Two requests of one member wait for each other here.
    await lockRow(tx, record.table, id)
    const current = await operations.get(tx, id)
    if (current.is_favorite) return current
    await insertRows(tx, 'favorites', [
      { id: newId(), user_id: tx.user, entity_type: entityType, entity_id: id, display_order: 0 },
    ])
    return operations.get(tx, id)
  })

const unmark = ({ operations }: Markable, ctx: Ctx, id: string) =>
  transaction(ctx, async tx => {
    await operations.get(tx, id)
    await updateRows(
      tx,
      'favorites',
      TO_TRASH,
      sql`r.user_id = ${tx.user} and r.entity_id = ${id} and r.deleted_at is null`,
    )
    return operations.get(tx, id)
  })

/** `PUT` and `DELETE /api/<group>/{id}/favorite`. */
export function favoriteEndpoints<In extends Item, Out extends Stored>(
  resource: Resource<In, Out>,
): Endpoint[] {
  const markable = resource as unknown as Markable
  const { idParam, tag, record } = resource
  const label = record.label.toLowerCase()
  const entityType = record.entityType ?? label
  const shared = {
    path: `${pathOf(markable)}/{${idParam}}/favorite`,
    tag,
    permission: 'favorites:write',
    alsoNeeds: [`${resource.name}:read`],
    response: record.output,
  } as const
  return [
    endpoint({
      ...shared,
      method: 'PUT',
      summary: `Make a ${label} one of your favorites`,
      description: `They are listed by \`GET ${pathOf(markable)}?is_favorite=true\`, not by \`GET /api/favorites\`.`,
      run: (ctx, request) => mark(markable, entityType, ctx, pathParam(request, idParam)),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      summary: `Remove a ${label} from your favorites`,
      description: `Returns the ${label}, also if it was not a favorite. Favorites of other members are not changed.`,
      run: (ctx, request) => unmark(markable, ctx, pathParam(request, idParam)),
    }),
  ]
}
