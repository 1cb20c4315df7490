/** Reassigns the records of a member who leaves: to another member, or to no one. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { rows, updateRows } from '../../kernel/statements.ts'

/** Every column that names the member who is responsible for a record; a test compares it with the resources. */
export const RESPONSIBLE = [
  { table: 'companies', column: 'owner_id' },
  { table: 'contacts', column: 'owner_id' },
  { table: 'deals', column: 'owner_id' },
  { table: 'activities', column: 'assignee_id' },
] as const

/** The successor must be another member; the row stays locked, so that they cannot leave meanwhile. */
export async function checkSuccessor(tx: Ctx, leaver: string, successor: string): Promise<void> {
  const loc = ['query', 'reassign_to']
  if (successor === leaver) throw errors.invalidValue(loc, 'this is the member who leaves', successor)
  const member = await queryOne(
    tx,
    sql`select m.user_id from ${rows(tx, 'members')} m where m.user_id = ${successor} for key share`,
  )
  if (!member) throw errors.referenceNotFound(loc, 'Member', successor)
}

/** Also in the trash: a restored record must not have a former member as its owner. */
export async function reassignRecords(tx: Ctx, leaver: string, successor: string | null): Promise<void> {
  for (const { table, column } of RESPONSIBLE) {
    await updateRows(
      tx,
      table,
      sql`${sql.ref(column)} = ${successor}, updated_at = now()`,
      sql`r.${sql.ref(column)} = ${leaver}`,
    )
  }
}
