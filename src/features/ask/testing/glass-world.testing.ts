import { held, planned, type Writer } from './writer.testing.ts'

/** Companies with a field of several choices, two people at one company, and deals of every outcome. */
export async function glassWorld(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const options = ['Float', 'Tinted', 'Wired'].map(value => ({ value, label: value }))
  const field = { entity_type: 'company', name: 'Glass used', key: 'glass_used', field_type: 'multi_select' }
  await to.create('/api/custom-fields', { ...field, options })
  const company = (name: string, status: string, employee_count: number, glass_used: string[]) =>
    to.create('/api/companies', { name, status, employee_count, metadata: { glass_used } })
  const ardent = await company('Ardent Frames', 'customer', 40, ['Float'])
  const bellow = await company('Bellow Doors', 'customer', 90, ['Float', 'Tinted'])
  await company('Corvid Domes', 'prospect', 10, ['Wired'])
  const person = (first_name: string, last_name: string) =>
    to.create('/api/contacts', { first_name, last_name, company_id: ardent, phone: '+44 1' })
  const olga = await person('Olga', 'Stern')
  await person('Piet', 'Maas')
  const deal = (name: string, amount: number, stage: string, company_id: string) =>
    to.create('/api/deals', { name, amount, stage, company_id, currency: 'EUR' })
  await deal('Atrium roof', 9000, 'Proposal', ardent)
  await deal('Lobby screen', 4000, 'Won', ardent)
  await deal('Stair panels', 3000, 'Lost', bellow)
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, contact_ids: [olga], ...more })
  await activity('call', 'First call', held(3))
  await activity('meeting', 'Site visit', planned(2))
}
