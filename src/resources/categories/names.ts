/** Records carry the names of their categories; a name that is new makes a category. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { insertRows, living } from '../../kernel/statements.ts'
import { required } from '../../lib/values.ts'

/** Each name as its category spells it. Names that differ only in case or accents are one category. */
export async function categoryNamesOf(ctx: Ctx, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const keys = await foldedNames(ctx, [...new Set(names)])
  const spelling = await existingNames(ctx, [...new Set(keys.values())])
  const fresh = new Map<string, string>()
  for (const [name, key] of keys) if (!spelling.has(key) && !fresh.has(key)) fresh.set(key, name)
  if (fresh.size > 0) {
    // In one order, so that two writers with the same new names do not wait for each other.
    const inOrder = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1))
    await insertRows(
      ctx,
      'categories',
      inOrder.map(([, name]) => ({ id: newId(), name })),
      { onConflict: sql`(account_id, fold(name)) where deleted_at is null do nothing` },
    )
    // Another writer may have made one of them meanwhile, in another spelling.
    for (const [key, name] of await existingNames(ctx, [...fresh.keys()])) spelling.set(key, name)
  }
  return new Map([...keys].map(([name, key]) => [name, required(spelling, key)]))
}

/** The categories with these keys, held against a rename until the record that is about to name them is written. */
async function existingNames(ctx: Ctx, keys: readonly string[]): Promise<Map<string, string>> {
  const found = await query(
    ctx,
    sql<{ key: string; name: string }>`select c.name_key as key, c.name from ${living(ctx, 'categories')} c
      where c.name_key = any(${keys}::text[]) order by c.id for key share`,
  )
  return new Map(found.map(({ key, name }) => [key, name]))
}

const folded = new Map<string, string>()
const MAX_FOLDED = 10_000

/** How PostgreSQL folds these names; the same few come again and again. */
async function foldedNames(ctx: Ctx, names: readonly string[]): Promise<Map<string, string>> {
  if (folded.size > MAX_FOLDED) folded.clear()
  const keys = new Map(names.map(name => [name, folded.get(name) ?? '']))
  const unknown = names.filter(name => !folded.has(name))
  if (unknown.length === 0) return keys
  const found = await query(
    ctx,
    sql<{ name: string; key: string }>`select n as name, fold(n) as key from unnest(${unknown}::text[]) n`,
  )
  for (const { name, key } of found) {
    keys.set(name, key)
    folded.set(name, key)
  }
  return keys
}

/** A record's categories in their own spelling, each once. */
export const spelledOut = (names: readonly string[], spelling: ReadonlyMap<string, string>): string[] => [
  ...new Set(names.map(name => spelling.get(name) ?? name)),
]
