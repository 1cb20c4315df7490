/** An account that services boilers: a choice that is called "Total", a figure for each customer, deals of two people. */
import { day, held, inMonth, planned, type Writer } from './writer.testing.ts'

async function companies(to: Writer): Promise<Map<string, string>> {
  const options = ['Total', 'Light'].map(value => ({ value, label: value }))
  await to.create('/api/custom-fields', {
    entity_type: 'company',
    name: 'Care plan',
    field_type: 'select',
    options,
  })
  await to.create('/api/custom-fields', {
    entity_type: 'company',
    name: 'Boilers serviced',
    field_type: 'number',
  })
  await to.create('/api/custom-fields', { entity_type: 'deal', name: 'Offer number', field_type: 'text' })
  const ids = new Map<string, string>()
  for (const [name, industry, country, employee_count, status, care_plan, boilers_serviced] of [
    ['Northfold Hotels', 'Hospitality', 'Germany', 300, 'customer', 'Total', 12],
    ['Quayside Bakery', 'Food', 'Germany', 40, 'customer', 'Light', 3],
    ['Larkhill Clinic', 'Health', 'France', 120, 'customer', 'Total', 5],
    ['Bramley School', 'Education', 'France', 60, 'prospect', undefined, undefined],
    ['Ashdown Hotels', 'Hospitality', 'Spain', 30, 'customer', 'Light', 3],
  ] as const)
    ids.set(
      name,
      await to.create('/api/companies', {
        name,
        industry,
        country,
        employee_count,
        status,
        ...(name === 'Quayside Bakery' ? { connection_strength: 'weak' } : {}),
        metadata: care_plan ? { care_plan, boilers_serviced } : {},
      }),
    )
  return ids
}

/** The ids of companies and contacts by their names. */
export async function serviceWorld(to: Writer): Promise<ReadonlyMap<string, string>> {
  await to.asker('Mia Wong')
  const [mia, lee] = [to.me, await to.colleague('Ravi Lee')]
  const ids = await companies(to)
  for (const [first_name, last_name, company, more] of [
    ['Greta', 'Holm', 'Northfold Hotels', {}],
    ['Otto', 'Brandt', 'Northfold Hotels', { job_title: 'Chief Financial Officer' }],
    ['Paula', 'Renn', 'Quayside Bakery', { job_title: 'Finance Manager' }],
    ['Yves', 'Moreau', 'Larkhill Clinic', {}],
  ] as const) {
    const body = { first_name, last_name, company_id: ids.get(company), ...more }
    ids.set(`${first_name} ${last_name}`, await to.create('/api/contacts', body))
  }
  for (const [name, amount, at, company, owner_id, lead_source, more] of [
    ['Boiler swap', 50000, 'Negotiation', 'Northfold Hotels', mia, 'Referral', { priority: 'high', step: 1 }],
    ['Heat audit', 8000, 'Qualified', 'Quayside Bakery', lee, 'Website', { step: 2 }],
    [
      'Pipe renewal',
      20000,
      'Proposal',
      'Larkhill Clinic',
      mia,
      'Referral',
      { priority: 'high', step: 3, metadata: { offer_number: 'HS-2041' } },
    ],
    ['School heating', 12000, 'Lead', 'Bramley School', lee, 'Website', {}],
    ['Spa upgrade', 30000, 'Won', 'Northfold Hotels', mia, 'Referral', {}],
    ['Oven flue', 10000, 'Won', 'Quayside Bakery', lee, 'Website', {}],
    ['Ward heating', 25000, 'Won', 'Larkhill Clinic', lee, 'Referral', {}],
    ['Attic works', 6000, 'Lost', 'Bramley School', lee, 'Website', { lost_reason: 'Too slow' }],
    ['Roof unit', 4000, 'Lost', 'Ashdown Hotels', mia, 'Referral', { lost_reason: 'Asked for credit' }],
  ] as const) {
    const { step, ...rest } = more as { step?: number }
    await to.create('/api/deals', {
      name,
      amount,
      stage: at,
      company_id: ids.get(company),
      owner_id,
      lead_source,
      currency: 'EUR',
      ...rest,
      ...(step ? { expected_close_date: inMonth(step) } : {}),
    })
  }
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
    await to.create('/api/activities', { type, subject, assignee_id, ...more })
  return ids
}
