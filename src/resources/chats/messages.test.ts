import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const FIELDS = ['id', 'created_at', 'updated_at', 'role', 'content', 'chat_id', 'attachments', 'metadata']

onAnyEngine('chat messages', account => {
  it('stores a message with exactly the fields of the contract, and without an answer on request', async () => {
    const { create, post, get } = await account()
    const chat = await create('/api/chats', {})
    const answer = await post(`/api/chats/${chat.id}/messages`, { content: 'Hello', respond: false })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual([...FIELDS, 'reply'])
    expect(answer.body).toMatchObject({
      role: 'user',
      content: 'Hello',
      chat_id: chat.id,
      attachments: {},
      metadata: {},
      reply: null,
    })
    const { items, total } = (await get(`/api/chats/${chat.id}/messages`)).body
    expect(total).toBe(1)
    expect(Object.keys(items[0])).toEqual(FIELDS)
  })

  it.each([
    ['content', '', 'string_too_short'],
    ['content', 'x'.repeat(100_001), 'string_too_long'],
    ['content', null, 'string_type'],
    ['content', 'a\u0000', 'value_error'],
    ['role', 'robot', 'enum'],
    ['attachments', [], 'dict_type'],
    ['metadata', 'x', 'dict_type'],
    ['respond', 'perhaps', 'bool_parsing'],
  ])('refuses %s = %#', async (field, value, type) => {
    const { create, post, get } = await account()
    const chat = await create('/api/chats', {})
    const answer = await post(`/api/chats/${chat.id}/messages`, { content: 'x', [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['body', field] }] } })
    expect((await get(`/api/chats/${chat.id}/messages`)).body.total).toBe(0)
  })

  it.each(['user', 'assistant', 'system', 'tool'])('accepts the role %s', async role => {
    const { create } = await account()
    const chat = await create('/api/chats', {})
    const given = { role, content: '😀'.repeat(100_000), attachments: { f: [1] }, metadata: { a: null } }
    expect(await create(`/api/chats/${chat.id}/messages`, { ...given, respond: false })).toMatchObject(given)
  })

  it.each([
    [[{ content: 'What is new?' }, { content: 'And then?' }], 'What is new?'],
    [[{ role: 'system', content: 'Be brief' }, { content: 'Hello' }], 'Hello'],
    [[{ role: 'system', content: 'Be brief' }], 'New chat'],
    [[{ content: '  ' }], 'New chat'],
    [[], 'New chat'],
  ])('takes the title from the first message (%#)', async (messages, title) => {
    const { create, get } = await account()
    const chat = await create('/api/chats', { title: '' })
    for (const message of messages)
      await create(`/api/chats/${chat.id}/messages`, { ...message, respond: false })
    expect((await get(`/api/chats/${chat.id}`)).body.title).toBe(title)
  })

  it('does not change a title that was set', async () => {
    const { create, get } = await account()
    const chat = await create('/api/chats', { title: 'Mine' })
    await create(`/api/chats/${chat.id}/messages`, { content: 'Hello', respond: false })
    expect((await get(`/api/chats/${chat.id}`)).body.title).toBe('Mine')
  })

  it('lists the oldest first, in pages', async () => {
    const { create, get } = await account()
    const chat = await create('/api/chats', {})
    const elsewhere = await create('/api/chats', {})
    await create(`/api/chats/${elsewhere.id}/messages`, { content: 'elsewhere', respond: false })
    for (let i = 1; i <= 5; i++) {
      await create(`/api/chats/${chat.id}/messages`, {
        content: `m${i}`,
        role: i % 2 ? 'user' : 'tool',
        respond: false,
      })
    }
    const path = `/api/chats/${chat.id}/messages`
    const contents = async (query: string) =>
      (await get(path + query)).body.items.map((m: { content: string }) => m.content)
    expect(await contents('')).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
    expect(await contents('?page=2&page_size=2')).toEqual(['m3', 'm4'])
    expect(await contents('?sort_order=desc&page_size=2')).toEqual(['m5', 'm4'])
    expect(await contents('?role=tool')).toEqual(['m2', 'm4'])
    expect(await contents('?search=M3')).toEqual(['m3'])
    expect((await get(`${path}?page_size=2`)).body).toMatchObject({
      total: 5,
      page: 1,
      page_size: 2,
      total_pages: 3,
    })
  })

  it('edits, deletes and restores a message', async () => {
    const { create, put, delete: remove, get, post } = await account()
    const chat = await create('/api/chats', {})
    const message = await create(`/api/chats/${chat.id}/messages`, {
      content: 'a',
      metadata: { k: 1 },
      respond: false,
    })
    const path = `/api/chats/messages/${message.id}`
    const edited = await put(path, { content: 'b', attachments: { x: 1 } })
    expect(edited).toMatchObject({
      status: 200,
      body: { content: 'b', attachments: { x: 1 }, metadata: { k: 1 } },
    })
    expect(Object.keys(edited.body)).toEqual(FIELDS)
    expect((await put(path, { content: null })).status).toBe(422)
    expect((await put(path, { content: 'c' }, { 'if-match': '"stale"' })).status).toBe(412)
    expect(await remove(path)).toMatchObject({ status: 200, body: {} })
    expect((await get(`/api/chats/${chat.id}/messages`)).body.total).toBe(0)
    expect((await get(`/api/chats/${chat.id}/messages?deleted=true`)).body.total).toBe(1)
    expect(await remove(path)).toMatchObject({ status: 404, body: { detail: 'Message not found' } })
    expect((await post(`${path}/restore`)).body).toMatchObject({ content: 'b' })
    expect((await get(`/api/chats/${chat.id}/messages`)).body.total).toBe(1)
  })

  it('hides chats and messages from other accounts', async () => {
    const { create } = await account()
    const stranger = await account()
    const chat = await create('/api/chats', {})
    const message = await create(`/api/chats/${chat.id}/messages`, { content: 'a', respond: false })
    const answers = [
      await stranger.get(`/api/chats/${chat.id}/messages`),
      await stranger.post(`/api/chats/${chat.id}/messages`, { content: 'x' }),
      await stranger.put(`/api/chats/messages/${message.id}`, { content: 'x' }),
      await stranger.delete(`/api/chats/messages/${message.id}`),
      await stranger.post(`/api/chats/messages/${message.id}/restore`),
      await stranger.get(`/api/chats/${newId()}/messages`),
    ]
    expect(answers.map(answer => answer.body.detail)).toEqual([
      ...['Chat not found', 'Chat not found', 'Message not found', 'Message not found', 'Message not found'],
      'Chat not found',
    ])
  })
})
