/** Values that name something else: a person of the account, or a record. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import type { Issue } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { targets } from '../shared/fields.ts'
import type { Change } from './checks.ts'
import { CUSTOM_ENTITY_TYPES, type Definition } from './definition.ts'

/** `user`, the kind of record that a reference is confined to, or `record` for any. */
const targetOf = ({ field_type, validation }: Definition): string | undefined =>
  field_type === 'user'
    ? 'user'
    : field_type === 'reference'
      ? (validation?.entity_type ?? 'record')
      : undefined

export async function missingTargets(
  ctx: Ctx,
  changes: readonly Change[],
): Promise<{ change: Change; issue: Issue }[]> {
  const linked = changes.filter(({ definition, value }) => targetOf(definition) && typeof value === 'string')
  if (linked.length === 0) return []
  const known = await knownTargets(
    ctx,
    [...new Set(linked.map(({ definition }) => targetOf(definition)!))],
    linked.map(({ value }) => value as string),
  )
  return linked
    .filter(({ definition, value }) => !known.has(`${targetOf(definition)} ${value}`))
    .map(change => ({ change, issue: notFound(change) }))
}

function notFound({ definition, value, loc }: Change): Issue {
  const target = targetOf(definition)!
  const label = target[0]!.toUpperCase() + target.slice(1)
  return { type: 'reference_not_found', loc, msg: `${label} not found`, input: value }
}

async function knownTargets(ctx: Ctx, kinds: string[], ids: string[]): Promise<Set<string>> {
  const parts = kinds.flatMap(target => {
    if (target === 'user') {
      return [
        sql`select 'user' as target, m.user_id as id from ${rows(ctx, 'members')} m
        where m.user_id = any(${ids}::uuid[])`,
      ]
    }
    const types = target === 'record' ? CUSTOM_ENTITY_TYPES : [target as (typeof CUSTOM_ENTITY_TYPES)[number]]
    return types.map(
      type => sql`select ${target}::text as target, t.id from ${living(ctx, targets[type].table)} t
        where t.id = any(${ids}::uuid[])`,
    )
  })
  const found = await query(ctx, sql<{ target: string; id: string }>`${sql.join(parts, sql` union all `)}`)
  return new Set(found.map(({ target, id }) => `${target} ${id}`))
}
