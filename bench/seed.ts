/** Records to measure on, and the statements that Kith runs for them. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Ctx } from '../src/kernel/context.ts'
import { ofOne, selectList } from '../src/kernel/list-statement.ts'
import { insertStatement } from '../src/kernel/write-rows.ts'
import { companies } from '../src/resources/companies/index.ts'

export interface Seeded {
  account: string
  user: string
  ids: string[]
}

export async function seedCompanies(url: string, count: number): Promise<Seeded> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set search_path = kith')
  const { rows } = await client.query('select account_id, user_id from members limit 1')
  const { account_id: account, user_id: user } = rows[0]
  // Ids and times as a year of steady work would have made them.
  await client.query(
    `insert into companies (account_id, id, name, domains, industry, city, country, employee_count, annual_revenue,
       status, description, created_at, updated_at)
     select $1, gen_random_uuid(), 'Company ' || i, to_jsonb(array['company-' || i || '.example']),
       (array['Software', 'Retail', 'Health', 'Energy'])[1 + i % 4], (array['Berlin', 'Rome', 'Paris', 'Oslo'])[1 + i % 4],
       'DE', i % 5000, i * 1000, (array['lead', 'qualified', 'customer', 'inactive'])[1 + i % 4],
       'A company of the kind that a sales team keeps in its list, number ' || i,
       now() - (($2 - i) || ' minutes')::interval, now() - (($2 - i) || ' minutes')::interval
     from generate_series(1, $2::int) i`,
    [account, count],
  )
  await client.query('vacuum analyze')
  const ids = (await client.query('select id from companies')).rows.map(row => row.id)
  await client.end()
  return { account, user, ids }
}

/** The statements of get and create, as Kith compiles them. */
export function companyStatements({ account, user }: Seeded) {
  const compiler = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: undefined as never }) })
  const ctx = { account, user, db: compiler } as unknown as Ctx
  const columns = selectList(ctx, companies.record, ofOne(ctx, companies.record))
  const row = {
    ...{ id: ':id', name: ':name', domains: ':domains', city: ':city', employee_count: ':employee_count' },
    created_by: user,
  }
  const create = insertStatement(ctx, companies.record, row).compile(compiler)
  const get = sql`select ${columns} from companies r
    where r.account_id = ${account} and r.id = ${':id'} and r.deleted_at is null`.compile(compiler)
  return {
    get: get.sql,
    create: create.sql,
    parameters: { get: get.parameters, create: create.parameters },
  }
}
