/** Passages with the records they are of, as far as those live and the caller may see them. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living, rows } from '../../kernel/statements.ts'
import { SOURCES, type Source } from './sources.ts'

export interface FoundPassage {
  id: number
  entity_type: string
  entity_id: string
  part: number
  name: string
  body: string
  context: string
  created_at: string
  updated_at: string
}

const lives = (ctx: Ctx, source: Source): RawBuilder<unknown> =>
  sql`${living(ctx, source.table)} r on r.id = p.entity_id ${source.lives ? sql`and ${source.lives(ctx)}` : sql``}`

/** What the caller may read of the kinds that were asked for; all of them when none were. */
export function readableTypes(ctx: Ctx, wanted: readonly string[] | undefined): string[] {
  return SOURCES.filter(({ group }) => hasScope(ctx.caller.scopes, `${group}:read`))
    .map(source => source.entityType)
    .filter(type => wanted === undefined || wanted.length === 0 || wanted.includes(type))
}

export async function loadPassages(
  ctx: Ctx,
  ids: readonly number[],
  types: readonly string[],
): Promise<Map<number, FoundPassage>> {
  const sources = SOURCES.filter(source => types.includes(source.entityType))
  if (ids.length === 0 || sources.length === 0) return new Map()
  const found = await query(
    ctx,
    sql<FoundPassage>`with chosen as materialized (
        select p.id, p.entity_type, p.entity_id, p.part, p.name, p.body, p.context
        from ${rows(ctx, 'search_passages')} p where p.id = any(${ids}::bigint[])
      ) ${sql.join(
        sources.map(
          source => sql`select p.*, r.created_at, r.updated_at from chosen p join ${lives(ctx, source)}
            where p.entity_type = ${source.entityType}`,
        ),
        sql` union all `,
      )}`,
  )
  return new Map(found.map(passage => [passage.id, passage]))
}
