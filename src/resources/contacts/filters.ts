/** The filters of the list of contacts, besides those of every list. */
import { sql } from 'kysely'
import { equals } from '../../kernel/list-parameters.ts'
import type { Filter } from '../../kernel/resource.ts'
import { text, uuid } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'

export const contactFilters: Record<string, Filter> = {
  company_id: {
    schema: uuid({ description: 'Any of the contact’s companies' }),
    where: (ctx, value) => sql`r.id in (select l.person_id from ${rows(ctx, 'company_people')} l
      join ${living(ctx, 'companies')} c on c.id = l.company_id where l.company_id = ${value})`,
  },
  email: {
    schema: text({ max: 320, description: 'Any of the contact’s addresses, exactly, ignoring case' }),
    where: (ctx, value: string) => sql`r.id in (select a.contact_id from ${rows(ctx, 'contact_addresses')} a
      where a.address = lower(${value.trim()}::text collate "C"))`,
  },
  domain: {
    schema: text({ max: 2048, description: 'The domain of any of the contact’s addresses' }),
    where: (ctx, value: string) => sql`r.id in (select a.contact_id from ${rows(ctx, 'contact_addresses')} a
      where a.domain = domain_name(${value.trim().replace(/^@/, '')}))`,
  },
  status: equals('status', text(), (_, value) => sql`c.value = ${value}`),
  lead_source: equals('lead_source', text()),
  owner_id: equals('owner_id', uuid()),
}
