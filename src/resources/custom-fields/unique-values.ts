/** Unique fields: no two living records have the same value. The index enforces it; this finds the field for the message. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows, type TableName } from '../../kernel/statements.ts'
import type { Change } from './change.ts'
import type { Definition } from './definition.ts'

export interface Taken {
  change: Change
  sentence: string
}

export const takenSentence = (name: string, entityType: string, id: string): string =>
  `The ${entityType} ${id} already has this value of the field "${name}", which is unique`

/** The values to be written that another record already has, or an earlier record of the same set. */
export async function takenValues(ctx: Ctx, changes: readonly Change[]): Promise<Taken[]> {
  const unique = changes.filter(({ definition, value }) => definition.is_unique && value !== null)
  if (unique.length === 0) return []
  const taken = twice(unique)
  const conflicts = await query(
    ctx,
    sql<{ position: number; entity_id: string }>`select q.position, v.entity_id
      from (
        select g.position, g.field_id, custom_hash(g.type, p.whole, p.number_value, p.time_value) as hash
        from unnest(${unique.map(({ definition }) => definition.id)}::uuid[],
          ${unique.map(({ definition }) => definition.field_type)}::text[],
          ${unique.map(({ value }) => JSON.stringify(value))}::text[]) with ordinality g (field_id, type, value, position)
        cross join lateral custom_parts(g.type, g.value::jsonb) p
        offset 0
      ) q
      join ${rows(ctx, 'custom_values')} v on v.field_id = q.field_id and v.unique_hash = q.hash`,
  )
  for (const { position, entity_id } of conflicts) {
    const change = unique[position - 1]
    if (!change || change.write.id === entity_id) continue
    const { name, entity_type } = change.definition
    taken.push({ change, sentence: takenSentence(name, entity_type, entity_id) })
  }
  return taken
}

function twice(changes: readonly Change[]): Taken[] {
  const seen = new Set<string>()
  return changes.flatMap(change => {
    const { id, name, field_type } = change.definition
    const text = JSON.stringify(change.value)
    const key = `${id} ${field_type === 'email' ? text.toLowerCase() : text}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [
      {
        change,
        sentence: `Two of these records have the same value of the field "${name}", which is unique`,
      },
    ]
  })
}

/** The first record that cannot be restored because another record has its unique value. */
export async function restoreConflict(
  ctx: Ctx,
  table: TableName,
  entityType: string,
  definitions: readonly Definition[],
  ids: readonly string[],
): Promise<string | undefined> {
  const unique = definitions.filter(definition => definition.is_unique)
  if (unique.length === 0) return undefined
  const [clash] = await query(
    ctx,
    sql<{ field_id: string; entity_id: string }>`select q.field_id, v.entity_id
      from (
        select f.id as field_id, custom_hash(f.field_type, p.whole, p.number_value, p.time_value) as hash
        from ${rows(ctx, table)} r
        join ${rows(ctx, 'custom_fields')} f on f.id = any(${unique.map(({ id }) => id)}::uuid[])
        cross join lateral custom_parts(f.field_type, r.metadata -> f.key) p
        where r.id = any(${ids}::uuid[]) and r.deleted_at is not null
        offset 0
      ) q
      join ${rows(ctx, 'custom_values')} v on v.field_id = q.field_id and v.unique_hash = q.hash
      order by v.entity_id limit 1`,
  )
  const field = unique.find(({ id }) => id === clash?.field_id)
  return clash && field && takenSentence(field.name, entityType, clash.entity_id)
}
