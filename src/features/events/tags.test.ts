import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { allEvents, openEvents } from './events.testing.ts'

onBothEngines('events of tags', (newAccount, _, onOne) => {
  const tagOf = async (account: Account, name: string): Promise<string> =>
    (await account.create('/api/tags', { name })).id
  const companyOf = async (account: Account, name: string): Promise<string> =>
    (await account.create('/api/companies', { name })).id
  /** The events that `act` leads to: the type, the record and the tag. */
  const after = async (account: Account, act: () => Promise<unknown>) => {
    const start = (await allEvents(account)).at(-1)?.sequence ?? 0
    await act()
    return (await allEvents(account, start)).map(({ type, record, related }) => [
      type,
      record.id,
      related?.id,
    ])
  }

  it('tell which record got or lost which tag', async () => {
    const account = await newAccount()
    const [acme, globex] = [await companyOf(account, 'Acme'), await companyOf(account, 'Globex')]
    const [vip, old] = [await tagOf(account, 'VIP'), await tagOf(account, 'Old')]
    const put = (tag_ids: string[]) => account.put(`/api/tags/records/company/${acme}`, { tag_ids })
    expect(await after(account, () => put([vip]))).toEqual([['company.tag_linked', acme, vip]])
    expect(await after(account, () => put([old]))).toEqual([
      ['company.tag_unlinked', acme, vip],
      ['company.tag_linked', acme, old],
    ])
    const assign = (tag_ids: string[], remove = false) =>
      account.post('/api/tags/bulk-assign', {
        tag_ids,
        entity_type: 'company',
        entity_ids: [acme, globex],
        remove,
      })
    expect((await after(account, () => assign([old]))).map(([type, id]) => [type, id])).toEqual([
      ['company.tag_linked', globex],
    ])
    expect((await after(account, () => assign([old], true))).map(([type]) => type)).toEqual([
      'company.tag_unlinked',
      'company.tag_unlinked',
    ])
    await put([old])
    expect(await after(account, () => account.post(`/api/tags/${old}/merge`, { into_id: vip }))).toEqual([
      ['company.tag_linked', acme, vip],
      ['company.tag_unlinked', acme, old],
      ['tag.deleted', old, undefined],
    ])
    const deal = (await account.create('/api/deals', { name: 'Renewal' })).id
    await account.put(`/api/tags/records/deal/${deal}`, { tag_ids: [vip] })
    const [event, ...rest] = (await account.get('/api/events?types=deal.tag_linked')).body.items
    expect(rest).toEqual([])
    expect(event).toMatchObject({
      type: 'deal.tag_linked',
      record: { entity_type: 'deal', id: deal },
      related: { entity_type: 'tag', id: vip },
      changes: [],
      actor: { kind: 'key' },
    })
  })

  it('tell of both records of a merge, and of its undo', async () => {
    const account = await newAccount()
    const [primary, secondary] = [await companyOf(account, 'Acme'), await companyOf(account, 'Acme Ltd')]
    const [vip, old] = [await tagOf(account, 'VIP'), await tagOf(account, 'Old')]
    await account.put(`/api/tags/records/company/${primary}`, { tag_ids: [vip] })
    await account.put(`/api/tags/records/company/${secondary}`, { tag_ids: [vip, old] })
    const sorted = (events: unknown[][]) =>
      events
        .filter(([type]) => String(type).includes('.tag_'))
        .sort((a, b) => (String(a) < String(b) ? -1 : 1))
    let operation = ''
    const merge = async () => {
      const body = { primary_id: primary, secondary_ids: [secondary] }
      operation = (await account.post('/api/companies/merge', body)).body.operation_id
    }
    const lost = [vip, old].map(id => ['company.tag_unlinked', secondary, id])
    expect(sorted(await after(account, merge))).toEqual(
      sorted([['company.tag_linked', primary, old], ...lost]),
    )
    const namesOf = async (id: string) =>
      (await account.get(`/api/tags/records/company/${id}`)).body.tag_ids.map(
        ({ name }: { name: string }) => name,
      )
    expect(await namesOf(primary)).toEqual(['Old', 'VIP'])
    const undo = () => account.post(`/api/operations/${operation}/undo`)
    expect(sorted(await after(account, undo))).toEqual(
      sorted([
        ['company.tag_unlinked', primary, old],
        ...[vip, old].map(id => ['company.tag_linked', secondary, id]),
      ]),
    )
    expect([await namesOf(primary), await namesOf(secondary)]).toEqual([['VIP'], ['Old', 'VIP']])
  })

  it('are streamed, and stay after the record is erased', async () => {
    const account = await newAccount()
    const stream = await openEvents(account, '?types=contact.tag_linked')
    const types = ['contact.tag_linked', 'contact.tag_unlinked']
    const { id } = await account.create('/api/contacts', { first_name: 'Ann' })
    const vip = await tagOf(account, 'VIP')
    await account.put(`/api/tags/records/contact/${id}`, { tag_ids: [vip] })
    await account.put(`/api/tags/records/contact/${id}`, { tag_ids: [] })
    expect(await stream.until(1)).toMatchObject([{ type: 'contact.tag_linked', record: { id } }])
    stream.close()
    await account.post(`/api/contacts/${id}/erase`)
    const { body } = await account.get(`/api/events?types=${types.join()}`)
    expect(body.items.map(({ type }: { type: string }) => type)).toEqual(types)
  })

  onOne('need the scope of the record', async () => {
    const account = await newAccount()
    const acme = await companyOf(account, 'Acme')
    const vip = await tagOf(account, 'VIP')
    await account.put(`/api/tags/records/company/${acme}`, { tag_ids: [vip] })
    const typesFor = async (scopes: string[], types = '') => {
      const clerk = await anotherMember(account, { scopes: ['events:read', ...scopes] })
      const events = await allEvents(clerk, 0, types)
      return events.filter(({ record }) => [acme, vip].includes(record.id)).map(({ type }) => type)
    }
    const ofCompany = ['company.created', 'company.tag_linked']
    expect(await typesFor(['companies:read'])).toEqual(ofCompany)
    expect(await typesFor(['companies:read', 'contacts:read', 'deals:read'], '&types=company.*')).toEqual(
      ofCompany,
    )
    expect(await typesFor(['tags:read', 'deals:read'])).toEqual(['tag.created'])
    const clerk = await anotherMember(account, { scopes: ['events:read', 'tags:read'] })
    const { status, body } = await clerk.get('/api/events?types=company.tag_linked')
    expect([status, body.detail]).toEqual([403, 'This API key lacks the scope companies:read'])
  })
})
