/** Values that refer to a member of the account or to a record. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import type { Issue } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import type { FieldValue } from './change.ts'
import { CUSTOM_ENTITY_TYPES, type CustomEntityType } from './definition.ts'

/** The target of a field's values: a member of the account, a record of one kind, or any record. */
function targetOf({ field_type, validation }: FieldValue['definition']): LinkTarget | undefined {
  if (field_type === 'user') return 'user'
  return field_type === 'reference' ? (validation?.entity_type ?? 'record') : undefined
}

type LinkTarget = 'user' | 'record' | CustomEntityType

export async function missingTargets<V extends FieldValue>(
  ctx: Ctx,
  values: readonly V[],
): Promise<{ change: V; issue: Issue }[]> {
  const linked = values.flatMap(change => {
    const target = targetOf(change.definition)
    return target && typeof change.value === 'string' ? [{ change, target, id: change.value }] : []
  })
  if (linked.length === 0) return []
  const existing = await existingTargets(
    ctx,
    [...new Set(linked.map(({ target }) => target))],
    linked.map(({ id }) => id),
  )
  return linked
    .filter(({ target, id }) => !existing.has(`${target} ${id}`))
    .map(({ change, target }) => ({ change, issue: notFound(change, target) }))
}

function notFound({ value, loc }: FieldValue, target: LinkTarget): Issue {
  const label = target.charAt(0).toUpperCase() + target.slice(1)
  return { type: 'reference_not_found', loc, msg: `${label} not found`, input: value }
}

async function existingTargets(ctx: Ctx, kinds: LinkTarget[], ids: string[]): Promise<Set<string>> {
  const parts = kinds.flatMap(target => {
    if (target === 'user') {
      return [
        sql`select 'user' as target, m.user_id as id from ${rows(ctx, 'members')} m
        where m.user_id = any(${ids}::uuid[])`,
      ]
    }
    const types = target === 'record' ? CUSTOM_ENTITY_TYPES : [target]
    return types.map(
      type => sql`select ${target}::text as target, t.id from ${living(ctx, targets[type].table)} t
        where t.id = any(${ids}::uuid[])`,
    )
  })
  const existing = await query(ctx, sql<{ target: string; id: string }>`${sql.join(parts, sql` union all `)}`)
  return new Set(existing.map(({ target, id }) => `${target} ${id}`))
}
