/** Identifies copies of a person's data: by ids of contacts, names and e-mail addresses. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'

export interface Person {
  /** the contact and the duplicates that were merged into it */
  ids: string[]
  /** full names of at least two words: a single word would match too many other people */
  names: string[]
  /** in lower case */
  emails: string[]
}

export async function personOf(tx: Ctx, contactId: string): Promise<Person> {
  const ids = await withDuplicates(tx, contactId)
  const contacts = await query(
    tx,
    sql<{ name: string; email: string | null; emails: { email?: string }[] | null }>`
      select c.full_name as name, c.email, c.emails from ${rows(tx, 'contacts')} c where c.id = any(${ids}::uuid[])`,
  )
  const emails = contacts.flatMap(({ email, emails }) => [email, ...(emails ?? []).map(one => one.email)])
  return {
    ids,
    names: [...new Set(contacts.map(({ name }) => name.trim()).filter(name => /\S\s+\S/.test(name)))],
    emails: [...new Set(emails.flatMap(email => (email ? [email.toLowerCase()] : [])))],
  }
}

/** The contact, the contacts in the trash that were merged into it, and those merged into these. */
async function withDuplicates(tx: Ctx, contactId: string): Promise<string[]> {
  const contacts = await query(
    tx,
    sql<{ id: string }>`with recursive same (id) as (
        select ${contactId}::uuid
        union
        select duplicate.entity_id from same s
        join ${rows(tx, 'changes')} target on target.entity_id = s.id and target.kind = 'contacts' and target.action = 'updated'
        join ${rows(tx, 'operations')} o on o.id = target.operation_id and o.kind = 'merge' and o.undone_at is null
        join ${rows(tx, 'changes')} duplicate on duplicate.operation_id = o.id and duplicate.kind = 'contacts' and duplicate.action = 'deleted'
        join ${rows(tx, 'contacts')} c on c.id = duplicate.entity_id and c.deleted_at is not null
      ) select id from same`,
  )
  return contacts.map(({ id }) => id)
}
