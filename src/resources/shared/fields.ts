/** Fields that several resources have in common, named once. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { Filter } from '../../kernel/resource.ts'
import {
  boolean,
  datetime,
  dict,
  int,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'

/** Text of the usual length that may be empty. */
export const shortText = (options: { description?: string; examples?: string[] } = {}) =>
  optional(nullable(text({ max: 255, ...options })))
export const urlText = () => optional(nullable(text({ max: 2048 })))
export const longText = () => optional(nullable(text({ max: 50_000 })))

export const base = {
  id: uuid({ readOnly: true }),
  created_at: datetime({ readOnly: true }),
  updated_at: datetime({ readOnly: true }),
}

export const account = { account_id: uuid({ readOnly: true }) }

export const enrichmentInput = {
  enrichment: optional(dict()),
  enrichment_provider: shortText(),
  enrichment_last_updated: optional(nullable(datetime())),
  enrichment_status: shortText(),
}

export const referenceItem = object({ id: uuid(), name: text() }, { title: 'ReferenceItem' })
export const referenceItems = nullable(list(referenceItem))
export const idList = optional(nullable(list(uuid(), { max: 1000 })))

/** What categories, tags, pipelines and stages are called. White space around it would make two of one. */
export const labelName = (options: { max: number; description?: string }) =>
  text({
    ...{ min: 1, trim: true, ...options },
    description: ['White space around it is removed.', options.description].filter(Boolean).join(' '),
  })
export const categoryNames = optional(nullable(list(labelName({ max: 100 }), { max: 100 })))

/** `custom_fields` has the same content as `metadata`. */
export const customFieldsMirror = dict({
  description:
    'The same content as `metadata`, through which it is written: a merge patch of `metadata` changes single values',
  readOnly: true,
})
export const customFields = () => sql`r.metadata`

/** Without `offset 0` PostgreSQL reads all favorites of the user for a page if its statistics say that there are few. */
export const isFavorite = (entityType: string) => (ctx: Ctx) =>
  sql`exists (select from ${living(ctx, 'favorites')} f where f.entity_id = r.id and f.user_id = ${ctx.user}
    and f.entity_type = ${sql.lit(entityType)} offset 0)`

export const favoriteFilter = (entityType: string): Filter<boolean> => ({
  schema: boolean(),
  // two statements, because `= ${value}` would be evaluated for every row
  where: (ctx, value) => sql`r.id ${value ? sql`in` : sql`not in`} (
    select f.entity_id from ${living(ctx, 'favorites')} f
    where f.user_id = ${ctx.user} and f.entity_type = ${sql.lit(entityType)})`,
})

export const usageCount = int({ min: 0, description: 'The number of records with it' })

/** `kind` is the name under which record_counts counts the records that have it. */
export const usesOf = (kind: RawBuilder<unknown>) => (ctx: Ctx) =>
  sql`(select coalesce(sum(n.living), 0)::bigint from ${rows(ctx, 'record_counts')} n where n.kind = ${kind})`

/** `isFavorite` where one record is read: favorites are the bit 4 of its column `linked`. */
export const isFavoriteOfOne = (entityType: string) => (ctx: Ctx) =>
  sql`(r.linked & 4 <> 0 and is_favorite_of(${ctx.account}, ${ctx.user}, ${sql.lit(entityType)}, r.id))`

/** A company of `r` outside the trash, where one record is read. */
export const livingCompanyOfOne = (column: string) => (ctx: Ctx) =>
  sql`(case when r.${sql.ref(column)} is not null then living_company(${ctx.account}, r.${sql.ref(column)}) end)`

export const favoriteFlag = boolean({
  description: 'Whether the current user favorited the record',
  readOnly: true,
})
