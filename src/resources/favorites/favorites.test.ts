import { describe, expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const FIELDS = [
  'id',
  'account_id',
  'user_id',
  'entity_type',
  'entity_id',
  'created_at',
  'updated_at',
  'folder_id',
  'display_order',
  'notes',
  'entity_name',
]

const company = async (on: Account, name: string): Promise<string> =>
  (await on.create('/api/companies', { name })).id
const favorite = (on: Account, entity_id: string, more: object = {}) =>
  on.create('/api/favorites', { entity_type: 'company', entity_id, ...more })
const names = async (on: Account, query = ''): Promise<string[]> =>
  (await on.get(`/api/favorites${query}`)).body.items.map((item: { entity_name: string }) => item.entity_name)

onBothEngines('favorites', (account, _, onOne) => {
  onOne('has exactly the fields of the contract', async () => {
    const on = await account()
    const id = await company(on, 'Acme')
    const made = await favorite(on, id, { notes: 'big' })
    expect(Object.keys(made)).toEqual(FIELDS)
    expect(made).toMatchObject({
      account_id: on.accountId,
      user_id: on.userId,
      entity_type: 'company',
      entity_id: id,
      folder_id: null,
      display_order: 0,
      notes: 'big',
      entity_name: 'Acme',
    })
    expect((await on.get(`/api/favorites/${made.id}`)).body).toEqual(made)
  })

  it('stores companies, contacts and deals, and shows their current names', async () => {
    const on = await account()
    const person = await on.create('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
    const deal = await on.create('/api/deals', { name: 'Big one' })
    await favorite(on, await company(on, 'Acme'))
    await on.create('/api/favorites', { entity_type: 'contact', entity_id: person.id })
    await on.create('/api/favorites', { entity_type: 'deal', entity_id: deal.id })
    expect(await names(on)).toEqual(['Acme', 'Ada Byron', 'Big one'])
    await on.put(`/api/contacts/${person.id}`, { last_name: 'Lovelace' })
    expect(await names(on, '?entity_type=contact')).toEqual(['Ada Lovelace'])
    expect(await names(on, '?search=LOVE')).toEqual(['Ada Lovelace'])
    for (const [group, id] of [
      ['contacts', person.id],
      ['deals', deal.id],
    ]) {
      expect((await on.get(`/api/${group}/${id}`)).body.is_favorite).toBe(true)
    }
  })

  it('is visible only to its user', async () => {
    const on = await account()
    const other = await anotherMember(on)
    const [mine, theirs] = [await company(on, 'Mine'), await company(on, 'Theirs')]
    const made = await favorite(on, mine)
    await favorite(other, theirs)
    expect(await names(on)).toEqual(['Mine'])
    expect(await names(other)).toEqual(['Theirs'])
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
    ] as const) {
      const answer = await other.call(
        method,
        `/api/favorites/${made.id}${path}`,
        method === 'PUT' ? {} : undefined,
      )
      expect([method, answer.status, answer.body]).toEqual([method, 404, { detail: 'Favorite not found' }])
    }
    await other.post('/api/favorites/bulk-delete', [made.id])
    expect(await names(on)).toEqual(['Mine'])

    const flags = async (who: Account, query = '') =>
      (await who.get(`/api/companies?sort_by=name&sort_order=asc${query}`)).body.items.map(
        (item: { name: string; is_favorite: boolean }) => [item.name, item.is_favorite],
      )
    expect(await flags(on)).toEqual([
      ['Mine', true],
      ['Theirs', false],
    ])
    expect(await flags(other)).toEqual([
      ['Mine', false],
      ['Theirs', true],
    ])
    expect(await flags(on, '&is_favorite=true')).toEqual([['Mine', true]])
    expect(await flags(on, '&is_favorite=false')).toEqual([['Theirs', false]])
    expect((await other.get('/api/companies?is_favorite=true')).body.total).toBe(1)
    // the same record may be a favorite of both
    await favorite(other, mine)
    expect(await flags(other, '&is_favorite=true')).toHaveLength(2)
  })

  it('is hidden while its record is in the trash', async () => {
    const on = await account()
    const id = await company(on, 'Acme')
    const folder = await on.create('/api/favorites/folders', { name: 'A' })
    const made = await favorite(on, id, { folder_id: folder.id })
    const count = async () => (await on.get(`/api/favorites/folders/${folder.id}`)).body.favorites_count
    expect(await count()).toBe(1)
    await on.delete(`/api/companies/${id}`)
    expect((await on.get('/api/favorites')).body).toMatchObject({ items: [], total: 0 })
    expect((await on.get(`/api/favorites/${made.id}`)).status).toBe(404)
    expect((await on.put(`/api/favorites/${made.id}`, { notes: 'x' })).status).toBe(404)
    expect(await count()).toBe(0)
    await on.post(`/api/companies/${id}/restore`)
    expect((await on.get(`/api/favorites/${made.id}`)).body).toEqual(made)
    expect(await count()).toBe(1)
  })

  describe('refuses', () => {
    const id = '0197f9c5-0000-7000-8000-000000000000'
    const rows: [string, object, string, (string | number)[], string][] = [
      ['no record', { entity_type: 'company' }, 'missing', ['body', 'entity_id'], 'Field required'],
      [
        'another kind',
        { entity_type: 'note', entity_id: id },
        'enum',
        ['body', 'entity_type'],
        "Input should be 'company', 'contact' or 'deal'",
      ],
      [
        'an unknown company',
        { entity_type: 'company', entity_id: id },
        'reference_not_found',
        ['body', 'entity_id'],
        'Company not found',
      ],
      [
        'an unknown deal',
        { entity_type: 'deal', entity_id: id },
        'reference_not_found',
        ['body', 'entity_id'],
        'Deal not found',
      ],
      [
        'a long note',
        { entity_type: 'company', entity_id: id, notes: 'x'.repeat(2001) },
        'string_too_long',
        ['body', 'notes'],
        'String should have at most 2000 characters',
      ],
      [
        'a place before the first',
        { entity_type: 'company', entity_id: id, display_order: -1 },
        'greater_than_equal',
        ['body', 'display_order'],
        'Input should be greater than or equal to 0',
      ],
    ]
    onOne.each(rows)('%s', async (_, body, type, loc, msg) => {
      const on = await account()
      const answer = await on.post('/api/favorites', body)
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [expect.objectContaining({ type, loc, msg })],
      ])
    })

    onOne('the same record twice, and records and folders of other accounts', async () => {
      const on = await account()
      const other = await anotherMember(on)
      const stranger = await account()
      const id = await company(on, 'Acme')
      await favorite(on, id)
      const twice = await on.post('/api/favorites', { entity_type: 'company', entity_id: id })
      expect([twice.status, twice.body]).toEqual([
        409,
        { detail: 'This company is one of your favorites already' },
      ])
      const foreign = await stranger.post('/api/favorites', { entity_type: 'company', entity_id: id })
      expect(foreign.body.detail[0]).toMatchObject({ type: 'reference_not_found', msg: 'Company not found' })
      const folder = await other.create('/api/favorites/folders', { name: 'Theirs' })
      const second = await company(on, 'Second')
      const misplaced = await on.post('/api/favorites', {
        entity_type: 'company',
        entity_id: second,
        folder_id: folder.id,
      })
      expect([misplaced.status, misplaced.body.detail]).toEqual([
        422,
        [
          {
            type: 'reference_not_found',
            loc: ['body', 'folder_id'],
            msg: 'Folder not found',
            input: folder.id,
          },
        ],
      ])
      expect(await names(on)).toEqual(['Acme'])
    })
  })

  onOne('accepts notes of 2000 characters, but no change of the record', async () => {
    const on = await account()
    const made = await favorite(on, await company(on, 'Acme'))
    const notes = '😀'.repeat(2000)
    expect((await on.put(`/api/favorites/${made.id}`, { notes })).body.notes).toBe(notes)
    expect((await on.put(`/api/favorites/${made.id}`, { notes: null })).body.notes).toBeNull()
    // what was answered may be sent back
    expect((await on.put(`/api/favorites/${made.id}`, made)).status).toBe(200)
    const moved = await on.put(`/api/favorites/${made.id}`, { entity_id: newId() })
    expect(moved.body.detail[0]).toMatchObject({ type: 'value_error', loc: ['body', 'entity_id'] })
  })

  it('is listed by folder, then by position', async () => {
    const on = await account()
    const late = await on.create('/api/favorites/folders', { name: 'Late', display_order: 5 })
    const early = await on.create('/api/favorites/folders', { name: 'Early', display_order: 1 })
    for (const [name, folder_id] of [
      ['l1', late.id],
      ['e1', early.id],
      ['root', null],
      ['e2', early.id],
    ] as const) {
      await favorite(on, await company(on, name), { folder_id })
    }
    await favorite(on, await company(on, 'e0'), { folder_id: early.id, display_order: 0 })
    expect(await names(on)).toEqual(['root', 'e1', 'e0', 'e2', 'l1'])
    expect(await names(on, `?folder_id=${early.id}`)).toEqual(['e1', 'e0', 'e2'])
    expect(await names(on, '?folder_id=null')).toEqual(['root'])
    expect(await names(on, '?sort_order=desc')).toEqual(['l1', 'e2', 'e0', 'e1', 'root'])
    expect(await names(on, '?sort_by=created_at&sort_order=asc')).toEqual(['l1', 'e1', 'root', 'e2', 'e0'])
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { entity_name: string }[]; next_cursor: string | null } = (
        await on.get(`/api/favorites?page_size=2&cursor=${cursor}`)
      ).body
      seen.push(...page.items.map(item => item.entity_name))
      expect(Object.keys(page.items[0]!)).toEqual(FIELDS)
      cursor = page.next_cursor
    }
    expect(seen).toEqual(['root', 'e1', 'e0', 'e2', 'l1'])
    expect((await on.get('/api/favorites?folder_id=x')).body.detail[0]).toMatchObject({
      type: 'uuid_parsing',
      loc: ['query', 'folder_id'],
    })
  })

  it('toggles', async () => {
    const on = await account()
    const id = await company(on, 'Acme')
    const body = { entity_type: 'company', entity_id: id }
    const first = await on.post('/api/favorites/toggle', body)
    expect([first.status, first.body]).toMatchObject([
      200,
      { is_favorite: true, favorite: { entity_id: id, entity_name: 'Acme' } },
    ])
    expect((await on.get(`/api/companies/${id}`)).body.is_favorite).toBe(true)
    expect((await on.post('/api/favorites/toggle', body)).body).toEqual({
      is_favorite: false,
      favorite: null,
    })
    expect((await on.get(`/api/companies/${id}`)).body.is_favorite).toBe(false)
    const unknown = await on.post('/api/favorites/toggle', { ...body, entity_id: newId() })
    expect(unknown.body.detail[0]).toMatchObject({ type: 'reference_not_found', loc: ['body', 'entity_id'] })
    // several at once still end in one of the two states, with one favorite at most
    const all = await Promise.all(Array.from({ length: 5 }, () => on.post('/api/favorites/toggle', body)))
    expect(all.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect(all.filter(answer => answer.body.is_favorite)).toHaveLength(3)
    expect(await names(on)).toEqual(['Acme'])
  })

  it('can be deleted, and restored unless the record is a favorite again', async () => {
    const on = await account()
    const id = await company(on, 'Acme')
    const made = await favorite(on, id)
    expect((await on.delete(`/api/favorites/${made.id}`)).body).toEqual({})
    expect((await on.get(`/api/favorites/${made.id}`)).status).toBe(404)
    expect(await names(on, '?deleted=true')).toEqual(['Acme'])
    expect((await on.post(`/api/favorites/${made.id}/restore`)).body).toMatchObject({ id: made.id })
    await on.post('/api/favorites/bulk-delete', [made.id, newId()])
    await favorite(on, id)
    expect((await on.post(`/api/favorites/${made.id}/restore`)).status).toBe(409)
  })

  describe('reorder', () => {
    const five = async (on: Account, folder_id: string | null = null) => {
      const ids: Record<string, string> = {}
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        ids[name] = (await favorite(on, await company(on, name), { folder_id })).id
      }
      return ids
    }

    it('puts the favorites in the request first and keeps the order of the others', async () => {
      const on = await account()
      const ids = await five(on)
      for (const [named, order] of [
        ['d', 'dabce'],
        ['cb', 'cbdae'],
        ['', 'cbdae'],
        ['edcba', 'edcba'],
        ['aba', 'abedc'],
      ] as const) {
        const answer = await on.post('/api/favorites/reorder', {
          favorite_ids: [...named].map(name => ids[name]),
        })
        expect([answer.status, answer.body]).toEqual([200, {}])
        expect((await names(on)).join('')).toBe(order)
      }
      const places = (await on.get('/api/favorites')).body.items.map(
        (item: { display_order: number }) => item.display_order,
      )
      expect(places).toEqual([0, 1, 2, 3, 4])
    })

    it('accepts favorites of one folder only', async () => {
      const on = await account()
      const folder = await on.create('/api/favorites/folders', { name: 'F' })
      const ids = await five(on, folder.id)
      const root = await favorite(on, await company(on, 'root'))
      const mixed = await on.post('/api/favorites/reorder', { favorite_ids: [ids.a, root.id] })
      expect([mixed.status, mixed.body.detail]).toMatchObject([
        422,
        [{ type: 'value_error', loc: ['body', 'favorite_ids', 1] }],
      ])
      const id = newId()
      const unknown = await on.post('/api/favorites/reorder', { favorite_ids: [ids.a, id] })
      expect(unknown.body.detail).toEqual([
        {
          type: 'reference_not_found',
          loc: ['body', 'favorite_ids', 1],
          msg: 'Favorite not found',
          input: id,
        },
      ])
      const other = await anotherMember(on)
      expect((await other.post('/api/favorites/reorder', { favorite_ids: [ids.a] })).status).toBe(422)
      expect((await on.post('/api/favorites/reorder', {})).body.detail[0].type).toBe('missing')
      expect(await names(on, `?folder_id=${folder.id}`)).toEqual(['a', 'b', 'c', 'd', 'e'])
    })

    it('is consistent when two requests reorder at once', async () => {
      const on = await account()
      const ids = await five(on)
      const orders = ['abcde', 'edcba', 'caebd', 'dbaec', 'bedca', 'acebd']
      const answers = await Promise.all(
        orders.map(order =>
          on.post('/api/favorites/reorder', { favorite_ids: [...order].map(name => ids[name]) }),
        ),
      )
      expect(answers.map(answer => answer.status)).toEqual(orders.map(() => 200))
      expect(orders).toContain((await names(on)).join(''))
    })
  })
})

