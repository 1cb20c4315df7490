/** Fills databases for `bench/scale.ts` by SQL, through the triggers, with ids in the order of creation. */
import pg from 'pg'
import { BLOCK_SIZE, BLOCKS } from '../src/db/text-index/tables.ts'

/** Rows of a statement. */
const STEP = 10_000

/** As the service makes them: a time, then a number that no other row has. */
const ID = `(lpad(to_hex((extract(epoch from t) * 1000)::bigint), 12, '0') || '7' || substr(md5(s.account || i::text), 1, 3)
  || '8' || substr(md5(i || s.account::text), 1, 15))::uuid`

const COMPANIES = `insert into companies (account_id, id, name, domains, industry, city, country, employee_count, status,
    description, created_at, updated_at)
  select s.account, ${ID}, 'Company ' || i, to_jsonb(array['company-' || i || '.example']),
    (array['Software', 'Retail', 'Health', 'Energy'])[1 + i % 4], (array['Berlin', 'Rome', 'Paris', 'Oslo'])[1 + i % 4],
    'DE', i % 5000, (array['lead', 'qualified', 'customer', 'inactive'])[1 + i % 4],
    'A company of the kind that a sales team keeps in its list, number ' || i, t, t
  from (select $1::uuid as account) s, generate_series($2::int, $3::int) i,
    lateral (select '2025-01-01'::timestamptz + i * interval '20 seconds' as t) m`

const CONTACTS = `insert into contacts (account_id, id, first_name, last_name, email, phone, job_title, city, status,
    created_at, updated_at)
  select s.account, ${ID}, 'Person ' || i, 'Of Company ' || i, 'person' || i || '@company-' || i || '.example',
    '+49 30 ' || (1000000 + i), 'Buyer', 'Berlin', (array['lead', 'customer', 'inactive', 'qualified'])[1 + i % 4], t, t
  from (select $1::uuid as account) s, generate_series($2::int, $3::int) i,
    lateral (select '2025-01-01'::timestamptz + i * interval '20 seconds' as t) m`

export interface Scale {
  /** of companies, and as many of contacts, in the account that is measured */
  records: number
  /** further accounts of the same size */
  accounts: number
}

/** Returns the ids of some companies of the account that is measured. */
export async function seedScale(url: string, { records, accounts }: Scale): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set search_path = kith; set jit = off')
    const { rows } = await client.query<{ account: string }>(
      'select account_id as account from members limit 1',
    )
    const own = rows[0]?.account ?? ''
    const others = await client.query<{ account: string }>(
      `insert into accounts (id, name, slug)
       select gen_random_uuid(), 'Account ' || i, 'account-' || i from generate_series(1, $1::int) i returning id as account`,
      [accounts],
    )
    for (const { account } of [{ account: own }, ...others.rows]) {
      for (let from = 1; from <= records; from += STEP) {
        const bounds = [account, from, Math.min(records, from + STEP - 1)]
        await client.query({ name: 'companies', text: COMPANIES, values: bounds })
        await client.query({ name: 'contacts', text: CONTACTS, values: bounds })
      }
    }
    await client.query('vacuum analyze')
    const ids = await client.query<{ id: string }>(
      'select id from companies where account_id = $1 order by md5(id::text) limit 5000',
      [own],
    )
    return ids.rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}

/**
 * Waits until the index behind `search` in lists has all full segments of both kinds. `request` asks the service for
 * something: a service that has run no statement does not look for records to index.
 */
export async function textsIndexed(
  url: string,
  { records }: Scale,
  request: () => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ complete: number }>(
        `select count(*)::int as complete from kith.search_text_segments where is_complete and cardinality(ends) = ${BLOCKS}`,
      )
      if ((rows[0]?.complete ?? 0) >= 2 * Math.floor(records / (BLOCKS * BLOCK_SIZE))) return
      await request()
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  } finally {
    await client.end()
  }
}
