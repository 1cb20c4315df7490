import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { empty, MAX_BULK } from '../../kernel/general-endpoints.ts'
import type { Resource } from '../../kernel/resource.ts'
import { boolean, list, nullable, object, oneOf, uuid } from '../../kernel/schema/index.ts'
import { favoriteOperations, favoriteRecord, reorder, toggle } from './operations.ts'
import { FAVORITE_TYPES, type Favorite, type FavoriteInput, favorite } from './record.ts'

const tag = 'Favorites'

const endpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/api/favorites/reorder',
    tag,
    permission: 'favorites:write',
    summary: 'Reorder favorites within a folder',
    description:
      'All of one folder, or all of none. The favorites in the request come first, in that order; the others follow in their present order.',
    body: object({ favorite_ids: list(uuid(), { max: MAX_BULK }) }),
    response: empty,
    run: async (ctx, { body }) => {
      await reorder(ctx, body.favorite_ids)
      return {}
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/favorites/toggle',
    tag,
    permission: 'favorites:write',
    summary: 'Add or remove a favorite',
    description:
      'Adds the record to the caller’s favorites, or removes it if it is one. A record that is added is in no folder.',
    body: object({ entity_type: oneOf(FAVORITE_TYPES), entity_id: uuid() }),
    response: object(
      { is_favorite: boolean(), favorite: nullable(favorite.output) },
      { title: 'FavoriteToggle' },
    ),
    run: (ctx, { body }) => toggle(ctx, body),
  }),
]

export const favorites: Resource<FavoriteInput, Favorite> = {
  name: 'favorites',
  idParam: 'favorite_id',
  tag,
  record: favoriteRecord,
  operations: favoriteOperations,
  endpoints,
}
