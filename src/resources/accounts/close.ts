/** Ends all access to an account at once, before its records are deleted. */
import { sql } from 'kysely'
import { query, type ServiceCtx } from '../../kernel/context.ts'

/**
 * In the transaction that decides the deletion. Without members nobody is let in, by a token or by a key. The slug is
 * free again: one with a dot is none that an account can choose.
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
  const homeless = leaving.filter(person => !person.belongs_elsewhere).map(({ id }) => id)
  await forgetPeople(tx, homeless)
}

/**
 * People without any account are forgotten: their address is free to register or to be invited. The row stays, without
 * anything of theirs: finding out whether an account that they left long ago names them would read all its records.
 */
async function forgetPeople(tx: ServiceCtx, ids: readonly string[]): Promise<void> {
  await query(
    tx,
    sql`update users set email = id || '@deleted.invalid', name = 'Deleted person', password_hash = null,
        external_subject = null, email_confirmed_at = null, updated_at = now()
      where id = any(${ids}::uuid[])`,
  )
  await query(tx, sql`delete from refresh_tokens where user_id = any(${ids}::uuid[])`)
  await query(tx, sql`delete from mail_tokens where user_id = any(${ids}::uuid[])`)
}
