/** Mails to an erased person, including those without a linked contact. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows, updateRows } from '../../kernel/statements.ts'
import { forget } from './answers.ts'
import type { Person } from './person.ts'

const LISTS = ['to', 'cc', 'bcc'] as const

/**
 * The drafts to erase: those linked to the person, and those with no other recipient. From other drafts only the
 * address is removed.
 */
export async function mailsOf(tx: Ctx, { ids, emails }: Person): Promise<string[]> {
  const isTheirs = sql`lower(x ->> 'email') = any(${emails}::text[])`
  const recipients = sql`jsonb_array_elements(d."to" || d.cc || d.bcc) x`
  const drafts = await query(
    tx,
    sql<{ id: string; is_own: boolean }>`select d.id,
        coalesce(d.contact_id = any(${ids}::uuid[]), false)
          or not exists (select from ${recipients} where not ${isTheirs}) as is_own
      from ${rows(tx, 'email_drafts')} d
      where d.contact_id = any(${ids}::uuid[]) or exists (select from ${recipients} where ${isTheirs})`,
  )
  const shared = drafts.filter(({ is_own }) => !is_own).map(({ id }) => id)
  if (shared.length > 0) {
    const without = (list: string) =>
      sql`${sql.ref(list)} = (select coalesce(jsonb_agg(x order by position), '[]')
        from jsonb_array_elements(r.${sql.ref(list)}) with ordinality e (x, position) where not ${isTheirs})`
    await updateRows(
      tx,
      'email_drafts',
      sql`${sql.join(LISTS.map(without))}, updated_at = now()`,
      sql`r.id = any(${shared}::uuid[])`,
    )
    await forget(tx, shared)
  }
  return drafts.filter(({ is_own }) => is_own).map(({ id }) => id)
}
