/** Ends all access to an account at once, before its records are deleted. */
import { sql } from 'kysely'
import { query, type ServiceCtx } from '../../kernel/context.ts'

/**
 * Call it in the transaction of the deletion request. Without members no token and no key gives access. The slug is
 * free again: the account gets one with a dot, which no account can choose.
 */
export async function closeAccount(tx: ServiceCtx, accountId: string): Promise<void> {
  await query(
    tx,
    sql`update accounts set closed_at = now(), updated_at = now(), slug = id || '.deleted' where id = ${accountId}`,
  )
  const leaving = await query(
    tx,
    sql<{ id: string; belongs_elsewhere: boolean }>`select m.user_id as id, exists (select from members o
        where o.user_id = m.user_id and o.account_id <> m.account_id) as belongs_elsewhere
      from members m where m.account_id = ${accountId}`,
  )
  await query(tx, sql`delete from members where account_id = ${accountId}`)
  await query(tx, sql`delete from api_keys where account_id = ${accountId}`)
  await query(tx, sql`delete from invitations where account_id = ${accountId}`)
  const withoutAccount = leaving.filter(person => !person.belongs_elsewhere).map(({ id }) => id)
  await erasePeople(tx, withoutAccount)
}

/**
 * Removes the data of people without another account, so that their address can be registered or invited. The empty row
 * remains: checking whether records of an account that they left refer to it would read all records.
 */
async function erasePeople(tx: ServiceCtx, ids: readonly string[]): Promise<void> {
  await query(
    tx,
    sql`update users set email = id || '@deleted.invalid', name = 'Deleted person', password_hash = null,
        external_subject = null, email_confirmed_at = null, updated_at = now()
      where id = any(${ids}::uuid[])`,
  )
  await query(tx, sql`delete from refresh_tokens where user_id = any(${ids}::uuid[])`)
  await query(tx, sql`delete from mail_tokens where user_id = any(${ids}::uuid[])`)
}
