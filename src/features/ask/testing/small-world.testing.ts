/** A small account whose figures can be counted by hand. Its dates hang on today in ways that hold on every day. */
import { day, held, inQuarter, planned, type Writer } from './writer.testing.ts'

export async function smallWorld(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const [mia, lee] = [to.me, await to.colleague('Ann Lee')]
  await to.create('/api/custom-fields', { entity_type: 'contact', name: 'Plan', field_type: 'text' })
  const nda = { entity_type: 'company', name: 'Signed NDA', key: 'signed_nda', field_type: 'boolean' }
  await to.create('/api/custom-fields', nda)
  const company = (name: string, industry: string, city: string, country: string, more: object) =>
    to.create('/api/companies', { name, industry, city, country, ...more })
  const acme = await company('Acme Corp', 'Energy', 'Berlin', 'Germany', {
    employee_count: 120,
    status: 'customer',
    phone: '+49 30 555010',
    website: 'https://acme.test',
    metadata: { signed_nda: true },
  })
  const globex = await company('Globex', 'Retail', 'Oslo', 'Norway', {
    employee_count: 30,
    status: 'prospect',
    metadata: { signed_nda: false },
  })
  const initech = await company('Initech', 'Software', 'Austin', 'USA', {
    employee_count: 450,
    status: 'customer',
  })
  const person = (first_name: string, last_name: string, company_id: string, more: object) =>
    to.create('/api/contacts', { first_name, last_name, company_id, ...more })
  const smith = await person('Ann', 'Smith', acme, {
    city: 'Berlin',
    status: 'lead',
    email: 'ann@acme.test',
    phone: '+49 30 1234567',
    job_title: 'CFO',
    lead_source: 'webinar',
    owner_id: mia,
    metadata: { plan: 'Gold' },
  })
  const jones = await person('Bob', 'Jones', acme, {
    city: 'Oslo',
    status: 'active',
    job_title: 'Engineer',
    department: 'Research & Development',
    lead_source: 'referral',
    metadata: { plan: 'Gold' },
  })
  const grey = await person('Cy', 'Grey', globex, {
    city: 'Oslo',
    status: 'lead',
    email: 'cy@globex.test',
    phone: '+47 22 334455',
    lead_source: 'webinar',
    owner_id: lee,
    email_opt_out: true,
  })
  await person('Dee', 'Park', initech, {
    city: 'Austin',
    status: 'active',
    email: 'dee@initech.test',
    do_not_contact: true,
  })
  const deal = (name: string, amount: number, at: string, company_id: string, more: object) =>
    to.create('/api/deals', { name, amount, stage: at, company_id, currency: 'USD', ...more })
  const renewal = await deal('Acme renewal', 12000, 'Proposal', acme, {
    expected_close_date: day(0),
    owner_id: mia,
    priority: 'medium',
    associated_contact_ids: [smith],
  })
  await deal('Acme pilot', 5000, 'Proposal', acme, {
    expected_close_date: day(-40),
    owner_id: lee,
    next_step: 'Send the contract',
  })
  await deal('Globex rollout', 30000, 'Proposal', globex, {
    expected_close_date: inQuarter(1),
    owner_id: lee,
  })
  await deal('Globex start', 7000, 'Won', globex, { owner_id: mia })
  await deal('Initech audit', 18000, 'Negotiation', initech, {
    expected_close_date: inQuarter(5),
    owner_id: mia,
    priority: 'high',
  })
  await deal('Initech trial', 2000, 'Lost', initech, { lost_reason: 'Too expensive', owner_id: lee })
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, ...more })
  await activity('call', 'Intro call', { ...held(9), contact_ids: [smith], assignee_id: mia })
  await activity('call', 'Follow-up call', { ...held(2), contact_ids: [jones], assignee_id: mia })
  await activity('meeting', 'Product tour', { ...held(45), contact_ids: [grey], assignee_id: lee })
  await activity('meeting', 'Kickoff', {
    ...planned(3),
    contact_ids: [smith],
    assignee_id: mia,
    deal_ids: [renewal],
    location: 'Room 5',
  })
  await activity('task', 'Send papers', { due_date: day(-3), assignee_id: mia, priority: 'high' })
  await activity('task', 'Book room', { due_date: day(5), assignee_id: lee })
  await to.create('/api/notes', { title: 'Wish', content: 'x', entity_type: 'company', entity_id: acme })
  await to.create('/api/notes', { title: 'Idea', content: 'y', entity_type: 'deal', entity_id: renewal })
}
