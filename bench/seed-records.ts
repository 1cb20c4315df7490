/** An account of the size that the figures speak of, with records tied to each other. */
import pg from 'pg'

interface Sizes {
  contacts: number
  companies: number
  deals: number
  activities: number
}

/** In the newest account. */
export async function seedRecords(url: string, sizes: Sizes): Promise<{ contact: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set search_path = kith')
  const { rows } = await client.query(
    'select account_id, user_id from members order by created_at desc limit 1',
  )
  const { account_id: account, user_id: user } = rows[0]
  const run = (text: string, ...values: unknown[]) => client.query(text, [account, ...values])
  const moment = `now() - (i || ' seconds')::interval`

  await run(
    `insert into companies (account_id, id, name, domains, industry, city, employee_count, status, created_at, updated_at)
     select $1, gen_random_uuid(), 'Company ' || i, to_jsonb(array['company-' || i || '.example']), 'Software', 'Rome',
       i % 5000, (array['lead', 'customer'])[1 + i % 2], ${moment}, ${moment}
     from generate_series(1, $2::int) i`,
    sizes.companies,
  )
  await run(
    `insert into contacts (account_id, id, first_name, last_name, email, phone, job_title, city, status, created_at, updated_at)
     select $1, gen_random_uuid(), 'Person ' || i, 'Of Company ' || i, 'person' || i || '@company-' || i || '.example',
       '+49 30 ' || (1000000 + i), 'Buyer', 'Berlin', (array['lead', 'customer', 'inactive', 'qualified'])[1 + i % 4],
       ${moment}, ${moment}
     from generate_series(1, $2::int) i`,
    sizes.contacts,
  )
  // Joined without statistics, each of these would be looked for among all of those.
  await client.query('analyze companies, contacts')
  await run(
    `insert into company_people (account_id, id, company_id, person_id)
     select $1, gen_random_uuid(), c.id, p.id
     from (select id, row_number() over (order by id) n from companies where account_id = $1) c
     join (select id, row_number() over (order by id) n from contacts where account_id = $1) p on p.n = c.n`,
  )
  await run(
    `insert into deals (account_id, id, name, amount, currency, pipeline_id, stage_id, position, expected_close_date, created_at, updated_at)
     select $1, gen_random_uuid(), 'Deal ' || i, i * 10, 'USD', s.pipeline_id, s.id, i, current_date + i % 365, ${moment}, ${moment}
     from generate_series(1, $2::int) i
     join (select *, row_number() over (order by position) - 1 as n from stages where account_id = $1) s on s.n = i % 6`,
    sizes.deals,
  )
  await client.query('analyze deals')
  await run(
    `insert into deal_contacts (account_id, id, deal_id, contact_id)
     select $1, gen_random_uuid(), d.id, p.id
     from (select id, row_number() over (order by id) n from deals where account_id = $1) d
     join (select id, row_number() over (order by id) n from contacts where account_id = $1) p on p.n = d.n`,
  )
  await run(
    `insert into activities (account_id, id, type, subject, status, due_at, completed_at, created_at, updated_at)
     select $1, gen_random_uuid(), (array['call', 'meeting', 'task'])[1 + i % 3], 'Activity ' || i,
       case when i % 2 = 0 then 'completed' else 'planned' end, ${moment},
       case when i % 2 = 0 then ${moment} end, ${moment}, ${moment}
     from generate_series(1, $2::int) i`,
    sizes.activities,
  )
  await client.query('analyze activities')
  await run(
    `insert into activity_contacts (account_id, id, activity_id, contact_id)
     select $1, gen_random_uuid(), a.id, p.id
     from (select id, row_number() over (order by id) n from activities where account_id = $1) a
     join (select id, row_number() over (order by id) n from contacts where account_id = $1) p on p.n = 1 + a.n % $2`,
    sizes.contacts,
  )
  await run(
    `insert into favorites (account_id, id, user_id, entity_type, entity_id)
     select $1, gen_random_uuid(), $2, 'contact', id from contacts where account_id = $1 order by created_at desc limit 200`,
    user,
  )
  await client.query('vacuum analyze')
  const [contact] = (await run('select contact_id as id from deal_contacts where account_id = $1 limit 1'))
    .rows
  await client.end()
  return { contact: contact.id }
}
