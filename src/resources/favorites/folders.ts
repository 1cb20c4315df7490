/** Folders for a user's favorites. The favorites of a deleted one are in no folder until it is restored. */
import { sql } from 'kysely'
import { type Ctx, one, query, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { defineRecord, type Resource, type Stamps } from '../../kernel/resource.ts'
import { type Infer, int, object, optional, text, uuid } from '../../kernel/schema/index.ts'
import { living, updateRows } from '../../kernel/statements.ts'
import { account, base, shortText } from '../shared/fields.ts'
import { endOfFolder, lockFavorites } from './operations.ts'
import { entityName } from './record.ts'

const input = object(
  {
    name: text({ min: 1, max: 255 }),
    color: shortText(),
    display_order: optional(int({ min: 0, description: 'At the end when absent' })),
  },
  { title: 'FavoritesFolderCreate', examples: [{ name: 'This quarter' }] },
)

const folder = defineRecord({
  table: 'favorite_folders',
  label: 'Folder',
  input,
  output: object(
    {
      ...base,
      ...account,
      user_id: uuid(),
      ...input.fields,
      favorites_count: int({ min: 0 }),
    },
    { title: 'FavoritesFolder' },
  ),
  computed: {
    favorites_count: ctx => sql`(select count(*) from ${living(ctx, 'favorites')} f
      where f.user_id = r.user_id and f.folder_id = r.id and ${entityName(ctx, 'f')} is not null)`,
  },
  visible: ctx => sql`r.user_id = ${ctx.user}`,
  search: 'text',
  defaultSort: { by: 'display_order', order: 'asc' },
})
export type FolderInput = Infer<typeof folder.input>
export type Folder = Infer<typeof folder.output>

const operations = crud(folder)

function create(ctx: Ctx, input: FolderInput, writing: { set?: Stamps } = {}): Promise<Folder> {
  return transaction(ctx, async tx => {
    await lockFavorites(tx)
    const last = await query(
      tx,
      sql<{ next: number }>`select coalesce(max(f.display_order) + 1, 0)::bigint as next
        from ${living(tx, 'favorite_folders')} f where f.user_id = ${tx.user}`,
    )
    const display_order = input.display_order ?? Math.min(one(last).next, 2_147_483_647)
    const set = { ...writing.set, user_id: tx.user }
    return operations.create(tx, { ...input, display_order }, { set })
  })
}

/** Its favorites come after those that have no folder, in their order. */
function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    await lockFavorites(tx)
    const own = await query(
      tx,
      sql<{ id: string }>`select f.id from ${living(tx, 'favorite_folders')} f
        where f.id = any(${ids}::uuid[]) and f.user_id = ${tx.user}`,
    )
    const end = await endOfFolder(tx, null)
    await updateRows(
      tx,
      'favorites',
      sql`updated_at = now(), display_order = least(${end} + n.index, 2147483647) from (
        select f.id, row_number() over (order by f.folder_id, f.display_order, f.id) - 1 as index
        from ${living(tx, 'favorites')} f where f.folder_id = any(${own.map(row => row.id)}::uuid[])
      ) n`,
      sql`r.id = n.id`,
    )
    return operations.remove(tx, ids)
  })
}

export const favoriteFolders: Resource<FolderInput, Folder> = {
  name: 'favorites',
  path: '/api/favorites/folders',
  idParam: 'folder_id',
  tag: 'Favorites folders',
  record: operations.record,
  operations: { ...operations, create, remove },
}
