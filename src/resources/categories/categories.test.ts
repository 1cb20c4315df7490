import { describe, expect, it } from 'vitest'
import { blocked } from '../../../test/support/blocked.ts'
import { type Account, onBothEngines } from '../../../test/support/service.ts'
import { type Ctx, contextFor, systemDb, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { companies } from '../companies/index.ts'

const GROUPS = [
  ['companies', { name: 'x' }],
  ['contacts', { first_name: 'x' }],
  ['deals', { name: 'x' }],
] as const

const record = (
  on: Account,
  categories: string[] | null,
  group = 'companies',
  body: object = { name: 'x' },
) => on.create(`/api/${group}`, { ...body, categories })
const all = async (on: Account): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await on.get('/api/categories')).body.items.map((item: { name: string; usage_count: number }) => [
      item.name,
      item.usage_count,
    ]),
  )
const idOf = async (on: Account, name: string): Promise<string> =>
  (await on.get(`/api/categories?search=${name}`)).body.items[0].id
const categoriesOf = async (on: Account, id: string, group = 'companies') =>
  (await on.get(`/api/${group}/${id}`)).body.categories

/** Statements of this account's user, to hold a transaction open while others call. */
const ctxOf = ({ service, accountId, userId }: Account): Ctx =>
  contextFor(service.services, {
    kind: 'user',
    id: userId,
    userId,
    accountId,
    role: 'owner',
    scopes: ['*'],
  })

