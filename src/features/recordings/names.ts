/**
 * Names that are likely to occur in a recording: of the linked records, of the contacts around them, and of the
 * account's members.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { living, rows } from '../../kernel/statements.ts'

const MAX_NAMES = 200

export async function namesAround(ctx: Ctx, id: string): Promise<string[]> {
  const contacts = sql`select t.contact_id from t
    union select l.contact_id from ${rows(ctx, 'deal_contacts')} l join t on t.deal_id = l.deal_id
    union select l.contact_id from ${rows(ctx, 'activity_contacts')} l join t on t.activity_id = l.activity_id`
  const companies = sql`select t.company_id from t
    union select l.company_id from ${rows(ctx, 'deal_companies')} l join t on t.deal_id = l.deal_id
    union select l.company_id from ${rows(ctx, 'activity_companies')} l join t on t.activity_id = l.activity_id
    union select c.company_id from ${living(ctx, 'contacts')} c where c.id in (select * from linked_contacts)`
  const names = await query(
    ctx,
    sql<{ name: string }>`with
      t as (select r.* from ${living(ctx, 'transcriptions')} r where r.id = ${id}),
      linked_contacts as (${contacts}),
      linked_companies as (${companies})
      select n.name from (
        select c.full_name as name, 1 as rank from ${living(ctx, 'contacts')} c where c.id in (select * from linked_contacts)
        union select f.name, 1 from ${living(ctx, 'companies')} f where f.id in (select * from linked_companies)
        union select d.name, 1 from ${living(ctx, 'deals')} d join t on t.deal_id = d.id
        union select u.name, 2 from ${rows(ctx, 'members')} m join users u on u.id = m.user_id
        union select c.full_name, 3 from ${living(ctx, 'contacts')} c where c.company_id in (select * from linked_companies)
      ) n where n.name is not null order by n.rank, n.name limit ${MAX_NAMES}`,
  )
  return [...new Set(names.map(({ name }) => name))]
}
