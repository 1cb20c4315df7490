/** A favorite of one user. Other users do not see it. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { fold } from '../../kernel/fold.ts'
import { mayRead } from '../../kernel/reach.ts'
import { defineRecord } from '../../kernel/resource.ts'
import {
  datetime,
  type Infer,
  int,
  nullable,
  object,
  oneOf,
  optional,
  type Schema,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { kindsWith, targets } from '../kinds.ts'

type Sql = RawBuilder<unknown>

export const FAVORITE_TYPES = kindsWith('bookmarked')

const input = object(
  {
    entity_type: oneOf(FAVORITE_TYPES),
    entity_id: uuid({ description: 'The favorited record' }),
    folder_id: optional(nullable(uuid({ description: 'One of your favorites folders' }))),
    display_order: optional(int({ min: 0, description: 'Position within the folder; default: last' })),
    notes: optional(nullable(text({ max: 2000, description: 'Why it is a favorite' }))),
  },
  {
    title: 'FavoriteCreate',
    examples: [{ entity_type: 'company', entity_id: '01993a60-8c00-7000-8000-000000000001' }],
  },
)

/** The current name of the record of a favorite (`alias`); null while the record is in the trash. */
export const entityName = (ctx: Ctx, alias: string): Sql => {
  const f = sql.ref(alias)
  const names = FAVORITE_TYPES.map(type => {
    const { table, name } = targets[type]
    return sql`when ${sql.lit(type)} then (
      select t.${sql.ref(name)} from ${living(ctx, table)} t where t.id = ${f}.entity_id)`
  })
  return sql`(case ${f}.entity_type ${sql.join(names, sql` `)} end)`
}

/** The folder of a favorite (`alias`): none while it is in the trash, from which it returns with its favorites. */
export const folderOf = (ctx: Ctx, alias: string): Sql =>
  sql`(select d.id from ${living(ctx, 'favorite_folders')} d where d.id = ${sql.ref(`${alias}.folder_id`)})`

/** A folder's id, or `null` for favorites without a folder. */
const folderId: Schema<string | null> = {
  optional: true,
  json: { type: 'string', description: 'A folder’s id, or null for favorites in no folder' },
  check: (input, loc, issues) => (input === 'null' || input === '' ? null : uuid().check(input, loc, issues)),
}

/** A favorite shows the name of its record, so it is visible only while the caller may read that record. */
export const isShown = (ctx: Ctx): Sql => {
  const readable = FAVORITE_TYPES.filter(type => mayRead(ctx, targets[type].table))
  const isReadable =
    readable.length === FAVORITE_TYPES.length ? sql`` : sql`and r.entity_type = any(${readable}::text[])`
  return sql`r.user_id = ${ctx.user} and ${entityName(ctx, 'r')} is not null ${isReadable}`
}

export const favorite = defineRecord({
  table: 'favorites',
  label: 'Favorite',
  input,
  output: object(
    {
      id: uuid(),
      account_id: uuid(),
      user_id: uuid(),
      entity_type: oneOf(FAVORITE_TYPES),
      entity_id: uuid(),
      created_at: datetime(),
      updated_at: datetime(),
      folder_id: nullable(uuid()),
      display_order: int(),
      notes: nullable(text()),
      entity_name: text({ description: 'The current name of the record' }),
    },
    { title: 'Favorite' },
  ),
  computed: { entity_name: ctx => entityName(ctx, 'r'), folder_id: ctx => folderOf(ctx, 'r') },
  visible: isShown,
  filters: {
    entity_type: {
      schema: oneOf(FAVORITE_TYPES),
      where: (_, value) => sql`r.entity_type = ${value}`,
    },
    entity_id: { schema: uuid(), where: (_, value) => sql`r.entity_id = ${value}` },
    folder_id: {
      schema: folderId,
      where: (ctx, value) =>
        value === null ? sql`${folderOf(ctx, 'r')} is null` : sql`${folderOf(ctx, 'r')} = ${value}`,
    },
    search: {
      schema: text({ max: 1000 }),
      where: (ctx, value: string) =>
        sql`strpos(fold(${entityName(ctx, 'r')} || chr(10) || coalesce(r.notes, '')), ${fold(value.trim())}) > 0`,
    },
  },
})
export type FavoriteInput = Infer<typeof favorite.input>
export type Favorite = Infer<typeof favorite.output>
