/** Files of known products, custom fields made of columns, and addresses in all their forms. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, imported, uploaded, warningsOf } from './testing.ts'

const file = (...rows: string[]) => `${rows.join('\n')}\n`

onAnyEngine('profiles of imports', account => {
  it('recognises the product and links its files by their ids', async () => {
    const me = await account()
    const companies = await uploaded(
      me,
      file('Record ID,Company name,Company owner', '11,Acme,Nobody', '12,Acme,'),
      { entity_type: 'company' },
    )
    expect(companies.options).toMatchObject({ profile: 'hubspot', source: 'hubspot' })
    expect(companies.mapping).toMatchObject({ 'Record ID': 'external_id', 'Company name': 'name' })
    expect(await done(me, companies.id, 'start')).toMatchObject({ created_count: 2 })
    const deals = await imported(
      me,
      file(
        'Record ID,Deal Name,Deal Stage,Pipeline,Deal owner,Associated Company IDs,Associated Company',
        '91,A,Closed Won,Sales pipeline,Nobody,12,Acme',
        '92,B,Odd,New pipeline,,11;12,Acme;Acme',
      ),
      { entity_type: 'deal' },
    )
    expect(await errorsOf(me, deals.id)).toEqual([])
    expect(deals).toMatchObject({ created_count: 2, options: { profile: 'hubspot' } })
    expect((await me.get('/api/deals?external_id=hubspot:92')).body.items).toMatchObject([
      { stage: { name: 'Odd' }, associated_company_ids: [{ name: 'Acme' }, { name: 'Acme' }] },
    ])
    const other = await me.put(
      `/api/imports/${(await uploaded(me, file('Record ID,Company name', '1,A'), { entity_type: 'company' })).id}`,
      {
        options: { profile: null },
      },
    )
    expect(other.body.mapping).toEqual({ 'Record ID': null, 'Company name': 'name' })
  })

  it('keeps several addresses of a cell, and what kind each is', async () => {
    const me = await account()
    const result = await imported(
      me,
      file(
        'First Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value',
        'Ann,* Home,ann@x.example; Ann Lee <a.lee@x.example>,Mobile,+43 1 234,Work,+43 5 678 ::: +43 5 679',
      ),
      { entity_type: 'contact' },
    )
    expect(await errorsOf(me, result.id)).toEqual([])
    expect(result).toMatchObject({ options: { profile: 'google_contacts' }, warnings: [] })
    expect((await me.get('/api/contacts')).body.items[0]).toMatchObject({
      email: 'ann@x.example',
      emails: [
        { email: 'ann@x.example', type: 'home', is_primary: true },
        { email: 'a.lee@x.example', type: 'home', is_primary: false },
      ],
      phone: '+43 1 234',
      phones: [
        { phone: '+43 1 234', type: 'mobile', is_primary: true },
        { phone: '+43 5 678', type: 'work' },
        { phone: '+43 5 679', type: 'work' },
      ],
    })
    const companies = await imported(me, file('name,email', 'Acme,a@x.example; b@x.example'), {
      entity_type: 'company',
    })
    expect(companies).toMatchObject({ created_count: 1, warning_count: 1 })
    expect(await warningsOf(me, companies.id)).toMatchObject([{ column: 'email', value: 'b@x.example' }])
    const outlook = await uploaded(
      me,
      file(
        'Title,First Name,Business Street,Home Street,E-mail 2 Address,Mobile Phone',
        'Mr.,Bob,A 1,B 2,b@x.example,+1 555 0100',
      ),
      { entity_type: 'contact' },
    )
    expect(outlook).toMatchObject({
      options: { profile: 'outlook' },
      mapping: { Title: null, 'Business Street': 'address', 'E-mail 2 Address': 'emails' },
    })
  })

  it('declares custom fields for columns, with the type of all their values', async () => {
    const me = await account()
    const rows = file(
      'name,Score,Since,Is VIP,Größe,Mixed,Code',
      'A,7,2024-01-31,yes,L,5,007',
      'B,8.5,2024-02-01,no,XL,yes,008',
    )
    const found = await uploaded(me, rows, {
      entity_type: 'company',
      mapping: { Code: null },
      options: { create_fields: true },
    })
    expect(found.mapping).toMatchObject({
      Score: 'cf.score',
      'Is VIP': 'cf.is_vip',
      Größe: 'cf.grosse',
      Code: null,
    })
    expect(found.warnings).toMatchObject([{ column: 'Code', code: 'not_imported' }])
    expect(await done(me, found.id, 'validate')).toMatchObject({ created_count: 2, error_count: 0 })
    expect((await me.get('/api/custom-fields')).body.total).toBe(0)
    expect(await done(me, found.id, 'start')).toMatchObject({ created_count: 2, error_count: 0 })
    const { items } = (await me.get('/api/custom-fields?entity_type=company')).body
    expect(
      items.map(({ key, name, field_type }: { key: string; name: string; field_type: string }) => [
        key,
        name,
        field_type,
      ]),
    ).toEqual([
      ['score', 'Score', 'number'],
      ['since', 'Since', 'date'],
      ['is_vip', 'Is VIP', 'boolean'],
      ['grosse', 'Größe', 'text'],
      ['mixed', 'Mixed', 'text'],
    ])
    expect((await me.get('/api/companies?cf.score=8.5')).body.items).toMatchObject([
      { name: 'B', metadata: { score: 8.5, since: '2024-02-01', is_vip: false, grosse: 'XL', mixed: 'yes' } },
    ])
    expect(await done(me, found.id, 'revert')).toMatchObject({ status: 'reverted' })
    expect((await me.get('/api/companies')).body.total).toBe(0)
  })
})
