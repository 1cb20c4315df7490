import { day, type Writer } from './writer.testing.ts'

/** A lift service whose account has fields of each type: dates that pass, a flag, numbers to add up. */
export async function liftWorld(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const field = (entity_type: string, name: string, field_type: string) =>
    to.create('/api/custom-fields', {
      entity_type,
      name,
      key: name.toLowerCase().replaceAll(' ', '_'),
      field_type,
    })
  await field('company', 'Permit until', 'date')
  await field('company', 'Insured', 'boolean')
  await field('company', 'Cabins', 'number')
  await field('deal', 'Crew days', 'number')
  await field('deal', 'Work start', 'date')
  const company = (name: string, permit: number, more: object, own: object = {}) =>
    to.create('/api/companies', { name, ...more, metadata: { permit_until: day(permit), ...own } })
  const hotel = await company(
    'Hotel Alba',
    -20,
    { industry: 'Hotels', annual_revenue: 900_000, country: 'Italy' },
    { insured: true, cabins: 8 },
  )
  const bank = await company(
    'Banca Nord',
    40,
    { industry: 'Banking', annual_revenue: 5_000_000 },
    { insured: false },
  )
  const deal = (name: string, stage: string, company_id: string, more: object) =>
    to.create('/api/deals', { name, stage, company_id, amount: 5000, currency: 'EUR', ...more })
  await deal('Alba cabins', 'Proposal', hotel, {
    probability: 30,
    metadata: { crew_days: 12, work_start: day(9) },
  })
  await deal('Nord doors', 'Won', bank, { metadata: { crew_days: 4, work_start: day(-9) } })
  const person = (first_name: string, job_title: string, company_id: string) =>
    to.create('/api/contacts', {
      first_name,
      last_name: 'Rossi',
      company_id,
      job_title,
      birthday: '1984-05-02',
      language: 'Italian',
    })
  await person('Ada', 'Site Manager', hotel)
  await person('Bea', 'Principal Buyer', bank)
  await person('Cleo', 'Owner', await company('Saint-Cyr Flats', 90, {}))
}