onBothEngines('favorites folders', account => {
  it('has its fields, limits and count', async () => {
    const on = await account()
    const made = await on.create('/api/favorites/folders', { name: 'VIPs', color: '#f00' })
    expect(made).toMatchObject({
      account_id: on.accountId,
      user_id: on.userId,
      name: 'VIPs',
      color: '#f00',
      display_order: 0,
      favorites_count: 0,
    })
    expect((await on.create('/api/favorites/folders', { name: 'x'.repeat(255) })).display_order).toBe(1)
    for (const [body, type] of [
      [{}, 'missing'],
      [{ name: '' }, 'string_too_short'],
      [{ name: 'x'.repeat(256) }, 'string_too_long'],
      [{ name: null }, 'string_type'],
      [{ name: 'x', color: 'x'.repeat(256) }, 'string_too_long'],
      [{ name: 'x', display_order: 'first' }, 'int_parsing'],
    ] as const) {
      const answer = await on.post('/api/favorites/folders', body)
      expect([answer.status, answer.body.detail[0].type]).toEqual([422, type])
    }
    await favorite(on, await company(on, 'Acme'), { folder_id: made.id })
    expect((await on.get('/api/favorites/folders?search=vip')).body.items).toMatchObject([
      { id: made.id, favorites_count: 1 },
    ])
    const renamed = await on.put(`/api/favorites/folders/${made.id}`, { name: 'Best', display_order: 9 })
    expect(renamed.body).toMatchObject({ name: 'Best', display_order: 9, color: '#f00' })
    const other = await anotherMember(on)
    expect((await other.get('/api/favorites/folders')).body.total).toBe(0)
    expect((await other.delete(`/api/favorites/folders/${made.id}`)).body).toEqual({
      detail: 'Folder not found',
    })
  })

  it('leaves its favorites without a folder, in their order, when it is deleted', async () => {
    const on = await account()
    const folder = await on.create('/api/favorites/folders', { name: 'F' })
    await favorite(on, await company(on, 'root'))
    for (const name of ['a', 'b', 'c']) await favorite(on, await company(on, name), { folder_id: folder.id })
    expect((await on.delete(`/api/favorites/folders/${folder.id}`)).body).toEqual({})
    const all = (await on.get('/api/favorites')).body.items
    expect(all.map((item: Record<string, unknown>) => [item.entity_name, item.folder_id])).toEqual([
      ['root', null],
      ['a', null],
      ['b', null],
      ['c', null],
    ])
  })

  it('gets its favorites back when it is restored, as folders of chats do', async () => {
    const on = await account()
    const folder = await on.create('/api/favorites/folders', { name: 'F' })
    const ids: Record<string, string> = {}
    for (const name of ['a', 'b', 'c', 'd'])
      ids[name] = (await favorite(on, await company(on, name), { folder_id: folder.id })).id
    ids.root = (await favorite(on, await company(on, 'root'))).id
    await on.delete(`/api/favorites/folders/${folder.id}`)
    expect(await names(on, '?folder_id=null')).toEqual(['root', 'a', 'b', 'c', 'd'])
    expect(await names(on, `?folder_id=${folder.id}`)).toEqual([])
    const one = (await on.get(`/api/favorites/${ids.a}`)).body
    expect(one.folder_id).toBe(null)
    // meanwhile they are sorted, moved and removed like any others, also one at a time by what was read of it
    const { status } = await on.post('/api/favorites/reorder', { favorite_ids: [ids.c, ids.root] })
    expect([status, await names(on)]).toEqual([200, ['c', 'root', 'a', 'b', 'd']])
    await on.put(`/api/favorites/${ids.d}`, { folder_id: null })
    await on.put(`/api/favorites/${ids.a}`, { notes: 'Call them' })
    await on.delete(`/api/favorites/${ids.b}`)
    expect(await names(on)).toEqual(['c', 'root', 'a', 'd'])
    const back = await on.post(`/api/favorites/folders/${folder.id}/restore`)
    expect([back.status, back.body.favorites_count]).toEqual([200, 2])
    expect(await names(on, `?folder_id=${folder.id}`)).toEqual(['c', 'a'])
    expect(await names(on, '?folder_id=null')).toEqual(['root', 'd'])
    await on.post(`/api/favorites/${ids.b}/restore`)
    expect(await names(on, `?folder_id=${folder.id}`)).toEqual(['c', 'a', 'b'])
  })

  it('puts a moved favorite last', async () => {
    const on = await account()
    const folder = await on.create('/api/favorites/folders', { name: 'F' })
    await favorite(on, await company(on, 'a'), { folder_id: folder.id })
    const moved = await favorite(on, await company(on, 'b'))
    expect((await on.put(`/api/favorites/${moved.id}`, { folder_id: folder.id })).body).toMatchObject({
      folder_id: folder.id,
      display_order: 1,
    })
    expect((await on.put(`/api/favorites/${moved.id}`, { folder_id: newId() })).body.detail[0]).toMatchObject(
      {
        type: 'reference_not_found',
        loc: ['body', 'folder_id'],
      },
    )
    expect(
      (await on.put(`/api/favorites/${moved.id}`, { folder_id: null, display_order: 7 })).body,
    ).toMatchObject({
      folder_id: null,
      display_order: 7,
    })
  })
})
