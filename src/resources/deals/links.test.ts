import { expect, it } from 'vitest'
import { type Item, onAnyEngine } from '../../../test/support/service.ts'
import { items } from './testing.ts'

onAnyEngine('the links of deals', account => {
  it('include the company and the primary contact', async () => {
    const me = await account()
    const [a, b, c] = await Promise.all(['A', 'B', 'C'].map(name => me.create('/api/companies', { name })))
    const [x, y] = await Promise.all(['X', 'Y'].map(first_name => me.create('/api/contacts', { first_name })))
    const ref = (record: Item) => ({ id: record.id, name: record.name ?? record.full_name })
    const deal = await me.create('/api/deals', {
      name: 'D',
      company_id: a.id,
      associated_company_ids: [b.id, b.id],
      primary_contact_id: x.id,
    })
    expect(deal).toMatchObject({ company_id: a.id, primary_contact_id: x.id })
    expect(deal.associated_company_ids).toEqual([ref(b), ref(a)])
    expect(deal.associated_contact_ids).toEqual([ref(x)])
    expect((await me.get(`/api/companies/${a.id}`)).body.associated_deal_ids).toEqual([ref(deal)])

    const steps: [Item, string | null, string[]][] = [
      [{ company_id: c.id }, c.id, ['B', 'A', 'C']],
      [{ associated_company_ids: [a.id, c.id] }, c.id, ['A', 'C']],
      [{ associated_company_ids: [b.id], company_id: a.id }, a.id, ['B', 'A']],
      [{ associated_company_ids: [b.id] }, null, ['B']],
      [{ company_id: b.id }, b.id, ['B']],
      [{ company_id: null }, null, ['B']],
      [{ company_id: b.id, associated_company_ids: null }, b.id, ['B']],
      [{ associated_company_ids: null }, null, []],
    ]
    for (const [change, company, all] of steps) {
      const { body } = await me.put(`/api/deals/${deal.id}`, change)
      expect([body.company_id, body.associated_company_ids.map((item: Item) => item.name)]).toEqual([
        company,
        all,
      ])
    }
    const named = await me.put(`/api/deals/${deal.id}`, { primary_contact_id: y.id })
    expect(named.body.associated_contact_ids).toEqual([ref(x), ref(y)])
    const untied = await me.put(`/api/deals/${deal.id}`, { associated_contact_ids: [x.id] })
    expect(untied.body).toMatchObject({ primary_contact_id: null, associated_contact_ids: [ref(x)] })
  })

  it('can also be removed from the company’s side', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Acme' })
    const deal = await me.create('/api/deals', { name: 'D', company_id: company.id })
    await me.put(`/api/companies/${company.id}`, { associated_deal_ids: [] })
    expect((await me.get(`/api/deals/${deal.id}`)).body).toMatchObject({
      company_id: null,
      associated_company_ids: [],
    })
    await me.put(`/api/companies/${company.id}`, { associated_deal_ids: [deal.id] })
    expect((await me.get(`/api/deals/${deal.id}`)).body).toMatchObject({
      company_id: null,
      associated_company_ids: [{ id: company.id, name: 'Acme' }],
    })
  })

  it('follow a merge and its undo', async () => {
    const me = await account()
    const [kept, gone] = await Promise.all(
      ['Kept', 'Gone'].map(name => me.create('/api/companies', { name })),
    )
    const one = await me.create('/api/deals', { name: 'One', company_id: gone.id })
    const both = await me.create('/api/deals', {
      name: 'Both',
      company_id: gone.id,
      associated_company_ids: [gone.id, kept.id],
    })
    const now = async () =>
      (await me.get('/api/deals?sort_by=name&sort_order=asc')).body.items.map((deal: Item) => [
        deal.company_id,
        deal.associated_company_ids,
      ])
    const before = await now()
    const merged = await me.post('/api/companies/merge', { primary_id: kept.id, secondary_ids: [gone.id] })
    expect(merged.status).toBe(200)
    const only = [kept.id, [{ id: kept.id, name: 'Kept' }]]
    expect(await now()).toEqual([only, only])
    expect((await me.post(`/api/operations/${merged.body.operation_id}/undo`)).status).toBe(200)
    expect(await now()).toEqual(before)
    expect(before).toEqual([
      [both.company_id, both.associated_company_ids],
      [one.company_id, one.associated_company_ids],
    ])
  })

  it('are hidden while one side is in the trash', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Acme' })
    const contact = await me.create('/api/contacts', { first_name: 'Ann' })
    const deal = await me.create('/api/deals', {
      name: 'D',
      company_id: company.id,
      primary_contact_id: contact.id,
    })
    const now = () => me.get(`/api/deals/${deal.id}`).then(answer => answer.body)
    await me.delete(`/api/companies/${company.id}`)
    await me.delete(`/api/contacts/${contact.id}`)
    const hidden = {
      company_id: null,
      associated_company_ids: [],
      primary_contact_id: null,
      associated_contact_ids: [],
    }
    expect(await now()).toMatchObject(hidden)
    expect(await items(me, `company_id=${company.id}`)).toEqual([])
    expect((await me.put(`/api/deals/${deal.id}`, { company_id: company.id })).status).toBe(422)
    // the record is sent back as it was read, with its empty fields
    const { associated_company_ids: _a, associated_contact_ids: _b, ...rest } = await now()
    await me.put(`/api/deals/${deal.id}`, rest)
    await me.post(`/api/companies/${company.id}/restore`)
    await me.post(`/api/contacts/${contact.id}/restore`)
    expect(await now()).toMatchObject({ company_id: company.id, primary_contact_id: contact.id })

    await me.delete(`/api/deals/${deal.id}`)
    expect((await me.get(`/api/companies/${company.id}`)).body.associated_deal_ids).toEqual([])
    await me.post(`/api/deals/${deal.id}/restore`)
    expect((await me.get(`/api/companies/${company.id}`)).body.associated_deal_ids).toHaveLength(1)
  })
})
