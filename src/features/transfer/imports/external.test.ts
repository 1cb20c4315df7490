/** Several files of another system as one migration: records keep their ids, and later files link to them by these. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, imported, uploaded, warningsOf } from './testing.ts'

const file = (...rows: string[]) => `${rows.join('\n')}\n`
const options = { source: 'crm' }

const companies = (me: Account, more: object = {}) =>
  imported(me, file('Key,Name', 'a1,Acme', 'a2,Acme', 'a3,"Fjord, AS"'), {
    entity_type: 'company',
    mapping: { Key: 'external_id' },
    options: { ...options, ...more },
  })

onAnyEngine('ids of other systems in imports', account => {
  it('stores them, links later files by them and finds their records again', async () => {
    const me = await account()
    // of the same name, but with ids of their own: two companies
    expect(await companies(me)).toMatchObject({ created_count: 3, error_count: 0 })
    const people = await imported(
      me,
      file(
        'Key,First,Mail,Employer key,Employer',
        'p1,Ann,info@acme.example,a2,Acme',
        'p2,Bob,info@acme.example,a3,Somebody else',
        'p3,Cid,cid@x.example,b9,New Co',
        'p4,Dan,dan@x.example,b9,',
        'p5,Eve,eve@x.example,zz,',
      ),
      {
        entity_type: 'contact',
        mapping: {
          Key: 'external_id',
          First: 'first_name',
          'Employer key': 'company_external_id',
          Employer: 'company_name',
        },
        options,
      },
    )
    expect(await errorsOf(me, people.id)).toEqual([])
    expect(people).toMatchObject({ created_count: 5, warning_count: 1 })
    expect(await warningsOf(me, people.id)).toMatchObject([{ row: 6, column: 'Employer key', value: 'zz' }])
    const { items } = (await me.get('/api/contacts?sort_by=first_name&sort_order=asc')).body
    const shown = items.map(({ external_ids, company_ids }: Person) => [
      external_ids.crm,
      company_ids?.[0]?.name,
    ])
    expect(shown).toEqual([
      ['p1', 'Acme'],
      ['p2', 'Fjord, AS'],
      ['p3', 'New Co'],
      ['p4', 'New Co'],
      ['p5', undefined],
    ])
    expect((await me.get('/api/companies?external_id=crm:b9')).body.items).toMatchObject([{ name: 'New Co' }])
    const deals = await imported(me, file('Title,Companies,People', 'A,a1;a3,p1; p2', 'B,,p3'), {
      entity_type: 'deal',
      mapping: {
        Title: 'name',
        Companies: 'associated_company_external_ids',
        People: 'associated_contact_external_ids',
      },
      options,
    })
    expect(await errorsOf(me, deals.id)).toEqual([])
    expect((await me.get('/api/deals?sort_by=name&sort_order=asc')).body.items).toMatchObject([
      {
        associated_company_ids: [{ name: 'Acme' }, { name: 'Fjord, AS' }],
        associated_contact_ids: [{ name: 'Ann' }, { name: 'Bob' }],
      },
      { associated_contact_ids: [{ name: 'Cid' }] },
    ])
    expect(await companies(me)).toMatchObject({ created_count: 0, skipped_count: 3 })
    const renamed = await imported(me, file('Key,Name', 'a2,Acme Two'), {
      entity_type: 'company',
      mapping: { Key: 'external_id' },
      options: { ...options, duplicate_strategy: 'update' },
    })
    expect(renamed).toMatchObject({ updated_count: 1 })
    expect((await me.get('/api/companies?external_id=crm:a2')).body.items).toMatchObject([
      { name: 'Acme Two', external_ids: { crm: 'a2' } },
    ])
  })

  it('adds the id to records that are matched otherwise, and replaces none', async () => {
    const me = await account()
    for (const [name, ids] of [
      ['Old', {}],
      ['Both', { attio: 'x' }],
    ] as const)
      await me.create('/api/deals', { name, external_ids: ids })
    await me.create('/api/companies', { name: 'Acme', external_ids: { attio: 'y' } })
    const update = { source: 'crm', duplicate_strategy: 'update', match_on: 'name' }
    const rows = file('Key,name', 'd1,Old', 'd2,Both')
    const mapping = { Key: 'external_id' }
    const deals = await uploaded(me, rows, { entity_type: 'deal', mapping, options: update })
    expect(await done(me, deals.id, 'validate')).toMatchObject({ updated_count: 2 })
    expect(await done(me, deals.id, 'start')).toMatchObject({ updated_count: 2, error_count: 0 })
    const company = { entity_type: 'company', mapping, options: update }
    expect(await imported(me, file('Key,name', 'c1,Acme'), company)).toMatchObject({ updated_count: 1 })
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(items.map(({ external_ids }: Person) => external_ids)).toEqual([
      { attio: 'x', crm: 'd2' },
      { crm: 'd1' },
    ])
    expect((await me.get('/api/companies')).body.items).toMatchObject([
      { external_ids: { attio: 'y', crm: 'c1' } },
    ])
    expect(await done(me, deals.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    expect((await me.get('/api/deals?external_id=crm:d1')).body.total).toBe(0)
  })

  it('finds a record by the ids of those that were merged into it, and does not change its own', async () => {
    const me = await account()
    await companies(me)
    const found = async (id: string) =>
      (await me.get(`/api/companies?external_id=crm:${id}`)).body.items[0].id
    const one = await found('a1')
    await me.post('/api/companies/merge', { primary_id: one, secondary_ids: [await found('a2')] })
    const update = {
      entity_type: 'company',
      mapping: { Key: 'external_id' },
      options: { ...options, duplicate_strategy: 'update' },
    }
    const again = await imported(me, file('Key,Name,City', 'a2,Acme,Graz'), update)
    expect(again).toMatchObject({ created_count: 0, updated_count: 1, error_count: 0 })
    const { body } = await me.get(`/api/companies/${one}`)
    expect(body).toMatchObject({ city: 'Graz', external_ids: { crm: 'a1' } })
    const people = { entity_type: 'contact', mapping: { Employer: 'company_external_id' }, options }
    await imported(me, file('first_name,Employer', 'Ann,a2'), people)
    expect((await me.get('/api/contacts')).body.items[0].company_ids).toMatchObject([{ id: one }])
  })

  it('takes ids of a system that is named, and one record for each', async () => {
    const me = await account()
    const { id } = await uploaded(me, file('Key,Name', 'a1,Acme', 'a1,Bmce'), { entity_type: 'company' })
    const answer = await me.put(`/api/imports/${id}`, { mapping: { Key: 'external_id' } })
    expect([answer.status, answer.body.detail[0].msg]).toEqual([
      422,
      expect.stringContaining('options.source'),
    ])
    await me.put(`/api/imports/${id}`, {
      mapping: { Key: 'external_id' },
      options: { source: 'crm', duplicate_strategy: 'create' },
    })
    expect(await done(me, id, 'validate')).toMatchObject({ created_count: 1, error_count: 1 })
    expect(await done(me, id, 'start')).toMatchObject({ created_count: 1, error_count: 1 })
  })
})

interface Person {
  external_ids: Record<string, string>
  company_ids?: { name: string }[]
}
