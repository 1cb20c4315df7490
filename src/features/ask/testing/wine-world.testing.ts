/** A wine trade: trades as industries, a flag and a number of their own, primary contacts, places and languages. */
import type { Writer } from './writer.testing.ts'

const won = (day: string) => ({ stage: 'Won', closed_at: `${day}T15:00:00Z` })
const lost = (day: string, lost_reason: string) => ({
  stage: 'Lost',
  closed_at: `${day}T15:00:00Z`,
  lost_reason,
})
const held = (day: string, duration_minutes: number, more: object = {}) => ({
  status: 'completed',
  start_at: `${day}T09:00:00Z`,
  duration_minutes,
  ...more,
})

export async function wineWorld(to: Writer): Promise<void> {
  await to.create('/api/custom-fields', {
    entity_type: 'company',
    name: 'EU 848 certified',
    field_type: 'boolean',
  })
  await to.create('/api/custom-fields', { entity_type: 'deal', name: 'Pallets', field_type: 'number' })
  const company = (name: string, industry: string, city: string, country: string, more: object) =>
    to.create('/api/companies', { name, industry, city, country, ...more })
  const certified = (is: boolean) => ({ metadata: { eu_848_certified: is } })
  const bodega = await company('Bodega Norte', 'Importers', 'Bilbao', 'Spain', {
    status: 'customer',
    employee_count: 40,
    annual_revenue: 9e6,
    connection_strength: 'strong',
    ...certified(true),
  })
  const cave = await company('Cave du Midi', 'Wine bars', 'Nîmes', 'France', {
    status: 'customer',
    employee_count: 12,
    website: 'https://cave.example',
    ...certified(false),
  })
  const halle = await company('Halle 7', 'Importers', 'Hamburg', 'Germany', {
    status: 'lead',
    employee_count: 75,
  })
  await company('Quinta Velha', 'Hotels', 'Porto', 'Portugal', { status: 'inactive' })
  const person = (first_name: string, last_name: string, company_id: string, more: object) =>
    to.create('/api/contacts', { first_name, last_name, company_id, ...more })
  const iker = await person('Iker', 'Sola', bodega, {
    job_title: 'Head Sommelier',
    language: 'es',
    phone: '+34 1',
    birthday: '1980-12-24',
  })
  const nora = await person('Nora', 'Blanc', cave, {
    job_title: 'Owner',
    language: 'fr',
    birthday: '1975-06-03',
  })
  await person('Uwe', 'Kern', halle, { job_title: 'Crew Manager', language: 'de', phone: '+49 2' })
  const deal = (name: string, company_id: string, primary_contact_id: string | undefined, more: object) =>
    to.create('/api/deals', { name, company_id, primary_contact_id, currency: 'EUR', ...more })
  const harvest = await deal('Harvest order', bodega, iker, {
    amount: 90_000,
    stage: 'Negotiation',
    expected_close_date: '2026-12-10',
    metadata: { pallets: 30 },
  })
  await deal('Cellar stock', bodega, iker, {
    amount: 50_000,
    ...won('2026-03-02'),
    metadata: { pallets: 20 },
  })
  await deal('Summer list', bodega, iker, { amount: 20_000, ...won('2025-07-01'), metadata: { pallets: 4 } })
  await deal('Bar menu', cave, nora, { amount: 8_000, ...won('2026-05-04') })
  await deal('Bar terrace', cave, nora, { amount: 6_000, ...lost('2026-08-04', 'Budget cut') })
  await deal('Port trial', halle, undefined, { ...lost('2026-02-02', 'Kept in-house'), amount: 3_000 })
  await deal('Glass rental', halle, undefined, { stage: 'Lead' })
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, ...more })
  await activity('meeting', 'Barrel tasting with Nora', {
    ...held('2026-09-09', 150, { location: 'Porto' }),
    contact_ids: [iker, nora],
  })
  await activity('call', 'Price call', {
    ...held('2026-10-05', 25),
    direction: 'inbound',
    deal_ids: [harvest],
  })
  await activity('call', 'Delivery call', {
    ...held('2026-10-06', 35),
    direction: 'outbound',
    contact_ids: [nora],
  })
  await activity('meeting', 'Winter fair', {
    start_at: '2026-12-02T09:00:00Z',
    location: 'Hamburg',
    contact_ids: [nora],
  })
}
