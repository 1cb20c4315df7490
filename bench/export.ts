/**
 * `node bench/export.ts [server|embedded] [rows]`: people with their companies into a CSV and a JSON file, with every
 * field that an import reads back. Rows a second, memory, and other requests meanwhile.
 */
import pg from 'pg'
import { load } from './load.ts'
import { benchService, growth } from './service.ts'

const engine = (process.argv[2] ?? 'server') as 'server' | 'embedded'
const rows = Number(process.argv[3] ?? 1_000_000)
const service = await benchService(engine, 18_712, { KITH_INDEXER: 'off' })

try {
  if (service.databaseUrl !== undefined) await seed(service.databaseUrl, rows)
  else throw new Error('Seeding needs a database server: import the rows to measure on the embedded engine')
  for (const format of ['csv', 'json']) await measure(format)
  await meanwhile()
} finally {
  await service.stop()
}

async function exported(format: string): Promise<{ row_count: number; file_size: number }> {
  const body = JSON.stringify({ entity_type: 'contact', format })
  const started = (await (await service.call('POST', '/api/exports', body, 'application/json')).json()) as {
    id: string
    job_id: string
  }
  await service.ended(started.job_id)
  return (await (await service.call('GET', `/api/exports/${started.id}`)).json()) as never
}

async function measure(format: string): Promise<void> {
  const began = performance.now()
  const { result, grown } = await growth(service, () => exported(format))
  const seconds = (performance.now() - began) / 1000
  const rate = Math.round(result.row_count / seconds).toLocaleString('en')
  const size = Math.round(result.file_size / 1e6)
  console.log(
    `${engine}: ${format} of ${result.row_count} contacts: ${seconds.toFixed(1)} s, ${rate} rows/s, ${size} MB written, +${Math.round(grown)} MB held`,
  )
}

async function meanwhile(): Promise<void> {
  const { items } = (await (await service.call('GET', '/api/companies?page_size=100')).json()) as {
    items: { id: string }[]
  }
  const work = {
    path: (n: number) => `/api/companies/${items[n % items.length]!.id}`,
    headers: service.headers,
  }
  await load(service.port, work, 4, 2000)
  const quiet = await load(service.port, work, 4, 4000)
  const exporting = exported('csv')
  await new Promise(resolve => setTimeout(resolve, 1000))
  const busy = await load(service.port, work, 4, 4000)
  await exporting
  const ratio = (busy.median / quiet.median).toFixed(2)
  console.log(
    `${engine}: GET of a company meanwhile: median ${busy.median.toFixed(2)} ms, quiet ${quiet.median.toFixed(2)} ms: × ${ratio}`,
  )
}

/** Without the triggers, which have nothing to do with reading and would take longer than all the rest. */
async function seed(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set search_path = kith; set session_replication_role = replica')
  const { rows: members } = await client.query('select account_id from members limit 1')
  const account = members[0].account_id
  const id = (prefix: string, n: string) =>
    `('${prefix}0000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
  const companies = Math.ceil(count / 10)
  await client.query(
    `insert into companies (account_id, id, name, domains)
     select $1, ${id('0', 'i')}, 'Company ' || i, to_jsonb(array['company-' || i || '.example']) from generate_series(1, $2::int) i`,
    [account, companies],
  )
  await client.query(
    `insert into contacts (account_id, id, first_name, last_name, email, phone, job_title, company_id, status, city,
       country, description, metadata, created_at)
     select $1, ${id('1', 'i')}, 'First' || i, 'Last ' || i, 'person' || i || '@company.example', '+43 1 ' || i,
       'Head of Things', ${id('0', `1 + i % ${companies}`)}, (array['lead', 'customer'])[1 + i % 2], 'Vienna', 'AT',
       'Met at the fair, number ' || i, jsonb_build_object('score', i % 100), now() - (($2 - i) || ' seconds')::interval
     from generate_series(1, $2::int) i`,
    [account, count],
  )
  await client.query(
    'insert into company_people (account_id, id, company_id, person_id) select account_id, gen_random_uuid(), company_id, id from contacts',
  )
  await client.query('vacuum analyze')
  await client.end()
}
