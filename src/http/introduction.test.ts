import { expect, it } from 'vitest'
import { onAnyEngine } from '../../test/support/service.ts'
import { introduction } from './introduction.ts'

onAnyEngine('the introduction', newAccount => {
  it('says how a record with links is sent back', async () => {
    const account = await newAccount()
    const person = await account.create('/api/contacts', { first_name: 'Ann' })
    const deal = await account.create('/api/deals', { name: 'Renewal' })
    const links = { team_ids: [person.id], associated_deal_ids: [deal.id] }
    const company = await account.create('/api/companies', { name: 'Acme', ...links })
    const put = (body: object) => account.put(`/api/companies/${company.id}`, body)
    const refused = await put(company)
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'team_ids', 0]])
    const { team_ids: _t, associated_deal_ids: _d, ...others } = company
    for (const body of [others, { ...company, ...links }]) {
      const { status, body: changed } = await put(body)
      expect([status, changed]).toEqual([200, { ...company, updated_at: changed.updated_at }])
    }
    expect(introduction).not.toContain('sent back unchanged')
    expect(introduction).toContain('send their ids, or leave the field out, and the links stay as they are')
  })
})
