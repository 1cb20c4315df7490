/** Reads records for the index; the values of custom fields are labelled with the names of the fields. */
import { sql } from 'kysely'
import { ResultTooLarge } from '../../db/bounded-query.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import { living, rows } from '../../kernel/statements.ts'
import { definitionsOf } from '../../resources/custom-fields/definition.ts'
import type { Source } from './sources/index.ts'

export async function readRecords(ctx: Ctx, source: Source, ids: readonly string[]) {
  const records = await rowsOf(ctx, source, ids)
  const labels = new Map((await definitionsOf(ctx, source.entityType)).map(field => [field.key, field]))
  return records.map(row => {
    const text = source.text(row)
    return {
      id: row.id,
      text: { ...text, facts: [...text.facts, ...customFacts(row.metadata, labels)] },
    }
  })
}

/** Large records are read a few at a time. */
async function rowsOf(
  ctx: Ctx,
  source: Source,
  ids: readonly string[],
): Promise<(Record<string, unknown> & { id: string })[]> {
  const reading = query(
    ctx,
    sql<
      Record<string, unknown> & { id: string }
    >`select r.id, ${source.select(ctx)}, to_jsonb(r) -> 'metadata' as metadata,
        (select coalesce(json_agg(t.name), '[]') from ${rows(ctx, 'taggings')} g
          join ${living(ctx, 'tags')} t on t.id = g.tag_id where g.entity_id = r.id) as tags
      from ${living(ctx, source.table)} r
      where r.id = any(${ids}::uuid[]) ${source.lives ? sql`and ${source.lives(ctx)}` : sql``}`,
  )
  return reading.catch(async error => {
    if (!(error instanceof ResultTooLarge) || ids.length < 2) throw error
    const middle = Math.ceil(ids.length / 2)
    const first = await rowsOf(ctx, source, ids.slice(0, middle))
    return [...first, ...(await rowsOf(ctx, source, ids.slice(middle)))]
  })
}

type Labels = Map<string, { name: string; options: unknown; is_archived: boolean }>

function customFacts(metadata: unknown, labels: Labels): string[] {
  if (typeof metadata !== 'object' || metadata === null) return []
  return Object.entries(metadata)
    .slice(0, 50)
    .flatMap(([key, value]) => {
      const field = labels.get(key)
      const shown = (Array.isArray(value) ? value : [value])
        .filter(part => ['string', 'number', 'boolean'].includes(typeof part) && part !== '')
        .map(part => optionLabel(field?.options, part).slice(0, 300))
      return shown.length === 0 ? [] : [`${field?.name ?? key.replace(/[_-]+/g, ' ')}: ${shown.join(', ')}`]
    })
}

function optionLabel(options: unknown, value: unknown): string {
  const option = Array.isArray(options) ? options.find(one => one?.value === value) : undefined
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(option?.label ?? value)
}
