/** Tags and options of custom fields in files, and companies that rows name. */
import { expect, it } from 'vitest'
import { type Item, onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, imported, tagsOf, uploaded, warningsOf } from './testing.ts'

const file = (...lines: string[]) => `${lines.join('\n')}\n`

onAnyEngine('tags in imports', account => {
  it('creates them, adds them to those that a record has, and removes them with a revert', async () => {
    const me = await account()
    const vip = await me.create('/api/tags', { name: 'VIP' })
    const ann = await me.create('/api/contacts', { first_name: 'Ann', email: 'ann@x.example' })
    const own = await me.create('/api/tags', { name: 'Own' })
    await me.put(`/api/tags/records/contact/${ann.id}`, { tag_ids: [own.id] })
    const rows = file(
      'First name,Email,Tags,Labels',
      'Ann,ann@x.example,vip; Partner,Berlin',
      'Bob,bob@x.example,"partner, VIP | Beta",',
      'Eve,broken,Never,',
      'Zoe,zoe@x.example,,',
    )
    const upload = await uploaded(me, rows, {
      entity_type: 'contact',
      options: { duplicate_strategy: 'update' },
    })
    expect(upload.mapping).toMatchObject({ Tags: 'tags', Labels: 'tags' })
    const counts = { created_count: 2, updated_count: 1, error_count: 1 }
    expect(await done(me, upload.id, 'validate')).toMatchObject(counts)
    expect((await me.get('/api/tags')).body.total).toBe(2)
    expect(await done(me, upload.id, 'start')).toMatchObject(counts)
    expect(await tagsOf(me, 'contact', ann.id)).toEqual(['Berlin', 'Own', 'Partner', 'VIP'])
    const [bob] = (await me.get('/api/contacts?email=bob@x.example')).body.items
    expect(await tagsOf(me, 'contact', bob.id)).toEqual(['Beta', 'Partner', 'VIP'])
    const names = (await me.get('/api/tags?sort_by=name&sort_order=asc')).body.items
    expect(names.map(({ name, usage_count }: Item) => [name, usage_count])).toEqual([
      ['Berlin', 1],
      ['Beta', 1],
      ['Own', 1],
      ['Partner', 2],
      ['VIP', 2],
    ])
    const again = await imported(me, rows, {
      entity_type: 'contact',
      options: { duplicate_strategy: 'update' },
    })
    expect(again).toMatchObject({ created_count: 0, updated_count: 0, skipped_count: 3 })
    const other = await me.create('/api/companies', { name: 'Acme' })
    const beta = names[1].id
    await me.put(`/api/tags/records/company/${other.id}`, { tag_ids: [beta] })
    expect(await done(me, upload.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    expect(await tagsOf(me, 'contact', ann.id)).toEqual(['Own'])
    // Beta is on a record that the import did not create
    const left = (await me.get('/api/tags?sort_by=name&sort_order=asc')).body.items
    expect(left.map(({ name }: Item) => name)).toEqual(['Beta', 'Own', 'VIP'])
    expect(left[2].id).toBe(vip.id)
  })

  it('fails a row or leaves the tag out where it does not exist, and replaces single tags of a cell', async () => {
    const me = await account()
    await me.create('/api/tags', { name: 'Gold' })
    const rows = file('name,tags', 'A,Gold', 'B,Gold;Odd', 'C,old; skip')
    const value_mapping = { tags: { OLD: 'gold', skip: null } }
    const failing = await imported(me, rows, {
      ...{ entity_type: 'company', value_mapping },
      options: { on_missing: { tag: 'fail' } },
    })
    expect(failing).toMatchObject({ created_count: 2, error_count: 1 })
    expect(await errorsOf(me, failing.id)).toMatchObject([
      { row: 3, column: 'tags', field: 'tags', code: 'reference_not_found', message: 'Tag not found' },
    ])
    const [c] = (await me.get('/api/companies?search=C')).body.items
    expect(await tagsOf(me, 'company', c.id)).toEqual(['Gold'])
    const empty = await imported(me, rows, {
      ...{ entity_type: 'company', value_mapping },
      options: { on_missing: { tag: 'empty' }, duplicate_strategy: 'create' },
    })
    expect(empty).toMatchObject({ created_count: 3, error_count: 0, warning_count: 1 })
    expect((await warningsOf(me, empty.id))[0]).toMatchObject({ row: 3, message: 'Tag not found: left out' })
    expect((await me.get('/api/tags')).body.total).toBe(1)
    const long = await imported(me, file('name,tags', `D,${'x'.repeat(101)}`), { entity_type: 'company' })
    expect(long).toMatchObject({ created_count: 0, error_count: 1 })
  })

  it('takes the scope to write tags', async () => {
    const me = await account()
    const { key } = await me.create('/api/api-keys', {
      name: 'Narrow',
      scopes: ['imports:write', 'imports:read', 'companies:*'],
    })
    const { id } = await uploaded(me, file('name,tags', 'A,x'), { entity_type: 'company' })
    const refused = await me.post(`/api/imports/${id}/start`, undefined, { 'x-api-key': key })
    expect(refused).toMatchObject({ status: 403 })
    expect(refused.text).toContain('tags:write')
  })
})

onAnyEngine('options of custom fields in imports', account => {
  it('fails, leaves out or creates those that do not exist', async () => {
    const me = await account()
    const field = (body: Item) => me.create('/api/custom-fields', { entity_type: 'company', ...body })
    const tier = await field({
      ...{ name: 'Tier', field_type: 'select' },
      options: [{ value: 'gold', label: 'Gold tier' }, { value: 'in_review' }],
    })
    const areas = await field({ name: 'Areas', field_type: 'multi_select', options: [{ value: 'A, B' }] })
    const optionsOf = async (id: string) =>
      (await me.get(`/api/custom-fields/${id}`)).body.options.map(({ value }: Item) => value)
    const rows = file(
      'name,cf.tier,cf.areas',
      'One,gold TIER,"A, B"',
      'Two,In review,"A, B; North"',
      'Three,Bronze,north; South',
      'Four,bronze,',
    )
    const start = (option: string) =>
      uploaded(me, rows, {
        entity_type: 'company',
        options: { duplicate_strategy: 'create', on_missing: { option } },
      })
    const failing = await start('fail')
    expect(failing.warnings).toMatchObject([
      { column: 'cf.tier', code: 'missing_option' },
      { column: 'cf.areas', code: 'missing_option' },
    ])
    expect(await done(me, failing.id, 'start')).toMatchObject({ created_count: 1, error_count: 3 })
    expect((await errorsOf(me, failing.id))[0]).toMatchObject({ row: 3, column: 'cf.areas' })
    const empty = await start('empty')
    expect(await done(me, empty.id, 'start')).toMatchObject({
      ...{ created_count: 4, error_count: 0, warning_count: 5 },
    })
    const create = await start('create')
    const counts = { created_count: 4, error_count: 0, warning_count: 0 }
    expect(await done(me, create.id, 'validate')).toMatchObject(counts)
    expect(await optionsOf(tier.id)).toEqual(['gold', 'in_review'])
    const refused = await me.post('/api/companies', { name: 'X', metadata: { tier: 'Bronze' } })
    expect(refused.status).toBe(422)
    expect(await done(me, create.id, 'start')).toMatchObject(counts)
    expect(await optionsOf(tier.id)).toEqual(['gold', 'in_review', 'Bronze'])
    expect(await optionsOf(areas.id)).toEqual(['A, B', 'North', 'South'])
    const { items } = (await me.get('/api/companies?sort_by=id&sort_order=desc&page_size=4')).body
    expect(items.map(({ metadata }: Item) => metadata).reverse()).toEqual([
      { tier: 'gold', areas: ['A, B'] },
      { tier: 'in_review', areas: ['A, B', 'North'] },
      { tier: 'Bronze', areas: ['North', 'South'] },
      { tier: 'Bronze' },
    ])
    expect(await done(me, create.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    expect(await optionsOf(tier.id)).toEqual(['gold', 'in_review'])
  })
})

onAnyEngine('companies that rows name', account => {
  it('are created by the rules of their resource', async () => {
    const me = await account()
    const field = (body: Item) => me.create('/api/custom-fields', { entity_type: 'company', ...body })
    const required = await field({ name: 'Region', field_type: 'text', is_required: true })
    await field({ name: 'Origin', field_type: 'text', default_value: 'import' })
    const rows = file('first_name,email,company_name', 'Ann,ann@x.example,Acme', 'Bob,bob@x.example,')
    const upload = await uploaded(me, rows, { entity_type: 'contact' })
    const counts = { created_count: 1, error_count: 1 }
    expect(await done(me, upload.id, 'validate')).toMatchObject(counts)
    expect(await done(me, upload.id, 'start')).toMatchObject(counts)
    expect(await errorsOf(me, upload.id)).toMatchObject([
      {
        ...{ row: 2, column: 'company_name', value: 'Acme' },
        message: 'the company “Acme” cannot be created: metadata.region: Field required',
      },
    ])
    expect((await me.get('/api/companies')).body.total).toBe(0)
    await me.put(`/api/custom-fields/${required.id}`, { is_required: false })
    expect(await imported(me, rows, { entity_type: 'contact' })).toMatchObject({ created_count: 1 })
    const { items } = (await me.get('/api/companies')).body
    expect(items).toMatchObject([{ name: 'Acme', metadata: { origin: 'import' } }])
  })
})
