/** The tables with rows of an account, read from the database's catalogue, so that a new table is included. */
import { type RawBuilder, sql } from 'kysely'
import { accountTableNames } from '../../../db/account-tables.ts'
import type { Db } from '../../../db/engine.ts'
import { FOREIGN_KEYS } from '../../../db/record-tables.ts'
import type { TableName } from '../../../kernel/statements.ts'

export interface AccountTable {
  name: TableName
  /** the columns that can be written */
  columns: string[]
  /** the key behind the account, with the types of its columns */
  key: { column: string; type: string }[]
  /** columns that name another row of the same table */
  selfReferences: string[]
  /** columns that name a person */
  people: { column: string; nullable: boolean }[]
  /** columns that the database counts up itself */
  counted: string[]
}

/**
 * Not exported: secrets, data derived from other tables (triggers write it again), work in progress, and the exports
 * themselves.
 */
const LEFT_OUT = [
  'api_keys',
  'retired_api_keys',
  'calendar_feeds',
  'polled_mailboxes',
  'invitations',
  'invitation_mails',
  'mail_recipients',
  'idempotency_keys',
  'members',
  'record_counts',
  'contact_addresses',
  'company_domains',
  'custom_values',
  'external_ids',
  'category_uses',
  'events',
  'event_feeds',
  'webhooks',
  'webhook_deliveries',
  'webhook_lanes',
  'jobs',
  'chat_answers',
  'assistant_rates',
  'exports',
]
const isLeftOut = (name: string) => LEFT_OUT.includes(name) || name.startsWith('search_')

/** Each comes after those that it refers to. */
export async function accountTables(db: Db): Promise<AccountTable[]> {
  const run = async <R>(statement: RawBuilder<R>) => (await statement.execute(db)).rows
  // Materialized: evaluated for each table, the view made it take 1.8 s of processor time on the embedded engine, not 0.1.
  const tables = await run(sql<AccountTable>`
    with keys as materialized (select t.child, t.parent, t.columns from ${FOREIGN_KEYS} t)
    select c.relname as name,
      array(select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select k from keys t cross join unnest(t.columns) k
        where t.child = c.oid and t.parent = c.oid and k <> 'account_id') as "selfReferences",
      coalesce((select json_agg(json_build_object('column', k.attname, 'type', format_type(k.atttypid, k.atttypmod)) order by n.place)
        from pg_catalog.pg_index i cross join unnest(i.indkey) with ordinality n (attnum, place)
        join pg_catalog.pg_attribute k on k.attrelid = c.oid and k.attnum = n.attnum
        where i.indrelid = c.oid and i.indisprimary and k.attname <> 'account_id'), '[]') as key,
      coalesce((select json_agg(json_build_object('column', k.attname, 'nullable', not k.attnotnull))
        from keys t join pg_catalog.pg_attribute k on k.attrelid = c.oid and k.attname = t.columns[1]
        where t.child = c.oid and t.parent = 'kith.users'::regclass), '[]') as people,
      array(select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as counted
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'kith'::regnamespace and c.relkind = 'r' order by c.relname`)
  const order = await accountTableNames(db)
  return tables
    .filter(({ name }) => !isLeftOut(name))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}
