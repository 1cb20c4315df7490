/** What contacts and deals show of their activities. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, type Item, onBothEngines } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'

const at = '/api/activities'
const DAY = 86_400_000
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const none = { first_interaction: null, last_interaction: null, next_interaction: null }

/** What is read of the contact and the deal. */
async function shown({ get }: Account, contact: string, deal: string): Promise<Item> {
  const { first_interaction, last_interaction, next_interaction } = (await get(`/api/contacts/${contact}`))
    .body
  const { last_activity_at, next_activity_at } = (await get(`/api/deals/${deal}`)).body
  return { first_interaction, last_interaction, next_interaction, last_activity_at, next_activity_at }
}

onBothEngines('interactions', account => {
  it('count when completed, at the moment they happened', async () => {
    const mine = await account()
    const [a, b, c] = [day(-30), day(-20), day(-10)] as const
    const rows: [fields: object, contact: string | null, deal: string | null][] = [
      [{ type: 'call', end_at: b, start_at: a }, b, b],
      [{ type: 'meeting', start_at: a, due_at: c }, a, a],
      [{ type: 'email', end_at: c }, c, c],
      [{ type: 'task', end_at: b }, null, b],
      [{ type: 'other', start_at: a }, null, a],
    ]
    for (const [fields, contactMoment, dealMoment] of rows) {
      const contact = await mine.create('/api/contacts', { first_name: 'Ada' })
      const deal = await mine.create('/api/deals', { name: 'Engines' })
      const ties = { contact_ids: [contact.id], deal_ids: [deal.id] }
      const { id } = await mine.create(at, { subject: 'S', ...fields, ...ties })
      expect(await shown(mine, contact.id, deal.id)).toMatchObject({ ...none, last_activity_at: null })
      await mine.post(`${at}/${id}/complete`)
      expect(await shown(mine, contact.id, deal.id), JSON.stringify(fields)).toEqual({
        first_interaction: contactMoment,
        last_interaction: contactMoment,
        next_interaction: null,
        last_activity_at: dealMoment,
        next_activity_at: null,
      })
      await mine.put(`${at}/${id}`, { status: 'cancelled' })
      expect(await shown(mine, contact.id, deal.id)).toMatchObject({ ...none, last_activity_at: null })
    }
  })

  it('completed before their planned time happened when they were completed', async () => {
    const mine = await account()
    const contact = await mine.create('/api/contacts', { first_name: 'Ada' })
    const ties = { contact_ids: [contact.id] }
    const early = await mine.create(at, { type: 'call', subject: 'S', start_at: day(3), ...ties })
    const { completed_at } = (await mine.post(`${at}/${early.id}/complete`)).body
    const read = (await mine.get(`/api/contacts/${contact.id}`)).body
    expect(read.last_interaction).toBe(completed_at)
  })

  it('are planned for their start or else their due time, if that is in the future', async () => {
    const mine = await account()
    const { create, put } = mine
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const deal = await create('/api/deals', { name: 'Engines' })
    const ties = { contact_ids: [contact.id], deal_ids: [deal.id] }
    const next = async () => {
      const { next_interaction, next_activity_at } = await shown(mine, contact.id, deal.id)
      return [next_interaction, next_activity_at]
    }
    const [soon, later, last] = [day(1), day(2), day(3)] as const
    const call = await create(at, { type: 'call', subject: 'S', due_at: last, ...ties })
    expect(await next()).toEqual([last, last])
    await put(`${at}/${call.id}`, { start_at: later })
    expect(await next()).toEqual([later, later])
    const task = await create(at, { type: 'task', subject: 'T', due_date: soon.slice(0, 10), ...ties })
    const endOfDay = `${soon.slice(0, 10)}T23:59:59.999Z`
    expect(await next()).toEqual([later, endOfDay])
    await put(`${at}/${task.id}`, { type: 'email', status: 'in_progress' })
    expect(await next()).toEqual([endOfDay, endOfDay])
    await put(`${at}/${task.id}`, { due_date: null, due_at: day(-1) })
    expect(await next()).toEqual([later, later])
    await put(`${at}/${call.id}`, { status: 'cancelled' })
    expect(await next()).toEqual([null, null])
  })

  it('in the past are no longer the next one', async () => {
    const mine = await account()
    const contact = await mine.create('/api/contacts', { first_name: 'Ada' })
    const deal = await mine.create('/api/deals', { name: 'Engines' })
    const later = day(2)
    const ties = { contact_ids: [contact.id], deal_ids: [deal.id] }
    await mine.create(at, { type: 'call', subject: 'S', start_at: later, ...ties })
    // as if a nearer one had been next until an hour ago
    const db = systemDb(mine.service.services)
    await sql`update contacts set next_interaction = now() - interval '1 hour' where id = ${contact.id}`.execute(
      db,
    )
    await sql`update deals set next_activity_at = now() - interval '1 hour' where id = ${deal.id}`.execute(db)
    const read = () => shown(mine, contact.id, deal.id)
    expect(await read()).toMatchObject({ next_interaction: later, next_activity_at: later })
    const ids = (await mine.get(at)).body.items.map((item: Item) => item.id)
    await mine.post(`${at}/bulk-delete`, ids)
    expect(await read()).toMatchObject({ next_interaction: null, next_activity_at: null })
  })

  it('change neither updated_at nor the timeline of the record', async () => {
    const { create, get, post } = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const deal = await create('/api/deals', { name: 'Engines' })
    const ties = { contact_ids: [contact.id], deal_ids: [deal.id] }
    const { id } = await create(at, { type: 'call', subject: 'S', start_at: day(-1), ...ties })
    await post(`${at}/${id}/complete`)
    for (const [path, before] of [
      [`/api/contacts/${contact.id}`, contact],
      [`/api/deals/${deal.id}`, deal],
    ] as const) {
      expect((await get(path)).body.updated_at).toBe(before.updated_at)
      const { items } = (await get(`${path}/timeline`)).body
      expect(items.flatMap((entry: Item) => entry.changes)).toEqual([])
    }
    const { items } = (await get(`${at}/${id}/timeline`)).body
    const fields = items.flatMap((entry: Item) => entry.changes.map((change: Item) => change.field))
    expect(fields.toSorted()).toEqual(['completed_at', 'status'])
  })

  it('are correct when many are logged at once', async () => {
    const { create, get } = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const moments = Array.from({ length: 16 }, (_, i) => day(-100 + ((i * 7) % 16)))
    await Promise.all(
      moments.map(end_at =>
        create(at, { type: 'call', subject: 'S', status: 'completed', end_at, contact_ids: [contact.id] }),
      ),
    )
    expect((await get(`/api/contacts/${contact.id}`)).body).toMatchObject({
      first_interaction: moments.toSorted()[0],
      last_interaction: moments.toSorted().at(-1),
    })
  })

  it('are removed with the account', async () => {
    const mine = await account()
    const contact = await mine.create('/api/contacts', { first_name: 'Ada' })
    const ties = { contact_ids: [contact.id] }
    const { id } = await mine.create(at, { type: 'call', subject: 'S', status: 'completed', ...ties })
    await mine.create('/api/notes', { content: 'N', entity_type: 'activity', entity_id: id })
    await mine.create('/api/notes', { content: 'N', entity_type: 'contact', entity_id: contact.id })
    const db = systemDb(mine.service.services)
    await sql`delete from accounts where id = ${mine.accountId}`.execute(db)
    const left = await sql<{
      total: number
    }>`select count(*) as total from activities where id = ${id}`.execute(db)
    expect(left.rows[0]!.total).toBe(0)
  })
})
