/** The boiler account with a customer abroad, one without deals, categories, and activities with companies and deals. */
import { serviceWorld } from './service-world.testing.ts'
import { held, planned, type Writer } from './writer.testing.ts'

export async function constructionWorld(to: Writer): Promise<void> {
  const ids = await serviceWorld(to)
  const company = (name: string, country: string, city: string, more: object) =>
    to.create('/api/companies', { name, country, city, ...more })
  const osaka = await company('Osaka Baths', 'Japan', 'Osaka', {
    status: 'customer',
    employee_count: 80,
    annual_revenue: 4e6,
    categories: ['key account'],
  })
  const vale = await company('Vale Lyon', 'France', 'Lyon', { status: 'prospect', annual_revenue: 9e6 })
  const person = (first_name: string, last_name: string, company_id: string, more: object) =>
    to.create('/api/contacts', { first_name, last_name, company_id, ...more })
  await person('Ken', 'Mori', osaka, { city: 'Osaka', phone: '+81 6 555', job_title: 'Plant Manager' })
  await person('Aya', 'Sato', osaka, { city: 'Kyoto', job_title: 'Chief Financial Officer' })
  const bath = await to.create('/api/deals', {
    name: 'Bath house',
    amount: 70_000,
    currency: 'EUR',
    stage: 'Proposal',
    company_id: osaka,
    owner_id: to.me,
    expected_close_date: '2026-11-03',
  })
  await to.create('/api/deals', {
    name: 'Steam room',
    amount: 15_000,
    currency: 'EUR',
    stage: 'Won',
    company_id: osaka,
    closed_at: '2026-10-05T12:00:00.000Z',
  })
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, company_ids: [osaka], ...more })
  await activity('call', 'Steam talk', { ...held(6), deal_ids: [bath] })
  await activity('meeting', 'Bath tour', { ...planned(6), deal_ids: [bath] })
  await activity('email', 'Bath offer', { ...held(8), company_ids: [vale, ids.get('Northfold Hotels')] })
}
