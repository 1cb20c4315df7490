/** Adds, sorts and removes favorites. A user's changes run one at a time, so that positions stay consistent. */
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { checkReferences } from '../../kernel/links.ts'
import { listRecords } from '../../kernel/list-query.ts'
import { checkMayRead } from '../../kernel/reach.ts'
import {
  defineRecord,
  type ListQuery,
  type Operations,
  type Page,
  type Stamps,
} from '../../kernel/resource.ts'
import { combined, object, text } from '../../kernel/schema/index.ts'
import { living, updateRows } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import { type Favorite, type FavoriteInput, favorite, folderOf, isShown } from './record.ts'

const base = crud(favorite)

/** One change of a user's favorites at a time. */
export const lockFavorites = (tx: Ctx) =>
  query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`favorites ${tx.account} ${tx.user}`}, 0))`)

async function checkFolder(tx: Ctx, folderId: string | null | undefined): Promise<void> {
  if (folderId == null) return
  const folder = await queryOne(
    tx,
    sql`select f.id from ${living(tx, 'favorite_folders')} f
      where f.id = ${folderId} and f.user_id = ${tx.user} for key share`,
  )
  if (!folder) throw errors.referenceNotFound(['body', 'folder_id'], 'Folder', folderId)
}

/** The position after the last one of a folder. */
export async function endOfFolder(tx: Ctx, folderId: string | null): Promise<number> {
  const last = await query(
    tx,
    sql<{
      next: number
    }>`select coalesce(max(f.display_order) + 1, 0)::bigint as next from ${living(tx, 'favorites')} f
      where f.user_id = ${tx.user} and ${folderOf(tx, 'f')} is not distinct from ${folderId}::uuid`,
  )
  return Math.min(one(last).next, 2_147_483_647)
}

const existing = (tx: Ctx, entityId: string) =>
  queryOne(
    tx,
    sql<{ id: string }>`select f.id from ${living(tx, 'favorites')} f
      where f.user_id = ${tx.user} and f.entity_id = ${entityId}`,
  )

function create(ctx: Ctx, input: FavoriteInput, writing: { set?: Stamps } = {}): Promise<Favorite> {
  checkMayRead(ctx, targets[input.entity_type].table)
  return transaction(ctx, async tx => {
    await lockFavorites(tx)
    const target = targets[input.entity_type]
    await checkReferences(tx, target, [input.entity_id], () => ['body', 'entity_id'])
    await checkFolder(tx, input.folder_id)
    if (await existing(tx, input.entity_id)) {
      throw errors.conflict(`This ${input.entity_type} is one of your favorites already`)
    }
    const display_order = input.display_order ?? (await endOfFolder(tx, input.folder_id ?? null))
    const set = { ...writing.set, user_id: tx.user }
    return base.create(tx, { ...input, display_order }, { set })
  })
}

function update(
  ctx: Ctx,
  id: string,
  { entity_type, entity_id, ...input }: Partial<FavoriteInput>,
): Promise<Favorite> {
  return transaction(ctx, async tx => {
    await lockFavorites(tx)
    const current = await base.get(tx, id)
    for (const [name, value, before] of [
      ['entity_type', entity_type, current.entity_type],
      ['entity_id', entity_id, current.entity_id],
    ] as const) {
      if (value === undefined || value === before) continue
      throw errors.invalidValue(['body', name], 'a favorite stays with its record', value)
    }
    await checkFolder(tx, input.folder_id)
    const { folder_id = current.folder_id } = input
    const moves = folder_id !== current.folder_id
    const display_order =
      input.display_order ?? (moves ? await endOfFolder(tx, folder_id) : current.display_order)
    return base.update(tx, id, { ...input, display_order })
  })
}

export async function toggle(
  ctx: Ctx,
  input: Pick<FavoriteInput, 'entity_type' | 'entity_id'>,
): Promise<{ is_favorite: boolean; favorite: Favorite | null }> {
  return transaction(ctx, async tx => {
    await lockFavorites(tx)
    const favorite = await existing(tx, input.entity_id)
    if (!favorite) return { is_favorite: true, favorite: await create(tx, input) }
    await checkReferences(tx, targets[input.entity_type], [input.entity_id], () => ['body', 'entity_id'])
    await base.remove(tx, [favorite.id])
    return { is_favorite: false, favorite: null }
  })
}

/** The favorites in `ids` come first, in this order; the others of the folder follow in their present order. */
export function reorder(ctx: Ctx, ids: readonly string[]): Promise<void> {
  return transaction(ctx, async tx => {
    await lockFavorites(tx)
    const favorites = await query(
      tx,
      sql<{ id: string; folder_id: string | null }>`select r.id, ${folderOf(tx, 'r')} as folder_id
        from ${living(tx, 'favorites')} r
        where r.id = any(${ids}::uuid[]) and ${isShown(tx)}`,
    )
    const folders = new Map(favorites.map(({ id, folder_id }) => [id, folder_id]))
    const folder = folders.get(ids[0] ?? '')
    for (const [i, id] of ids.entries()) {
      if (!folders.has(id)) throw errors.referenceNotFound(['body', 'favorite_ids', i], 'Favorite', id)
      if (folders.get(id) === folder) continue
      const rule = 'all favorites must lie in the same folder'
      throw errors.invalidValue(['body', 'favorite_ids', i], rule, id)
    }
    if (ids.length === 0) return
    await updateRows(
      tx,
      'favorites',
      sql`display_order = n.index, updated_at = now() from (
        select f.id, row_number() over (
          order by array_position(${ids}::uuid[], f.id) nulls last, f.display_order, f.id) - 1 as index
        from ${living(tx, 'favorites')} f
        where f.user_id = ${tx.user} and ${folderOf(tx, 'f')} is not distinct from ${folder}::uuid
      ) n`,
      sql`r.id = n.id and r.display_order <> n.index`,
    )
  })
}

/** A list is sorted by one field, so here a favorite has one more: its rank, the folder's position with its own. */
const ranked = defineRecord({
  ...base.record,
  output: combined(favorite.output, object({ rank: text() })),
  computed: {
    ...base.record.computed,
    rank: ctx => sql`(coalesce((
      select lpad((f.display_order::bigint + 2147483648)::text, 10, '0') || f.id
      from ${living(ctx, 'favorite_folders')} f where f.id = r.folder_id), '')
      || lpad((r.display_order::bigint + 2147483648)::text, 10, '0'))`,
  },
  defaultSort: { by: 'rank', order: 'asc' },
})

async function list(ctx: Ctx, params: ListQuery): Promise<Page<Favorite>> {
  if (params.sort_by !== undefined) return base.list(ctx, params)
  const { items, ...page } = await listRecords(ctx, ranked, params)
  return { items: items.map(({ rank: _, ...item }) => item), ...page }
}

export const favoriteRecord = base.record
export const favoriteOperations: Operations<FavoriteInput, Favorite> = { ...base, list, create, update }
