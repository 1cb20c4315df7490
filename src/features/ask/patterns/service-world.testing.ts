/** An account that services boilers: a choice that is called "Total", a figure for each customer, deals of two people. */
import { sql } from 'kysely'
import { type Account, anotherMember } from '../../../../test/support/service.ts'
import { systemDb } from '../../../kernel/context.ts'
import { inMonth } from './trade-world.testing.ts'
import { day } from './wordings.testing.ts'

async function members(account: Account): Promise<{ mia: string; lee: string }> {
  const lee = (await anotherMember(account)).userId
  for (const [id, name] of [
    [account.userId, 'Mia Wong'],
    [lee, 'Ravi Lee'],
  ])
    await sql`update users set name = ${name} where id = ${id}`.execute(systemDb(account.service.services))
  return { mia: account.userId, lee }
}

async function companies(account: Account): Promise<Record<string, string>> {
  const options = ['Total', 'Light'].map(value => ({ value, label: value }))
  await account.create('/api/custom-fields', {
    entity_type: 'company',
    name: 'Care plan',
    field_type: 'select',
    options,
  })
  await account.create('/api/custom-fields', {
    entity_type: 'company',
    name: 'Boilers serviced',
    field_type: 'number',
  })
  const ids: Record<string, string> = {}
  for (const [name, industry, country, employee_count, status, care_plan, boilers_serviced] of [
    ['Northfold Hotels', 'Hospitality', 'Germany', 300, 'customer', 'Total', 12],
    ['Quayside Bakery', 'Food', 'Germany', 40, 'customer', 'Light', 3],
    ['Larkhill Clinic', 'Health', 'France', 120, 'customer', 'Total', 5],
    ['Bramley School', 'Education', 'France', 60, 'prospect', undefined, undefined],
    ['Ashdown Hotels', 'Hospitality', 'Spain', 30, 'customer', 'Light', 3],
  ] as const)
    ids[name] = (
      await account.create('/api/companies', {
        name,
        industry,
        country,
        employee_count,
        status,
        metadata: care_plan ? { care_plan, boilers_serviced } : {},
      })
    ).id
  return ids
}

export async function serviceWorld(account: Account): Promise<void> {
  const { mia, lee } = await members(account)
  const ids = await companies(account)
  for (const [first_name, last_name, company] of [
    ['Greta', 'Holm', 'Northfold Hotels'],
    ['Otto', 'Brandt', 'Northfold Hotels'],
    ['Paula', 'Renn', 'Quayside Bakery'],
    ['Yves', 'Moreau', 'Larkhill Clinic'],
  ] as const)
    await account.create('/api/contacts', { first_name, last_name, company_id: ids[company] })
  const { items: pipelines } = (await account.get('/api/deals/pipelines')).body
  const { items: stages } = (
    await account.get(`/api/deals/stages?pipeline_id=${pipelines[0].id}&page_size=100`)
  ).body
  const stage = (name: string) => stages.find((one: { name: string }) => one.name === name).id
  for (const [name, amount, at, company, owner_id, lead_source, more] of [
    ['Boiler swap', 50000, 'Negotiation', 'Northfold Hotels', mia, 'Referral', { priority: 'high', step: 1 }],
    ['Heat audit', 8000, 'Qualified', 'Quayside Bakery', lee, 'Website', { step: 2 }],
    ['Pipe renewal', 20000, 'Proposal', 'Larkhill Clinic', mia, 'Referral', { priority: 'high', step: 3 }],
    ['School heating', 12000, 'Lead', 'Bramley School', lee, 'Website', {}],
    ['Spa upgrade', 30000, 'Won', 'Northfold Hotels', mia, 'Referral', {}],
    ['Oven flue', 10000, 'Won', 'Quayside Bakery', lee, 'Website', {}],
    ['Ward heating', 25000, 'Won', 'Larkhill Clinic', lee, 'Referral', {}],
    ['Attic works', 6000, 'Lost', 'Bramley School', lee, 'Website', { lost_reason: 'Too slow' }],
    ['Roof unit', 4000, 'Lost', 'Ashdown Hotels', mia, 'Referral', { lost_reason: 'Asked for credit' }],
  ] as const) {
    const { step, ...rest } = more as { step?: number }
    await account.create('/api/deals', {
      name,
      amount,
      stage_id: stage(at),
      company_id: ids[company],
      owner_id,
      lead_source,
      currency: 'EUR',
      ...rest,
      ...(step ? { expected_close_date: inMonth(step) } : {}),
    })
  }
  const held = (days: number) => ({
    status: 'completed',
    start_at: `${day(-days)}T09:00:00Z`,
    end_at: `${day(-days)}T10:00:00Z`,
  })
  const planned = (days: number) => ({ start_at: `${day(days)}T09:00:00Z`, end_at: `${day(days)}T10:00:00Z` })
  for (const [type, subject, assignee_id, more] of [
    ['task', 'Order valves', lee, { due_date: day(-3) }],
    ['task', 'Send the report', lee, { due_date: day(-2) }],
    ['task', 'Call the town', mia, { due_date: day(-4) }],
    ['call', 'Cold rooms', mia, held(2)],
    ['call', 'Spare parts', lee, held(3)],
    ['call', 'Delivery talk', lee, held(4)],
    ['meeting', 'Cellar visit', mia, held(5)],
    ['meeting', 'Hand-over', lee, planned(3)],
    ['meeting', 'Roof check', mia, planned(3)],
    ['meeting', 'Year review', mia, planned(5)],
  ] as const)
    await account.create('/api/activities', { type, subject, assignee_id, ...more })
}
