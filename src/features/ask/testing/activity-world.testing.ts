/** An account of two sellers: what each has done, what is still planned, and whom nobody has contacted. */
import { day, held, inMonth, planned, type Writer } from './writer.testing.ts'

export async function activityWorld(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const [mia, ravi] = [to.me, await to.colleague('Ravi Lee')]
  const company = (name: string, status: string, country: string) =>
    to.create('/api/companies', { name, status, country })
  const nettle = await company('Nettle Dairy', 'customer', 'Germany')
  const quarry = await company('Quarry Bikes', 'customer', 'France')
  const sable = await company('Sable Tents', 'customer', 'Norway')
  const umber = await company('Umber Inks', 'lead', 'Germany')
  await company('Yarrow Tea', 'lead', 'France')
  const person = (first_name: string, last_name: string, company_id: string, owner_id: string | null) =>
    to.create('/api/contacts', { first_name, last_name, company_id, owner_id })
  const ida = await person('Ida', 'Brandt', nettle, mia)
  await person('Jonas', 'Adler', nettle, ravi)
  const paul = await person('Paul', 'Rey', quarry, ravi)
  const greta = await person('Greta', 'Lind', sable, null)
  const otto = await person('Otto', 'Kern', umber, mia)
  const deal = (
    name: string,
    amount: number,
    at: string,
    company_id: string,
    owner_id: string | null,
    month: number,
  ) =>
    to.create('/api/deals', {
      name,
      amount,
      stage: at,
      company_id,
      owner_id,
      currency: 'EUR',
      expected_close_date: inMonth(month),
    })
  const tanks = await deal('Milk tanks', 120000, 'Negotiation', nettle, mia, 1)
  const sheds = await deal('Bike sheds', 30000, 'Proposal', quarry, ravi, 1)
  await deal('Tent hire', 8000, 'Qualified', sable, null, 1)
  await deal('Ink wells', 5000, 'Proposal', umber, mia, 3)
  await deal('Old tanks', 10000, 'Won', nettle, mia, 0)
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, ...more })
  await activity('call', 'Milk price', {
    ...held(3),
    contact_ids: [ida],
    deal_ids: [tanks],
    assignee_id: mia,
  })
  await activity('call', 'Tent sizes', { ...held(5), contact_ids: [greta] })
  await activity('call', 'Ink colours', { ...held(6), contact_ids: [otto], assignee_id: ravi })
  await activity('meeting', 'Bike fair', { ...held(40), contact_ids: [paul], assignee_id: ravi })
  await activity('email', 'Catalogue', { ...held(20), contact_ids: [greta], assignee_id: ravi })
  await activity('email', 'Question from Sable', {
    ...held(25),
    contact_ids: [greta],
    direction: 'inbound',
    assignee_id: ravi,
  })
  await activity('email', 'Prices', { due_date: day(-1), contact_ids: [paul], assignee_id: mia })
  await activity('task', 'Draft terms', { due_date: day(-2), deal_ids: [tanks], assignee_id: mia })
  await activity('task', 'Book stand', { due_date: day(-4), deal_ids: [sheds], assignee_id: ravi })
  await activity('task', 'Order stickers', { due_date: day(1) })
  await activity('meeting', 'Tank tour', {
    ...planned(2),
    contact_ids: [ida],
    deal_ids: [tanks],
    assignee_id: mia,
  })
}
