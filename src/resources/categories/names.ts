/** Records have the names of their categories; a new name creates a category. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { processState } from '../../kernel/process-state.ts'
import { insertRows, living } from '../../kernel/statements.ts'
import { required } from '../../lib/values.ts'

/** Each name as its category spells it. Names that differ only in case or accents are one category. */
export async function categoryNamesOf(ctx: Ctx, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const keys = await foldedNames(ctx, [...new Set(names)])
  const spelling = await existingNames(ctx, [...new Set(keys.values())])
  const missing = new Map<string, string>()
  for (const [name, key] of keys) if (!spelling.has(key) && !missing.has(key)) missing.set(key, name)
  if (missing.size > 0) {
    // In one order, so that two transactions with the same new names do not deadlock.
    const inOrder = [...missing].sort(([a], [b]) => (a < b ? -1 : 1))
    await insertRows(
      ctx,
      'categories',
      inOrder.map(([, name]) => ({ id: newId(), name })),
      { onConflict: sql`(account_id, fold(name)) where deleted_at is null do nothing` },
    )
    // Another transaction may have created one of them meanwhile, in another spelling.
    for (const [key, name] of await existingNames(ctx, [...missing.keys()])) spelling.set(key, name)
  }
  return new Map([...keys].map(([name, key]) => [name, required(spelling, key)]))
}

/** The categories with these keys, locked against a rename until the record with their names is written. */
async function existingNames(ctx: Ctx, keys: readonly string[]): Promise<Map<string, string>> {
  const categories = await query(
    ctx,
    sql<{ key: string; name: string }>`select c.name_key as key, c.name from ${living(ctx, 'categories')} c
      where c.name_key = any(${keys}::text[]) order by c.id for key share`,
  )
  return new Map(categories.map(({ key, name }) => [key, name]))
}

const foldedIn = processState(() => new Map<string, string>())
const MAX_FOLDED = 10_000

/** These names as PostgreSQL folds them; cached, because the same few are frequent. */
async function foldedNames(ctx: Ctx, names: readonly string[]): Promise<Map<string, string>> {
  const folded = foldedIn(ctx.services)
  if (folded.size > MAX_FOLDED) folded.clear()
  const keys = new Map(names.map(name => [name, folded.get(name) ?? '']))
  const unknown = names.filter(name => !folded.has(name))
  if (unknown.length === 0) return keys
  const foldedRows = await query(
    ctx,
    sql<{ name: string; key: string }>`select n as name, fold(n) as key from unnest(${unknown}::text[]) n`,
  )
  for (const { name, key } of foldedRows) {
    keys.set(name, key)
    folded.set(name, key)
  }
  return keys
}

/** A record's categories in their own spelling, each once. */
export const spelledOut = (names: readonly string[], spelling: ReadonlyMap<string, string>): string[] => [
  ...new Set(names.map(name => spelling.get(name) ?? name)),
]
