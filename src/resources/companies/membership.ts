/** Updates the primary company of contacts when a company's team changes. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { rows, updateRows } from '../../kernel/statements.ts'

/**
 * Runs `write`, which changes the company's team. Contacts who left lose it as their primary company;
 * contacts who joined and had none get it.
 */
export async function changingTeam<T>(tx: Ctx, companyId: string, write: () => Promise<T>): Promise<T> {
  if ((await lockRecords(tx, 'companies', [companyId])).length === 0) throw errors.notFound('Company')
  const before = await peopleOf(tx, companyId)
  const result = await write()
  await updateRows(
    tx,
    'contacts',
    { company_id: null, updated_at: sql`now()` },
    sql`r.company_id = ${companyId} and not exists (
      select from ${rows(tx, 'company_people')} l where l.company_id = ${companyId} and l.person_id = r.id)`,
  )
  await welcome(tx, companyId, before)
  return result
}

/** The company becomes the primary one of its contacts without one, except those in `known`. */
export async function welcome(tx: Ctx, companyId: string, known: readonly string[] = []): Promise<void> {
  await updateRows(
    tx,
    'contacts',
    { company_id: companyId, updated_at: sql`now()` },
    sql`r.company_id is null and r.id <> all(${known}::uuid[]) and r.id in (
      select l.person_id from ${rows(tx, 'company_people')} l where l.company_id = ${companyId})`,
  )
}

async function peopleOf(tx: Ctx, companyId: string): Promise<string[]> {
  const found = await query(
    tx,
    sql<{ id: string }>`select l.person_id as id from ${rows(tx, 'company_people')} l
      where l.company_id = ${companyId}`,
  )
  return found.map(row => row.id)
}
