/** The owners and parents of companies in files: in any order, exported again and reverted. */
import { expect, it } from 'vitest'
import { type Account, type Item, onBothEngines } from '../../../../test/support/service.ts'
import { done, errorsOf, exportedText, imported, uploaded, warningsOf } from './testing.ts'

const file = (...rows: string[]) => `${rows.join('\n')}\n`

/** For each company its parent, owner and city, by name. */
async function tree(me: Account): Promise<Item> {
  const { items } = (await me.get('/api/companies?page_size=1000&sort_by=name&sort_order=asc')).body
  const names = new Map(items.map(({ id, name }: Item) => [id, name]))
  return Object.fromEntries(
    items.map(({ name, parent_id, city }: Item) => [name, [names.get(parent_id) ?? null, city]]),
  )
}

const HUBSPOT = file(
  'Record ID,Company name,Company owner,Parent Company,City,Company Domain Name',
  '13,Shop,test person,12,Linz,shop.example',
  '12,Branch,Nobody Known,11,Graz,branch.example',
  '11,Group,,,Wien,group.example',
  '14,Other,,99,,',
)
const SALESFORCE = file(
  'Account ID,Account Name,Account Owner,Parent Account,Billing City,Billing State/Province',
  '001A0000003Shop,Shop,Test Person,Branch,Linz,',
  '001A00000Branch,Branch,Nobody Known,GROUP,Graz,',
  '001A000000Group,Group,,,Wien,',
  '001A000000Other,Other,,Abroad plc,,',
)
const PIPEDRIVE = file(
  'Organization - ID,Organization - Name,Organization - Owner,Organization - City,Organization - Parent organization',
  '13,Shop,Test Person,Linz,Branch',
  '12,Branch,Nobody Known,Graz,Group',
  '11,Group,,Wien,',
  '14,Other,,,',
)
const ATTIO = file(
  'Record ID,Record,Account owner,Parent company,City,Domains',
  'c3,Shop,Test Person,Branch,Linz,shop.example',
  'c2,Branch,Nobody Known,Group,Graz,branch.example',
  'c1,Group,,,Wien,group.example',
  'c4,Other,,,,',
)
const FAMILY = { Group: [null, 'Wien'], Branch: ['Group', 'Graz'], Shop: ['Branch', 'Linz'] }

onBothEngines('owners and parents of imported companies', (account, _, onOne) => {
  onOne.each([
    ['hubspot', HUBSPOT, { Other: [null, null] }],
    ['salesforce', SALESFORCE, { Other: ['Abroad plc', null], 'Abroad plc': [null, null] }],
    ['pipedrive', PIPEDRIVE, { Other: [null, null] }],
    ['attio', ATTIO, { Other: [null, null] }],
  ])('are those of the file of %s', async (profile, text, further) => {
    const me = await account()
    const upload = await uploaded(me, text, { entity_type: 'company' })
    expect(upload.options).toMatchObject({ profile })
    expect(upload.warnings.filter(({ code }: Item) => code === 'not_imported')).toEqual([])
    const counts = { created_count: 4, skipped_count: 0, error_count: 0 }
    expect(await done(me, upload.id, 'validate')).toMatchObject(counts)
    expect(await done(me, upload.id, 'start')).toMatchObject(counts)
    expect(await tree(me)).toEqual({ ...FAMILY, ...further })
    const owned = (await me.get(`/api/companies?owner_id=${me.userId}`)).body.items
    expect(owned).toMatchObject([{ name: 'Shop', owner_id: me.userId }])
    const warnings = await warningsOf(me, upload.id)
    expect(warnings).toMatchObject([
      { row: 3, field: 'owner_name', value: 'Nobody Known' },
      ...(profile === 'hubspot' ? [{ row: 5, field: 'parent_external_id', value: '99' }] : []),
    ])
  })

  it('are exported, imported again, changed and reverted', async () => {
    const [me, other] = [await account(), await account()]
    await imported(me, HUBSPOT, { entity_type: 'company' })
    const first = await exportedText(me, { entity_type: 'company' })
    const options = { duplicate_strategy: 'update', on_missing: { owner: 'empty' } }
    const again = await imported(me, first, { entity_type: 'company', options })
    expect(again).toMatchObject({ updated_count: 0, skipped_count: 4, error_count: 0 })
    const elsewhere = await imported(other, first, { entity_type: 'company', options })
    expect(elsewhere).toMatchObject({ created_count: 4, error_count: 0 })
    // The owner is no member of the other account.
    const fields = first
      .split('\n')[0]!
      .trim()
      .split(',')
      .filter(name => !name.startsWith('owner_'))
    expect(await exportedText(other, { entity_type: 'company', fields })).toBe(
      await exportedText(me, { entity_type: 'company', fields }),
    )

    const before = (await me.get('/api/companies?sort_by=name')).body.items
    const moved = await imported(
      me,
      file(
        'name,owner_name,parent_domain',
        `Other,${me.userId}@people.test,shop.example`,
        'New,,branch.example',
      ),
      { entity_type: 'company', options: { duplicate_strategy: 'update' } },
    )
    expect(moved, JSON.stringify(await errorsOf(me, moved.id))).toMatchObject({
      updated_count: 1,
      created_count: 1,
    })
    expect(await tree(me)).toEqual({ ...FAMILY, Other: ['Shop', null], New: ['Branch', null] })
    expect(await done(me, moved.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    const after = (await me.get('/api/companies?sort_by=name')).body.items
    const undated = (items: Item[]) => items.map(item => ({ ...item, updated_at: '' }))
    expect(undated(after)).toEqual(undated(before))
  })

  it('are looked for in the whole file, and never circular', async () => {
    const me = await account()
    const chain = Array.from({ length: 25 }, (_, i) => `L${i},${i === 24 ? '' : `L${i + 1}`},,`)
    const { id } = await uploaded(
      me,
      file(
        'name,parent_name,parent_domain,domains',
        'Self,self,,',
        'A,B,,',
        'B,C,,',
        'C,A,,',
        'Child,,www.Holding.example,',
        'Holding,,,holding.example',
        'Lost,Nowhere,,',
        ...chain,
      ),
      { entity_type: 'company', options: { on_missing: { company: 'fail' } } },
    )
    for (const action of ['validate', 'start'] as const) {
      const result = await done(me, id, action)
      expect(result).toMatchObject({ created_count: 31, error_count: 1, warning_count: 3 })
      expect(await errorsOf(me, id)).toMatchObject([{ row: 8, field: 'parent_name', value: 'Nowhere' }])
      expect(await warningsOf(me, id)).toMatchObject([
        { row: 2, field: 'parent_name', value: 'self' },
        { row: 3, field: 'parent_name', value: 'B' },
        { field: 'parent_name', value: 'L5' },
      ])
    }
    expect(await tree(me)).toMatchObject({
      ...{ Self: [null, null], A: [null, null], B: ['C', null], C: ['A', null], Child: ['Holding', null] },
      ...{ L4: [null, null], L5: ['L6', null], L24: [null, null] },
    })
  })

  onOne('are in a preview, also of a row with the domain of its parent further below', async () => {
    const me = await account()
    const { id } = await uploaded(
      me,
      file('name,parent_name,domains', 'Branch,Group,group.example', 'Group,,group.example'),
      { entity_type: 'company' },
    )
    const { body } = await me.get(`/api/imports/${id}/preview?rows=2`)
    expect(body.items.map(({ outcome }: Item) => outcome)).toEqual(['skipped', 'created'])
  })
})
