/** An account of haulage customers with declared figures, several stages and reasons why deals were lost. */
import { day, held, inMonth, planned, type Writer } from './writer.testing.ts'

export async function tradeWorld(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const [mia, lee] = [to.me, await to.colleague('Ravi Lee')]
  for (const [entity_type, name, field_type] of [
    ['company', 'Pallets per week', 'number'],
    ['company', 'Water hardness', 'number'],
    ['contact', 'NPS score', 'number'],
    ['deal', 'Licences', 'number'],
  ])
    await to.create('/api/custom-fields', { entity_type, name, field_type })
  const plans = ['Signature', 'Basic'].map(value => ({ value, label: value }))
  const supply = { entity_type: 'company', name: 'Supply plan', field_type: 'select', options: plans }
  await to.create('/api/custom-fields', supply)
  const company = (name: string, industry: string, city: string, country: string, more: object) =>
    to.create('/api/companies', { name, industry, city, country, ...more })
  const woldgate = await company('Woldgate Poultry', 'Food', 'Hull', 'United Kingdom', {
    employee_count: 640,
    status: 'customer',
    annual_revenue: 9000000,
    metadata: { pallets_per_week: 220, water_hardness: 14.5 },
  })
  const spa = await company('Brightwater Spa', 'Leisure', 'Bath', 'United Kingdom', {
    employee_count: 85,
    status: 'customer',
    annual_revenue: 2000000,
    metadata: { pallets_per_week: 12, water_hardness: 21 },
  })
  const kestrel = await company('Kestrel Freight', 'Logistics', 'Rotterdam', 'Netherlands', {
    employee_count: 1200,
    status: 'prospect',
    metadata: { pallets_per_week: 90, supply_plan: 'Signature' },
  })
  const alpen = await company('Alpen Sprouts', 'Food', 'Zurich', 'Switzerland', {
    employee_count: 40,
    status: 'prospect',
    metadata: { pallets_per_week: 130, water_hardness: 8 },
  })
  const person = (first_name: string, last_name: string, company_id: string, more: object) =>
    to.create('/api/contacts', { first_name, last_name, company_id, ...more })
  const hugh = await person('Hugh', 'Marsh', woldgate, {
    job_title: 'Operations Director',
    email: 'hugh@woldgate.test',
    phone: '+44 1482 555100',
    status: 'active',
    do_not_contact: true,
    owner_id: mia,
    metadata: { nps_score: 9 },
  })
  const tess = await person('Tess', 'Vale', spa, {
    job_title: 'Spa Manager',
    email: 'tess@brightwater.test',
    status: 'active',
    email_opt_out: true,
    owner_id: lee,
    birthday: '1980-07-04',
    metadata: { nps_score: 6 },
  })
  const jan = await person('Jan', 'de Boer', kestrel, {
    job_title: 'Head of Procurement',
    phone: '+31 10 5550177',
    status: 'lead',
    lead_source: 'trade fair',
    owner_id: mia,
  })
  const lena = await person('Lena', 'Frei', alpen, {
    job_title: 'CEO',
    email: 'lena@alpen.test',
    status: 'lead',
    country: 'Switzerland',
    city: 'Zurich',
    lead_source: 'referral',
  })
  const deal = (name: string, amount: number, at: string, company_id: string, owner_id: string, more = {}) =>
    to.create('/api/deals', { name, amount, stage: at, company_id, owner_id, currency: 'EUR', ...more })
  const chain = await deal('Cold chain', 40000, 'Negotiation', woldgate, mia, {
    expected_close_date: inMonth(1),
    associated_contact_ids: [hugh],
    metadata: { licences: 50 },
  })
  await deal('Label printers', 9000, 'Qualified', woldgate, lee, {
    expected_close_date: inMonth(1),
    lead_source: 'trade fair',
  })
  const sprouts = await deal('Sprouts to Switzerland', 25000, 'Proposal', alpen, lee, {
    expected_close_date: inMonth(2),
    metadata: { licences: 10 },
  })
  await deal('Loading dock', 60000, 'Negotiation', kestrel, mia, { expected_close_date: inMonth(4) })
  await deal('Softeners', 15000, 'Lead', spa, lee)
  await deal('Filters', 8000, 'Won', spa, mia)
  await deal('Scanners', 30000, 'Lost', kestrel, mia, { lost_reason: 'Went with a competitor (Zebra)' })
  await deal('Starter kit', 5000, 'Lost', alpen, lee, { lost_reason: 'Competitor was cheaper' })
  await deal('Safety audit', 3000, 'Lost', woldgate, lee, { lost_reason: 'No budget this year' })
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, ...more })
  await activity('call', 'Price talk', {
    ...held(4),
    contact_ids: [hugh],
    deal_ids: [chain],
    assignee_id: mia,
  })
  await activity('meeting', 'Site visit', { ...held(12), contact_ids: [jan], assignee_id: mia })
  await activity('email', 'Brochure', { ...held(60), contact_ids: [tess], assignee_id: lee })
  await activity('meeting', 'Tasting', {
    ...planned(2),
    contact_ids: [lena],
    deal_ids: [sprouts],
    assignee_id: lee,
  })
  await activity('task', 'Draft contract', { due_date: day(-2), assignee_id: lee, deal_ids: [chain] })
  await activity('task', 'Order samples', { due_date: day(1), assignee_id: mia, priority: 'high' })
  await to.create('/api/notes', {
    title: 'Visit notes',
    content: 'The yard is small.',
    entity_type: 'company',
    entity_id: kestrel,
  })
  await to.tag('company', woldgate, ['key account'])
}
