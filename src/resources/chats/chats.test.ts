import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const FIELDS = [
  ...['id', 'created_at', 'updated_at', 'account_id', 'created_by', 'title', 'is_pinned', 'is_archived'],
  ...['folder_id', 'settings', 'metadata'],
]

const refused: [field: string, value: unknown, type: string][] = [
  ['title', 'x'.repeat(501), 'string_too_long'],
  ['title', 5, 'string_type'],
  ['title', 'a\u0000', 'value_error'],
  ['is_pinned', 'perhaps', 'bool_parsing'],
  ['is_pinned', null, 'bool_type'],
  ['is_archived', [], 'bool_type'],
  ['settings', [], 'dict_type'],
  ['settings', null, 'dict_type'],
  ['metadata', 'x', 'dict_type'],
  ['folder_id', 'x', 'uuid_parsing'],
  ['folder_id', newId(), 'reference_not_found'],
]

const titles = async (account: Account, query = '') =>
  (await account.get(`/api/chats${query}`)).body.items.map((chat: { title: string }) => chat.title)

onBothEngines('chats', account => {
  it('creates a chat with exactly the fields of the contract', async () => {
    const { post, accountId, userId } = await account()
    const answer = await post('/api/chats/', {})
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toMatchObject({
      account_id: accountId,
      created_by: userId,
      title: 'New chat',
      is_pinned: false,
      is_archived: false,
      folder_id: null,
      settings: {},
      metadata: {},
    })
  })

  it('accepts every field on create and update', async () => {
    const { create, put } = await account()
    const folder = await create('/api/chats/folders', { name: 'Work' })
    const given = {
      title: 'x'.repeat(500),
      is_pinned: true,
      is_archived: true,
      folder_id: folder.id,
      settings: { model: 'm', nested: { a: [1] } },
      metadata: { k: 'v' },
    }
    const chat = await create('/api/chats', { ...given, id: newId(), created_by: newId() })
    expect(chat).toMatchObject(given)
    const changed = {
      title: 'B',
      is_pinned: false,
      is_archived: false,
      folder_id: null,
      settings: {},
      metadata: {},
    }
    expect(await put(`/api/chats/${chat.id}`, changed)).toMatchObject({ status: 200, body: changed })
  })

  it.each(refused)('refuses %s = %j', async (field, value, type) => {
    const { post, put, create, get } = await account()
    const { id } = await create('/api/chats', {})
    for (const answer of [
      await post('/api/chats', { [field]: value }),
      await put(`/api/chats/${id}`, { [field]: value }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ type, loc: ['body', field] })
    }
    expect((await get('/api/chats')).body.total).toBe(1)
  })

  it('refuses a folder of another account', async () => {
    const { post } = await account()
    const foreign = await (await account()).create('/api/chats/folders', { name: 'Theirs' })
    const answer = await post('/api/chats', { folder_id: foreign.id })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ msg: 'Chat folder not found' }] } })
  })

  it.each([
    ['archive', 'is_archived'],
    ['pin', 'is_pinned'],
  ])('/%s toggles %s', async (action, field) => {
    const { create, post, get } = await account()
    const chat = await create('/api/chats', { title: 'A' })
    for (const value of [true, false, true]) {
      const answer = await post(`/api/chats/${chat.id}/${action}`)
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.body)).toEqual(FIELDS)
      expect(answer.body).toMatchObject({ id: chat.id, title: 'A', [field]: value })
      expect((await get(`/api/chats/${chat.id}`)).body).toEqual(answer.body)
    }
    const gone = { status: 404, body: { detail: 'Chat not found' } }
    expect(await post(`/api/chats/${newId()}/${action}`)).toMatchObject(gone)
    expect(await (await account()).post(`/api/chats/${chat.id}/${action}`)).toMatchObject(gone)
  })

  it('lists pinned chats first, then the latest', async () => {
    const me = await account()
    const [first, second] = [
      await me.create('/api/chats', { title: 'first' }),
      await me.create('/api/chats', { title: 'second' }),
    ]
    await me.create('/api/chats', { title: 'third' })
    expect(await titles(me)).toEqual(['third', 'second', 'first'])
    await me.post(`/api/chats/${first.id}/pin`)
    expect(await titles(me)).toEqual(['first', 'third', 'second'])
    await me.post(`/api/chats/${second.id}/messages`, { content: 'news', respond: false })
    expect(await titles(me)).toEqual(['first', 'second', 'third'])
    expect(Object.keys((await me.get('/api/chats')).body.items[0])).toEqual(FIELDS)
    expect(await titles(me, '?sort_by=title&sort_order=asc')).toEqual(['first', 'second', 'third'])
    expect(await titles(me, '?sort_order=asc')).toEqual(['first', 'second', 'third'])
    expect(await titles(me, '?sort_by=created_at')).toEqual(['third', 'second', 'first'])
  })

  it('filters', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const folder = await me.create('/api/chats/folders', { name: 'F' })
    await me.create('/api/chats', { title: 'Ärger mit Kunden', is_archived: true })
    await me.create('/api/chats', { title: 'Pinned', is_pinned: true, folder_id: folder.id })
    const said = await other.create('/api/chats', { title: 'Plain' })
    const message = await me.create(`/api/chats/${said.id}/messages`, {
      content: 'about the Zebra deal',
      respond: false,
    })
    const rows: [string, string[]][] = [
      ['?search=arger', ['Ärger mit Kunden']],
      ['?search=zebra', ['Plain']],
      ['?search=%25', []],
      ['?search=%20', ['Pinned', 'Plain', 'Ärger mit Kunden']],
      ['?is_archived=true', ['Ärger mit Kunden']],
      ['?is_archived=false', ['Pinned', 'Plain']],
      ['?is_pinned=true', ['Pinned']],
      [`?folder_id=${folder.id}`, ['Pinned']],
      [`?folder_id=${newId()}`, []],
      [`?created_by=${other.userId}`, ['Plain']],
      [`?created_by=${me.userId}&is_pinned=false`, ['Ärger mit Kunden']],
    ]
    for (const [query, expected] of rows) {
      const answer = await me.get(`/api/chats${query}`)
      expect([query, answer.body.items.map((chat: { title: string }) => chat.title)]).toEqual([
        query,
        expected,
      ])
      expect(answer.body.total).toBe(expected.length)
    }
    await me.delete(`/api/chats/messages/${message.id}`)
    expect(await titles(me, '?search=zebra')).toEqual([])
    expect((await me.get('/api/chats?folder_id=x')).status).toBe(422)
  })

  it('deletes softly, with its messages, and restores both', async () => {
    const { create, delete: remove, get, post, put } = await account()
    const chat = await create('/api/chats', { title: 'A' })
    const message = await create(`/api/chats/${chat.id}/messages`, { content: 'hello', respond: false })
    expect(await remove(`/api/chats/${chat.id}`)).toMatchObject({ status: 200, body: {} })
    const gone = [
      await get(`/api/chats/${chat.id}`),
      await get(`/api/chats/${chat.id}/messages`),
      await post(`/api/chats/${chat.id}/messages`, { content: 'x' }),
      await post(`/api/chats/${chat.id}/archive`),
      await post(`/api/chats/${chat.id}/share`, {}),
      await get(`/api/chats/messages/${message.id}`),
      await put(`/api/chats/messages/${message.id}`, { content: 'x' }),
      await remove(`/api/chats/messages/${message.id}`),
    ]
    expect(gone.map(answer => answer.status)).toEqual(Array(gone.length).fill(404))
    expect((await post(`/api/chats/${chat.id}/restore`)).body.title).toBe('A')
    expect((await get(`/api/chats/${chat.id}/messages`)).body.items).toEqual([
      expect.objectContaining({ id: message.id, content: 'hello' }),
    ])
  })

  it('copies a chat with its messages in order', async () => {
    const { create, post, get, delete: remove } = await account()
    const folder = await create('/api/chats/folders', { name: 'F' })
    const chat = await create('/api/chats', {
      title: 'x'.repeat(500),
      is_pinned: true,
      is_archived: true,
      folder_id: folder.id,
      settings: { a: 1 },
      metadata: { b: [2] },
    })
    const path = `/api/chats/${chat.id}/messages`
    for (let i = 0; i < 5; i++) await create(path, { content: `m${i}`, role: 'assistant', metadata: { i } })
    await remove(`/api/chats/messages/${(await create(path, { content: 'deleted', respond: false })).id}`)
    const answer = await post(`/api/chats/${chat.id}/duplicate`)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      title: `${'x'.repeat(493)} (copy)`,
      is_pinned: false,
      is_archived: false,
      folder_id: folder.id,
      settings: { a: 1 },
      metadata: { b: [2] },
    })
    const copied = (await get(`/api/chats/${answer.body.id}/messages`)).body.items
    expect(copied.map((m: { content: string }) => m.content)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
    expect(copied[4]).toMatchObject({ chat_id: answer.body.id, role: 'assistant', metadata: { i: 4 } })
    expect((await get(path)).body.total).toBe(5)
    expect((await post(`/api/chats/${newId()}/duplicate`)).status).toBe(404)
  })

  it('keeps the chats of a deleted folder, and puts them back when it is restored', async () => {
    const { create, delete: remove, get, post } = await account()
    const folder = await create('/api/chats/folders', { name: 'F' })
    const chat = await create('/api/chats', { folder_id: folder.id })
    expect((await get(`/api/chats/folders/${folder.id}`)).body.chats_count).toBe(1)
    expect(await remove(`/api/chats/folders/${folder.id}`)).toMatchObject({ status: 200, body: {} })
    expect(await get(`/api/chats/${chat.id}`)).toMatchObject({ status: 200, body: { folder_id: null } })
    expect((await get(`/api/chats?folder_id=${folder.id}`)).body.items).toEqual([])
    await post(`/api/chats/folders/${folder.id}/restore`)
    expect((await get(`/api/chats/${chat.id}`)).body.folder_id).toBe(folder.id)
    await remove(`/api/chats/${chat.id}`)
    expect((await get(`/api/chats/folders/${folder.id}`)).body.chats_count).toBe(0)
  })

  it('returns folders in their order', async () => {
    const { create, get, accountId, userId, put } = await account()
    const folder = await create('/api/chats/folders', { name: 'last', display_order: 2, created_by: newId() })
    expect(folder).toMatchObject({ account_id: accountId, created_by: userId, chats_count: 0 })
    await create('/api/chats/folders', { name: 'first' })
    await create('/api/chats/folders', { name: 'middle', display_order: 1 })
    const names = async () =>
      (await get('/api/chats/folders')).body.items.map((f: { name: string }) => f.name)
    expect(await names()).toEqual(['first', 'middle', 'last'])
    await put(`/api/chats/folders/${folder.id}`, { display_order: -1 })
    expect(await names()).toEqual(['last', 'first', 'middle'])
  })

  it.each([
    ['name', '', 'string_too_short'],
    ['name', 'x'.repeat(256), 'string_too_long'],
    ['name', null, 'string_type'],
    ['display_order', 1.5, 'int_from_float'],
    ['display_order', 2 ** 31, 'less_than_equal'],
  ])('refuses a folder with %s = %j', async (field, value, type) => {
    const { post } = await account()
    const answer = await post('/api/chats/folders', { name: 'F', [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['body', field] }] } })
  })

  it.each([
    ['viewer', { role: 'viewer' as const }, [200, 403]],
    ['reading key', { scopes: ['chats:read'] }, [200, 403]],
    ['key for other things', { scopes: ['contacts:*'] }, [403, 403]],
  ])('lets a %s do only what the role allows', async (_, options, expected) => {
    const { get, post } = await account(options)
    expect([(await get('/api/chats')).status, (await post('/api/chats', {})).status]).toEqual(expected)
  })
})
