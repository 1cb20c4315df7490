/** The parents of companies form trees. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { eachWrite, type Write } from '../../kernel/rules.ts'
import { rows } from '../../kernel/statements.ts'
import type { CompanyInput } from './record.ts'

/** Groups of companies are a few levels deep; more would only make every read slower. */
export const MAX_LEVELS = 20

/** Refuses parents that would form a cycle, also one between companies of the same set. */
export async function checkParents(tx: Ctx, writes: readonly Write<CompanyInput>[]): Promise<void> {
  const named = writes.filter(({ values }) => values.parent_id != null)
  if (named.length === 0) return
  // Two concurrent changes could create a cycle that neither of them sees.
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.account} company parents`}, 1))`)
  const parentOf = await parentsAbove(
    tx,
    named.flatMap(({ values }) => values.parent_id ?? []),
  )
  eachWrite(named, ({ id, values: { parent_id } }) => {
    if (parent_id == null) return
    const loc = ['body', 'parent_id']
    let levels = 1
    for (let above: string | null | undefined = parent_id; above; above = parentOf.get(above)) {
      if (above === id) {
        const sentence = 'a company cannot belong to itself or to a company below it'
        throw errors.invalidValue(loc, sentence, parent_id)
      }
      if (++levels > MAX_LEVELS) {
        const sentence = `companies can be at most ${MAX_LEVELS} levels deep`
        throw errors.invalidValue(loc, sentence, parent_id)
      }
    }
    parentOf.set(id, parent_id)
  })
}

/**
 * The parent of each of these companies, of its parent, and so on. Those in the trash count, too: a cycle through one
 * would be closed when it is restored, and the database would drop the parent silently.
 */
export async function parentsAbove(tx: Ctx, ids: readonly string[]): Promise<Map<string, string | null>> {
  const above = await query(
    tx,
    sql<{ id: string; parent_id: string | null }>`with recursive above (id, parent_id, level) as (
        select c.id, c.parent_id, 1 from ${rows(tx, 'companies')} c where c.id = any(${[...new Set(ids)]}::uuid[])
        union select c.id, c.parent_id, a.level + 1 from above a
          join ${rows(tx, 'companies')} c on c.id = a.parent_id where a.level < ${MAX_LEVELS}
      ) select distinct id, parent_id from above`,
  )
  return new Map(above.map(({ id, parent_id }) => [id, parent_id]))
}

/** Whether the company is the other one or above it. */
export async function isAbove(tx: Ctx, id: string, other: string): Promise<boolean> {
  const parentOf = await parentsAbove(tx, [other])
  for (let above: string | null | undefined = other; above; above = parentOf.get(above))
    if (above === id) return true
  return false
}
