/** A small account for queries: companies with people, deals of two owners, activities, tags and a custom field. */
import { sql } from 'kysely'
import { type Account, anotherMember } from '../../../../test/support/service.ts'
import { systemDb } from '../../../kernel/context.ts'

export interface World {
  ids: Record<string, string>
}

export async function queryWorld(account: Account): Promise<World> {
  const ids: Record<string, string> = { mia: account.userId, ravi: (await anotherMember(account)).userId }
  for (const [id, name] of [
    [ids.mia, 'Mia Wong'],
    [ids.ravi, 'Ravi Lee'],
  ])
    await sql`update users set name = ${name} where id = ${id}`.execute(systemDb(account.service.services))
  const make = async (key: string, path: string, body: object) => {
    ids[key] = (await account.create(path, body)).id
  }
  const field = (entity_type: string, name: string, field_type: string, more = {}) =>
    account.create('/api/custom-fields', { entity_type, name, field_type, ...more })
  await field('company', 'Score', 'number')
  const options = ['gold', 'silver'].map(value => ({ value, label: value }))
  await field('company', 'Plans', 'multi_select', { options })
  await make('acme', '/api/companies', {
    name: 'Acme',
    country: 'Germany',
    employee_count: 120,
    categories: ['Key', 'Old'],
    metadata: { score: 7, plans: ['gold', 'silver'] },
  })
  await make('globex', '/api/companies', {
    name: 'Globex',
    country: 'France',
    employee_count: 30,
    categories: ['key'],
    metadata: { score: 12, plans: ['silver'] },
  })
  await make('initech', '/api/companies', { name: 'Initech', country: 'Germany', metadata: { loose: 'x' } })
  await make('vale', '/api/companies', { name: 'Vale' })
  await make('ann', '/api/contacts', {
    first_name: 'Ann',
    email: 'ann@acme.test',
    company_id: ids.acme,
    owner_id: ids.mia,
  })
  await make('bob', '/api/contacts', { first_name: 'Bob', company_id: ids.acme, birthday: '1980-12-24' })
  await make('cy', '/api/contacts', { first_name: 'Cy', company_id: ids.globex, owner_id: ids.ravi })
  const { items } = (await account.get('/api/deals/stages?page_size=100')).body
  const stage = (name: string) => items.find((one: { name: string }) => one.name === name).id
  for (const [key, company, amount, currency, at, owner, close, contacts] of [
    ['A1', 'acme', 100, 'EUR', 'Proposal', 'mia', '2026-01-15', ['ann']],
    ['A2', 'acme', 300, 'EUR', 'Won', 'mia', '2026-02-20', ['ann', 'bob']],
    ['A3', 'acme', 50, 'USD', 'Lost', 'ravi', null, []],
    ['G1', 'globex', 200, 'EUR', 'Won', 'ravi', '2026-02-01', ['cy']],
    ['I1', 'initech', null, 'EUR', 'Proposal', null, '2026-04-30', []],
  ] as const)
    await make(key, '/api/deals', {
      name: key,
      amount,
      currency,
      company_id: ids[company],
      stage_id: stage(at),
      owner_id: owner ? ids[owner] : null,
      expected_close_date: close,
      associated_contact_ids: contacts.map(contact => ids[contact]),
    })
  await make('call', '/api/activities', {
    type: 'call',
    subject: 'Call',
    status: 'completed',
    start_at: '2026-03-02T09:00:00Z',
    contact_ids: [ids.ann],
    assignee_id: ids.mia,
  })
  await make('task', '/api/activities', { type: 'task', subject: 'Task', deal_ids: [ids.G1] })
  await make('note', '/api/notes', { title: 'Wish', content: 'x', entity_type: 'deal', entity_id: ids.A1 })
  await make('vip', '/api/tags', { name: 'vip' })
  await account.put(`/api/tags/records/company/${ids.acme}`, { tag_ids: [ids.vip] })
  await account.put(`/api/tags/records/deal/${ids.G1}`, { tag_ids: [ids.vip] })
  return { ids }
}