onBothEngines('categories', (account, kind, onOne) => {
  it('has its fields, with defaults', async () => {
    const on = await account()
    const made = await on.create('/api/categories', { name: 'VIP' })
    expect(Object.keys(made)).toEqual([
      'id',
      'created_at',
      'updated_at',
      'name',
      'entity_type',
      'color',
      'description',
      'position',
      'usage_count',
      'account_id',
    ])
    expect(made).toMatchObject({
      entity_type: null,
      color: null,
      description: null,
      position: 0,
      usage_count: 0,
    })
    const whole = {
      name: 'Partner',
      entity_type: 'company',
      color: '#0f0',
      description: 'Sells for us',
      position: 4,
    }
    expect(await on.create('/api/categories', whole)).toMatchObject(whole)
    expect((await on.create('/api/categories', { name: 'x'.repeat(100) })).position).toBe(5)
  })

  describe('refuses', () => {
    onOne.each([
      [{}, 'missing', 'name'],
      [{ name: '' }, 'string_too_short', 'name'],
      [{ name: 'x'.repeat(101) }, 'string_too_long', 'name'],
      [{ name: 'x', entity_type: 'activity' }, 'enum', 'entity_type'],
      [{ name: 'x', color: 'x'.repeat(256) }, 'string_too_long', 'color'],
      [{ name: 'x', description: 'x'.repeat(2001) }, 'string_too_long', 'description'],
      [{ name: 'x', position: -1 }, 'greater_than_equal', 'position'],
    ])('%j', async (body, type, name) => {
      const on = await account()
      const answer = await on.post('/api/categories', body)
      expect([answer.status, answer.body.detail]).toMatchObject([422, [{ type, loc: ['body', name] }]])
    })

    onOne('a name that already exists, in any case', async () => {
      const on = await account()
      const made = await on.create('/api/categories', { name: 'Café' })
      for (const name of ['Café', 'CAFÉ', 'cafe', ' Café ', '\tcafe']) {
        const answer = await on.post('/api/categories', { name })
        expect([answer.status, answer.body]).toEqual([
          409,
          { detail: `There is a category called "${name.trim()}" already` },
        ])
      }
      const other = await on.create('/api/categories', { name: 'Other' })
      expect((await on.put(`/api/categories/${other.id}`, { name: 'CAFE' })).status).toBe(409)
      expect((await on.put(`/api/categories/${made.id}`, { name: 'CAFÉ' })).body.name).toBe('CAFÉ')
      expect((await (await account()).post('/api/categories', { name: 'Café' })).status).toBe(201)
    })
  })

  it('is created by a new name on a record; an existing name keeps its spelling', async () => {
    const on = await account()
    await on.create('/api/categories', { name: 'Key Account' })
    const ids: string[] = []
    for (const [group, body] of GROUPS) {
      const names = [' key account ', ` New ${group}`, 'KEY ACCOUNT']
      const made = await record(on, names, group, body)
      expect(made.categories).toEqual(['Key Account', `New ${group}`])
      ids.push(made.id)
    }
    expect(await all(on)).toEqual({ 'Key Account': 3, 'New companies': 1, 'New contacts': 1, 'New deals': 1 })
    const updated = await on.put(`/api/companies/${ids[0]}`, { categories: ['new DEALS', 'Fresh', 'fresh'] })
    expect(updated.body.categories).toEqual(['New deals', 'Fresh'])
    expect(await all(on)).toMatchObject({ 'Key Account': 2, 'New companies': 0, 'New deals': 2, Fresh: 1 })
    expect((await on.get('/api/companies?category=fresh%20')).body.total).toBe(1)
    expect((await record(on, null)).categories).toBeNull()
    expect((await record(on, [])).categories).toEqual([])
    const at_once = await Promise.all(
      ['Same', 'SAME', 'same', 'sAme'].map(name =>
        on.post('/api/companies', { name: 'x', categories: [name] }),
      ),
    )
    expect(at_once.map(answer => answer.status)).toEqual([201, 201, 201, 201])
    expect(new Set(at_once.map(answer => answer.body.categories[0])).size).toBe(1)
    // a refused record creates no category
    const refused = await on.post('/api/companies', { name: 'x', categories: ['Never'], team_ids: [newId()] })
    expect(refused.status).toBe(422)
    expect(await all(on)).not.toHaveProperty('Never')
  })

  it('is counted on records outside the trash', async () => {
    const on = await account()
    const { id } = await record(on, ['A', 'B'])
    await record(on, ['A'])
    expect(await all(on)).toEqual({ A: 2, B: 1 })
    await on.delete(`/api/companies/${id}`)
    expect(await all(on)).toEqual({ A: 1, B: 0 })
    await on.post(`/api/companies/${id}/restore`)
    expect(await all(on)).toEqual({ A: 2, B: 1 })
    await on.put(`/api/companies/${id}`, { categories: null })
    expect(await all(on)).toEqual({ A: 1, B: 0 })
  })

  onOne('filters lists, ignoring case', async () => {
    const on = await account()
    for (const [group, body] of GROUPS) {
      const { id } = await record(on, ['Élite', 'b'], group, body)
      await record(on, ['b'], group, body)
      const total = async (query: string) => (await on.get(`/api/${group}?${query}`)).body.total
      expect([await total('category=elite'), await total('category=B'), await total('category=x')]).toEqual([
        1, 2, 0,
      ])
      await on.delete(`/api/${group}/${id}`)
      expect([await total('category=elite'), await total('category=elite&deleted=true')]).toEqual([0, 1])
    }
  })

  it('is renamed on every record that has it', async () => {
    const on = await account()
    const ids: [string, string][] = []
    for (const [group, body] of GROUPS)
      ids.push([group, (await record(on, ['a', 'Old', 'z'], group, body)).id])
    const trashed = await record(on, ['Old'])
    await on.delete(`/api/companies/${trashed.id}`)
    const renamed = await on.put(`/api/categories/${await idOf(on, 'Old')}`, { name: 'New', color: 'red' })
    expect([renamed.status, renamed.body]).toMatchObject([200, { name: 'New', color: 'red', usage_count: 3 }])
    for (const [group, id] of ids) expect(await categoriesOf(on, id, group)).toEqual(['a', 'New', 'z'])
    await on.post(`/api/companies/${trashed.id}/restore`)
    expect(await categoriesOf(on, trashed.id)).toEqual(['New'])
    expect((await on.get('/api/companies?category=old')).body.total).toBe(0)
    expect((await on.get('/api/companies?category=new')).body.total).toBe(2)
    expect(await all(on)).toEqual({ New: 4, a: 3, z: 3 })
  })

  it('is renamed while records are written with it', async () => {
    const on = await account()
    await record(on, ['Old'])
    const id = await idOf(on, 'Old')
    const [renamed, ...made] = await Promise.all([
      on.put(`/api/categories/${id}`, { name: 'New' }),
      ...Array.from({ length: 6 }, () => on.post('/api/companies', { name: 'x', categories: ['Old'] })),
    ])
    expect(renamed.status).toBe(200)
    expect(made.map(answer => answer.status)).toEqual(made.map(() => 201))
    // a later write created the old name again; every name on a record has a category
    const known = await all(on)
    const { items } = (await on.get('/api/companies')).body
    const counted: Record<string, number> = {}
    for (const { categories } of items)
      for (const name of categories) counted[name] = (counted[name] ?? 0) + 1
    expect(known).toEqual({ ...Object.fromEntries(Object.keys(known).map(name => [name, 0])), ...counted })
    expect(Object.keys(counted).every(name => name in known)).toBe(true)
  })

  it.runIf(kind === 'server')('is renamed on a record that is being written at the same time', async () => {
    const on = await account()
    await record(on, ['Old'])
    const id = await idOf(on, 'Old')
    let renaming: Promise<unknown> | undefined
    const made = await transaction(ctxOf(on), async tx => {
      const item = await companies.operations.create(tx, { name: 'x', categories: ['old'] })
      renaming = on.put(`/api/categories/${id}`, { name: 'New' })
      await blocked(systemDb(on.service.services))
      return item
    })
    await renaming
    expect(made.categories).toEqual(['Old'])
    expect(await categoriesOf(on, made.id)).toEqual(['New'])
    expect(await all(on)).toEqual({ New: 2 })
  })

  it('is removed from records when it is deleted, and added again when it is restored', async () => {
    const on = await account()
    const first = await record(on, ['a', 'Gone', 'z'])
    const person = await record(on, ['gone'], 'contacts', { first_name: 'x' })
    const later = await record(on, ['Gone'])
    const id = await idOf(on, 'Gone')
    expect((await on.delete(`/api/categories/${id}`)).body).toEqual({})
    expect(await categoriesOf(on, first.id)).toEqual(['a', 'z'])
    expect(await categoriesOf(on, person.id, 'contacts')).toEqual([])
    expect(await all(on)).toEqual({ a: 1, z: 1 })
    expect((await on.get('/api/categories?deleted=true')).body.items).toMatchObject([{ id, usage_count: 0 }])
    await on.put(`/api/companies/${later.id}`, { categories: ['a'] })
    const back = await on.post(`/api/categories/${id}/restore`)
    expect([back.status, back.body]).toMatchObject([200, { name: 'Gone', usage_count: 3 }])
    expect(await categoriesOf(on, first.id)).toEqual(['a', 'z', 'Gone'])
    expect(await categoriesOf(on, person.id, 'contacts')).toEqual(['Gone'])
    expect(await categoriesOf(on, later.id)).toEqual(['a', 'Gone'])
  })

  it('cannot be restored while another one has its name', async () => {
    const on = await account()
    const made = await on.create('/api/categories', { name: 'VIP' })
    await on.post('/api/categories/bulk-delete', [made.id, newId()])
    await record(on, ['vip'])
    const answer = await on.post(`/api/categories/${made.id}/restore`)
    expect([answer.status, answer.body.detail]).toEqual([
      409,
      `The category ${await idOf(on, 'vip')} is called "VIP" now`,
    ])
  })

  it('is restored completely when a bulk delete is undone', async () => {
    const on = await account()
    const { id } = await record(on, ['A', 'B', 'C'])
    const gone = await on.post('/api/categories/bulk-delete', [await idOf(on, 'A'), await idOf(on, 'B')])
    expect(await categoriesOf(on, id)).toEqual(['C'])
    const undone = await on.post(`/api/operations/${gone.headers.get('x-operation-id')}/undo`)
    expect(undone.status).toBe(200)
    expect(await categoriesOf(on, id)).toEqual(['A', 'B', 'C'])
    expect(await all(on)).toEqual({ A: 1, B: 1, C: 1 })
  })

  it('is listed in order and by its filters, and belongs to its account', async () => {
    const on = await account()
    const ids: string[] = []
    for (const [name, entity_type, position] of [
      ['c', 'deal', 3],
      ['a', 'company', 1],
      ['b', null, 2],
    ] as const) {
      ids.push((await on.create('/api/categories', { name, entity_type, position })).id)
    }
    await record(on, ['b'])
    for (const [query, expected] of [
      ['', 'abc'],
      ['entity_type=company', 'ab'],
      ['entity_type=contact', 'b'],
      ['search=C', 'c'],
      ['sort_by=usage_count', 'bac'],
      ['sort_by=name&sort_order=desc', 'cba'],
    ]) {
      const { items } = (await on.get(`/api/categories?${query}`)).body
      expect([query, items.map((item: { name: string }) => item.name).join('')]).toEqual([query, expected])
    }
    const stranger = await account()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/restore', undefined],
    ] as const) {
      const answer = await stranger.call(method, `/api/categories/${ids[0]}${path}`, body)
      expect([method, answer.status, answer.body]).toEqual([method, 404, { detail: 'Category not found' }])
    }
  })
})
