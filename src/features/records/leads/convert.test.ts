import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/service.ts'
import { newId } from '../../../kernel/ids.ts'

onBothEngines('converting a lead', account => {
  it('creates a company and a deal, and can be undone', async () => {
    const me = await account()
    const lead = await me.create('/api/contacts', {
      first_name: 'Ann',
      status: 'lead',
      lead_source: 'Fair',
      owner_id: me.userId,
    })
    const path = `/api/contacts/${lead.id}/convert`
    const done = await me.post(path, { company: { name: 'Acme' }, deal: { name: 'Starter', amount: 12 } })
    expect(done.status).toBe(200)
    const { contact, company, deal, operation_id } = done.body
    expect(contact).toMatchObject({ status: 'opportunity', company_id: company.id })
    expect(company).toMatchObject({ name: 'Acme', team_ids: [{ id: lead.id }] })
    expect(company.associated_deal_ids).toEqual([{ id: deal.id, name: 'Starter' }])
    expect(deal).toMatchObject({
      amount: 12,
      lead_source: 'Fair',
      owner_id: me.userId,
      company_id: company.id,
      primary_contact_id: lead.id,
    })
    expect(await me.post(path)).toMatchObject({ status: 409 })

    const undone = await me.post(`/api/operations/${operation_id}/undo`)
    expect(undone).toMatchObject({ status: 200, body: { conflicts: [] } })
    expect((await me.get(`/api/contacts/${lead.id}`)).body).toMatchObject({
      status: 'lead',
      company_id: null,
    })
    expect((await me.get(`/api/companies/${company.id}`)).status).toBe(404)
    expect((await me.get(`/api/deals/${deal.id}`)).status).toBe(404)
    expect(await me.post(path)).toMatchObject({ status: 200, body: { company: null, deal: { name: 'Ann' } } })
  })

  it('uses the company of the contact, or another existing one', async () => {
    const me = await account()
    const [acme, beta] = [
      await me.create('/api/companies', { name: 'Acme' }),
      await me.create('/api/companies', { name: 'Beta' }),
    ]
    const make = () =>
      me.create('/api/contacts', { first_name: 'A', status: 'qualified', company_id: acme.id })
    const first = await me.post(`/api/contacts/${(await make()).id}/convert`, {
      deal: null,
      status: 'customer',
    })
    expect(first.body).toMatchObject({
      contact: { status: 'customer', company_id: acme.id },
      company: { id: acme.id },
      deal: null,
    })
    const second = await me.post(`/api/contacts/${(await make()).id}/convert`, { company_id: beta.id })
    expect(second.body).toMatchObject({ contact: { company_id: beta.id }, deal: { name: 'Beta' } })
  })

  it('refuses invalid input and writes nothing', async () => {
    const me = await account()
    const other = await account()
    const foreign = await other.create('/api/companies', { name: 'Foreign' })
    const lead = await me.create('/api/contacts', { first_name: 'Ann', status: 'lead' })
    const cases: [body: object, loc: string[]][] = [
      [{ company_id: foreign.id }, ['body', 'company_id']],
      [{ company_id: newId() }, ['body', 'company_id']],
      [{ company_id: newId(), company: { name: 'A' } }, ['body', 'company']],
      [{ company: { name: '' } }, ['body', 'company', 'name']],
      [{ company: { name: 'A' }, deal: { name: 'B', stage_id: newId() } }, ['body', 'deal', 'stage_id']],
      [{ dael: {} }, ['body', 'dael']],
    ]
    for (const [body, loc] of cases) {
      const answer = await me.post(`/api/contacts/${lead.id}/convert`, body)
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ loc })
    }
    expect((await other.post(`/api/contacts/${lead.id}/convert`)).status).toBe(404)
    const { key } = await me.create('/api/api-keys', {
      name: 'Contacts',
      scopes: ['contacts:*', 'companies:read'],
    })
    const scoped = { 'x-api-key': key }
    expect((await me.post(`/api/contacts/${lead.id}/convert`, {}, scoped)).status).toBe(403)
    expect((await me.get('/api/companies')).body.total).toBe(0)
    expect((await me.get('/api/deals')).body.total).toBe(0)
    expect((await me.get(`/api/contacts/${lead.id}`)).body.status).toBe('lead')
    expect((await me.post(`/api/contacts/${lead.id}/convert`, { deal: null }, scoped)).status).toBe(200)
  })
})
