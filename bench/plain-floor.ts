/**
 * The plain floor: what a developer would write in an hour. Fastify and pg on one table without triggers, history,
 * accounts or checks; `count(*)` for totals, a trigram index for search.
 */
import fastify from 'fastify'
import pg from 'pg'
import { newId } from '../src/kernel/ids.ts'

const [url = '', port = '', records = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })

const COLUMNS =
  'id, name, domains, industry, city, country, employee_count, annual_revenue, status, description, created_at, updated_at'

await pool.query(`
  create table companies (
    id uuid primary key, name text not null, domains jsonb not null default '[]', industry text, city text, country text,
    employee_count int, annual_revenue numeric, status text not null default 'lead', description text,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now()
  );
  create index companies_newest on companies (created_at desc, id desc)`)
await pool.query(
  `insert into companies (${COLUMNS})
   select gen_random_uuid(), 'Company ' || i, to_jsonb(array['company-' || i || '.example']),
     (array['Software', 'Retail', 'Health', 'Energy'])[1 + i % 4], (array['Berlin', 'Rome', 'Paris', 'Oslo'])[1 + i % 4],
     'DE', i % 5000, i * 1000, (array['lead', 'qualified', 'customer', 'inactive'])[1 + i % 4],
     'A company of the kind that a sales team keeps in its list, number ' || i,
     now() - (($1 - i) || ' minutes')::interval, now() - (($1 - i) || ' minutes')::interval
   from generate_series(1, $1::int) i`,
  [Number(records)],
)
const hasTrigrams = await pool
  .query(
    'create extension if not exists pg_trgm; create index companies_name on companies using gin (name gin_trgm_ops)',
  )
  .then(
    () => true,
    () => false,
  )
await pool.query('vacuum analyze companies')
const ids: string[] = (await pool.query('select id from companies')).rows.map(({ id }) => id)

async function page(
  where: string,
  values: unknown[],
  offset: number,
): Promise<{ items: unknown[]; total: number }> {
  const text = `select ${COLUMNS} from companies ${where} order by created_at desc, id desc limit 50 offset ${offset}`
  const [items, total] = await Promise.all([
    pool.query({ name: `page ${where} ${offset}`, text, values }),
    pool.query({
      name: `count ${where}`,
      text: `select count(*)::int as total from companies ${where}`,
      values,
    }),
  ])
  return { items: items.rows, total: total.rows[0].total }
}

interface Company {
  name: string
  domains: string[]
  city: string
  employee_count: number
}

const app = fastify()
app.get<{ Params: { id: string } }>('/companies/:id', async ({ params }) => {
  const text = `select ${COLUMNS} from companies where id = $1`
  return (await pool.query({ name: 'get', text, values: [params.id] })).rows[0]
})
app.get<{ Querystring: { page?: string; search?: string } }>('/companies', ({ query }) =>
  query.search === undefined
    ? page('', [], 50 * (Number(query.page ?? 1) - 1))
    : page('where name ilike $1', [`%${query.search}%`], 0),
)
app.post<{ Body: Company }>('/companies', async ({ body }) => {
  const text = `insert into companies (id, name, domains, city, employee_count) values ($1, $2, $3, $4, $5) returning ${COLUMNS}`
  const values = [newId(), body.name, JSON.stringify(body.domains), body.city, body.employee_count]
  return (await pool.query({ name: 'create', text, values })).rows[0]
})
app.put<{ Params: { id: string }; Body: Company }>('/companies/:id', async ({ params, body }) => {
  const text = `update companies set name = $2, domains = $3, city = $4, employee_count = $5, updated_at = now() where id = $1 returning ${COLUMNS}`
  const values = [params.id, body.name, JSON.stringify(body.domains), body.city, body.employee_count]
  return (await pool.query({ name: 'update', text, values })).rows[0]
})
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.({ ids, hasTrigrams })
