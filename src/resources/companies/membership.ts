/** Updates the primary company of contacts when a company's team changes. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { rows, updateRows } from '../../kernel/statements.ts'

/** Runs `write`, which changes the company's team. */
export async function changingTeam<T>(tx: Ctx, companyId: string, write: () => Promise<T>): Promise<T> {
  if ((await lockRecords(tx, 'companies', [companyId])).length === 0) throw errors.notFound('Company')
  const people = (await teamsOf(tx, [companyId])).map(({ person_id }) => person_id)
  const result = await write()
  await followTeams(tx, [{ companyId, people }])
  return result
}

/** A company whose team was written, with the people who were in it before. */
interface ChangedTeam {
  companyId: string
  people: readonly string[]
}

/**
 * Contacts who left a team lose it as their primary company; contacts who joined and had none get it, the first where
 * they joined several teams of the set.
 */
export async function followTeams(tx: Ctx, changed: readonly ChangedTeam[]): Promise<void> {
  if (changed.length === 0) return
  const left = changed.filter(({ people }) => people.length > 0).map(({ companyId }) => companyId)
  if (left.length > 0) {
    await updateRows(
      tx,
      'contacts',
      { company_id: null, updated_at: sql`now()` },
      sql`r.company_id = any(${left}::uuid[]) and not exists (
        select from ${rows(tx, 'company_people')} l where l.company_id = r.company_id and l.person_id = r.id)`,
    )
  }
  const now = await teamsOf(
    tx,
    changed.map(({ companyId }) => companyId),
  )
  const joined = changed.flatMap(({ companyId, people }) => {
    const before = new Set(people)
    return now.filter(({ company_id, person_id }) => company_id === companyId && !before.has(person_id))
  })
  if (joined.length === 0) return
  const firstOf = new Map(joined.toReversed().map(({ company_id, person_id }) => [person_id, company_id]))
  await updateRows(
    tx,
    'contacts',
    sql`company_id = (select j.company_id from unnest(${[...firstOf.keys()]}::uuid[], ${[...firstOf.values()]}::uuid[])
      j (person_id, company_id) where j.person_id = r.id), updated_at = now()`,
    sql`r.company_id is null and r.id = any(${[...firstOf.keys()]}::uuid[])`,
  )
}

const teamsOf = (tx: Ctx, companyIds: readonly string[]) =>
  query(
    tx,
    sql<{ company_id: string; person_id: string }>`select l.company_id, l.person_id
      from ${rows(tx, 'company_people')} l where l.company_id = any(${companyIds}::uuid[])`,
  )
