import { expect, it } from 'vitest'
import { readingsOf } from './readings.ts'
import { inMemory } from './testing/wordings.testing.ts'
import { day, type Writer } from './testing/writer.testing.ts'

/** A lift service whose account has fields of each type: dates that pass, a flag, numbers to add up. */
async function lifts(to: Writer): Promise<void> {
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
    { industry: 'Hotels', annual_revenue: 900_000 },
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
    })
  await person('Ada', 'Site Manager', hotel)
  await person('Bea', 'Principal Buyer', bank)
}

inMemory('composed readings', lifts, account => {
  const textsOf = async (question: string) =>
    readingsOf(question, await account().words(question), new Date()).map(({ text }) => text)

  it.each([
    // amounts
    ['hm, what is open and below 50%', 'list deals: probability under 50, status is open'],
    ['over 20 % and open, which are these', 'list deals: probability over 20, status is open'],
    ['firms turning over less than a million a year', 'list companies: annual revenue under 1000000'],
    ['hm, who makes more than 1 200 000 per year', 'list companies: annual revenue over 1200000'],
  ])('%s', async (question, reading) => {
    expect((await textsOf(question)).slice(0, 8)).toContain(reading)
  })
})
