/** Loads passages with the times of their records, without deleted records and kinds that the caller may not read. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living, rows } from '../../kernel/statements.ts'
import { SOURCES, type Source, sourceOf } from './sources/index.ts'

export interface FoundPassage {
  id: number
  entity_type: string
  entity_id: string
  part: number
  name: string
  body: string
  context: string
  written: boolean
  created_at: string
  updated_at: string
}

/** The requested kinds that the caller may read; all that the caller may read if none is requested. */
export function readableTypes(ctx: Ctx, requested: readonly string[] | undefined): string[] {
  return SOURCES.filter(({ group }) => hasScope(ctx.caller.scopes, `${group}:read`))
    .map(source => source.entityType)
    .filter(type => requested === undefined || requested.length === 0 || requested.includes(type))
}

type Passage = Omit<FoundPassage, 'created_at' | 'updated_at'>

/** Two statements by key: as one join, a planner without statistics reads whole tables. */
export async function loadPassages(
  ctx: Ctx,
  ids: readonly number[],
  types: readonly string[],
): Promise<Map<number, FoundPassage>> {
  if (ids.length === 0) return new Map()
  const passages = await query(
    ctx,
    sql<Passage>`select p.id, p.entity_type, p.entity_id, p.part, p.name, p.body, p.context, p.written
      from ${rows(ctx, 'search_passages')} p where p.id = any(${ids}::bigint[]) and p.entity_type = any(${types}::text[])`,
  )
  const living = await livingRecords(ctx, passages)
  return new Map(
    passages.flatMap(passage => {
      const record = living.get(passage.entity_id)
      return record ? [[passage.id, { ...passage, ...record }] as const] : []
    }),
  )
}

async function livingRecords(ctx: Ctx, passages: readonly Passage[]) {
  const selects = [...Map.groupBy(passages, passage => passage.entity_type)].flatMap(([type, some]) => {
    const source = sourceOf(type)
    return source
      ? [
          livingOf(
            ctx,
            source,
            some.map(passage => passage.entity_id),
          ),
        ]
      : []
  })
  if (selects.length === 0) return new Map<string, { created_at: string; updated_at: string }>()
  const records = await query(
    ctx,
    sql<{ id: string; created_at: string; updated_at: string }>`${sql.join(selects, sql` union all `)}`,
  )
  return new Map(records.map(({ id, ...times }) => [id, times]))
}

const livingOf = (ctx: Ctx, source: Source, ids: readonly string[]): RawBuilder<unknown> =>
  sql`select r.id, r.created_at, r.updated_at from ${living(ctx, source.table)} r
    where r.id = any(${ids}::uuid[]) ${source.lives ? sql`and ${source.lives(ctx)}` : sql``}`
