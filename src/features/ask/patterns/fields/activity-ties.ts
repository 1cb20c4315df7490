/** Companies, contacts and deals by the activities that hang on them. */
import { sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { living, rows, type TableName } from '../../../../kernel/statements.ts'
import type { Kind, Sql } from './field.ts'

/** What activities hang on. */
export type Tied = Extract<Kind, 'company' | 'contact' | 'deal'>
export const isTied = (kind: Kind): kind is Tied =>
  kind === 'company' || kind === 'contact' || kind === 'deal'

/**
 * Records of a kind (`r`) that have such an activity (`where` speaks of the activity `a`). A company has those of its
 * people and of its deals too.
 */
export function withActivity(ctx: Ctx, kind: Tied, where: Sql): Sql {
  const link = (table: TableName): Sql =>
    sql`${rows(ctx, table)} l join ${living(ctx, 'activities')} a on a.id = l.activity_id and ${where}`
  if (kind !== 'company') {
    const id = sql.ref(`l.${kind}_id`)
    return sql`r.id in (select ${id} from ${link(`activity_${kind}s`)})`
  }
  return sql`r.id in (select l.company_id from ${link('activity_companies')}
    union all select c.company_id from ${link('activity_contacts')}
      join ${rows(ctx, 'contacts')} c on c.id = l.contact_id where c.company_id is not null
    union all select p.company_id from ${link('activity_contacts')}
      join ${rows(ctx, 'company_people')} p on p.person_id = l.contact_id
    union all select d.company_id from ${link('activity_deals')}
      join ${rows(ctx, 'deal_companies')} d on d.deal_id = l.deal_id)`
}
