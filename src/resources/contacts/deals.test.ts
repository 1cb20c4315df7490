/** The deals of a person and of a company, seen from either side. */
import { expect, it } from 'vitest'
import { type Account, anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const names = (items: { name: string }[]) => items.map(item => item.name)

const parents = [
  { parent: 'contacts', label: 'Contact', body: { first_name: 'Ada' }, side: 'associated_contact_ids' },
  { parent: 'companies', label: 'Company', body: { name: 'Acme' }, side: 'associated_company_ids' },
]

async function scene(client: Account, { parent, body }: (typeof parents)[number]) {
  const owner = await client.create(`/api/${parent}`, body)
  const ids: string[] = []
  for (const name of ['d1', 'd2', 'd3']) ids.push((await client.create('/api/deals', { name })).id)
  return { one: `/api/${parent}/${owner.id}`, id: owner.id as string, d: ids as [string, string, string] }
}

onAnyEngine('deals of contacts and companies', account => {
  it.each(parents)('are written and read on $parent in the order sent', async row => {
    const client = await account()
    const { one, id, d } = await scene(client, row)
    const { body } = await client.put(one, { associated_deal_ids: [d[2], d[0], d[2]] })
    expect(body.associated_deal_ids).toEqual([
      { id: d[2], name: 'd3' },
      { id: d[0], name: 'd1' },
    ])
    expect(
      (await client.get(`/api/deals/${d[0]}`)).body[row.side].map((item: { id: string }) => item.id),
    ).toEqual([id])
    await client.put(`/api/deals/${d[1]}`, { [row.side]: [id] })
    expect(names((await client.get(one)).body.associated_deal_ids)).toEqual(['d3', 'd1', 'd2'])
    await client.put(`/api/deals/${d[2]}`, { [row.side]: [] })
    expect(names((await client.get(one)).body.associated_deal_ids)).toEqual(['d1', 'd2'])
    expect((await client.put(one, { associated_deal_ids: null })).body.associated_deal_ids).toEqual([])
    expect((await client.get(`/api/deals/${d[0]}`)).body[row.side]).toEqual([])
  })

  it.each(parents)('are hidden in the trash and shown again when restored, on $parent', async row => {
    const client = await account()
    const { one, id, d } = await scene(client, row)
    await client.put(one, { associated_deal_ids: [d[0], d[1]] })
    await client.delete(`/api/deals/${d[0]}`)
    expect(names((await client.get(one)).body.associated_deal_ids)).toEqual(['d2'])
    expect((await client.put(one, { associated_deal_ids: [d[0]] })).body.detail[0]).toMatchObject({
      type: 'reference_not_found',
      loc: ['body', 'associated_deal_ids', 0],
      msg: 'Deal not found',
    })
    await client.put(one, { associated_deal_ids: [d[1]] })
    await client.post(`/api/deals/${d[0]}/restore`)
    expect(names((await client.get(one)).body.associated_deal_ids).sort()).toEqual(['d1', 'd2'])
    await client.delete(one)
    expect((await client.get(`/api/deals/${d[0]}`)).body[row.side]).toEqual([])
    await client.post(`${one}/restore`)
    expect((await client.get(`/api/deals/${d[0]}`)).body[row.side]).toMatchObject([{ id }])
  })

  it.each(parents)('are listed at $parent/{id}/deals', async row => {
    const client = await account()
    const { one, d } = await scene(client, row)
    await client.put(one, { associated_deal_ids: [d[0], d[2]] })
    const page = await client.get(`${one}/deals?page_size=1&sort_by=name&sort_order=desc`)
    expect(page.status).toBe(200)
    expect(page.body).toMatchObject({ total: 2, page: 1, page_size: 1, total_pages: 2 })
    expect(page.body.items).toEqual([(await client.get(`/api/deals/${d[2]}`)).body])
    expect(names((await client.get(`${one}/deals?search=d1`)).body.items)).toEqual(['d1'])
    const own = row.parent === 'contacts' ? 'contact_id' : 'company_id'
    expect((await client.get(`${one}/deals?${own}=${newId()}`)).body.total).toBe(2)
    expect((await client.get(`${one}/deals?page=0`)).status).toBe(422)
    const none = await client.get(`/api/${row.parent}/${newId()}/deals`)
    expect([none.status, none.body]).toEqual([404, { detail: `${row.label} not found` }])
    expect((await (await account()).get(`${one}/deals`)).status).toBe(404)
    const narrow = await anotherMember(client, { scopes: [`${row.parent}:read`] })
    expect((await narrow.get(`${one}/deals`)).status).toBe(403)
    await client.delete(one)
    expect((await client.get(`${one}/deals`)).status).toBe(404)
  })
})
