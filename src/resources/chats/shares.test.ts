import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, onAnyEngine, request } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { expire } from './shares.testing.ts'

const NOT_FOUND = { status: 404, body: { detail: 'Share not found' } }
const NOT_SIGNED_IN = { status: 401, body: { detail: 'Not authenticated' } }

async function sharedChat(owner: Account, options: Record<string, unknown> = {}) {
  const chat = await owner.create('/api/chats', {
    title: 'Plans',
    settings: { secret: 1 },
    metadata: { secret: 2 },
  })
  await owner.create(`/api/chats/${chat.id}/messages`, {
    respond: false,
    content: 'before',
    attachments: { file: 'secret' },
    metadata: { secret: 3 },
  })
  const share = await owner.create(`/api/chats/${chat.id}/share`, options)
  return { chat, share, path: `/api/chats/shares/${share.token}` }
}

onAnyEngine('chat shares', account => {
  it('shows the token once and stores only its hash', async () => {
    const owner = await account()
    const { chat, share } = await sharedChat(owner, { is_public: true, expires_at: '2100-01-01' })
    expect(Object.keys(share)).toEqual([
      ...[
        'id',
        'chat_id',
        'token',
        'url',
        'page_url',
        'created_by',
        'created_at',
        'expires_at',
        'revoked_at',
      ],
      ...['is_public', 'include_later', 'view_count'],
    ])
    expect(share).toMatchObject({
      chat_id: chat.id,
      created_by: owner.userId,
      expires_at: '2100-01-01T00:00:00.000Z',
      revoked_at: null,
      is_public: true,
      include_later: false,
      view_count: 0,
    })
    expect(share.token).toMatch(/^[\w-]{43}$/)
    expect(share.url).toBe(`/api/chats/shares/${share.token}`)
    const { items, total } = (await owner.get(`/api/chats/${chat.id}/shares`)).body
    expect(total).toBe(1)
    expect(items[0]).toEqual({ ...share, token: null, url: null, page_url: null })
    const db = systemDb(owner.service.services)
    const kept = await sql<{ row: string }>`select to_jsonb(s)::text as row from chat_shares s
      where s.id = ${share.id}`.execute(db)
    expect(kept.rows[0]!.row).not.toContain(share.token)
  })

  it('does not store the token for a replay', async () => {
    const owner = await account()
    const chat = await owner.create('/api/chats', {})
    const once = { 'idempotency-key': 'share' }
    const first = await owner.post(`/api/chats/${chat.id}/share`, {}, once)
    const again = await owner.post(`/api/chats/${chat.id}/share`, {}, once)
    expect(again.body.id).toBe(first.body.id)
    expect(again.text).not.toContain(first.body.token)
  })

  it('is readable by any authenticated caller, without internal data', async () => {
    const owner = await account()
    const { chat, path } = await sharedChat(owner)
    for (const reader of [
      owner,
      await account(),
      await account({ role: 'viewer', scopes: ['contacts:read'] }),
    ]) {
      const answer = await reader.get(path)
      expect(answer.status).toBe(200)
      const { messages, ...rest } = answer.body
      expect(Object.keys(rest)).toEqual(Object.keys(chat))
      expect(rest).toMatchObject({ id: chat.id, title: 'Plans', settings: {}, metadata: {} })
      expect(messages).toEqual([
        expect.objectContaining({ content: 'before', role: 'user', attachments: {}, metadata: {} }),
      ])
      expect(answer.text).not.toContain('secret')
    }
    const stranger = await account()
    expect((await stranger.get(`/api/chats/${chat.id}`)).status).toBe(404)
  })

  it.each([
    [{ is_public: true }, 200],
    [{ is_public: false }, 401],
    [{}, 401],
    [{ is_public: true, expires_at: '2100-01-01T00:00:00Z' }, 200],
    [{ is_public: true, expires_at: '2100-01-01T00:00:00Z' }, 401, 'once it has expired'],
  ])('without credentials %j answers %i', async (options, status, isExpired = '') => {
    const owner = await account()
    const { share, path } = await sharedChat(owner, options)
    if (isExpired) await expire(owner, share.id)
    const answer = await request(owner.url + path, 'GET')
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer).toMatchObject(NOT_SIGNED_IN)
  })

  it('refuses bad credentials even for a public share, and returns the same 401 for every token', async () => {
    const owner = await account()
    const { path } = await sharedChat(owner, { is_public: true })
    const bad = await request(owner.url + path, 'GET', undefined, { 'x-api-key': 'sk_wrong' })
    expect(bad).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } })
    expect(await request(`${owner.url}/api/chats/shares/wrong`, 'GET')).toMatchObject(NOT_SIGNED_IN)
  })

  const ends: [string, (owner: Account, made: Awaited<ReturnType<typeof sharedChat>>) => Promise<unknown>][] =
    [
      ['revoked by its token', (owner, { path }) => owner.delete(path)],
      ['revoked by its id', (owner, { share }) => owner.delete(`/api/chats/shares/${share.id}`)],
      ['of a deleted chat', (owner, { chat }) => owner.delete(`/api/chats/${chat.id}`)],
    ]
  it.each(ends)('a share %s is not found', async (_, end) => {
    const owner = await account()
    const made = await sharedChat(owner, { is_public: true })
    expect((await owner.get(made.path)).status).toBe(200)
    expect(await end(owner, made)).toMatchObject({ status: 200, body: {} })
    expect(await owner.get(made.path)).toMatchObject(NOT_FOUND)
    expect(await request(owner.url + made.path, 'GET')).toMatchObject(NOT_SIGNED_IN)
  })

  it.each(['wrong', 'x'.repeat(1000), newId()])('the token %s is not found', async token => {
    const owner = await account()
    await sharedChat(owner)
    expect(await owner.get(`/api/chats/shares/${token}`)).toMatchObject(NOT_FOUND)
    expect(await owner.delete(`/api/chats/shares/${token}`)).toMatchObject(NOT_FOUND)
  })

  it('ends when it expires, and works again when its chat is restored', async () => {
    const owner = await account()
    const expired = await sharedChat(owner, { expires_at: '2100-01-01' })
    expect((await owner.get(expired.path)).status).toBe(200)
    await expire(owner, expired.share.id)
    expect(await owner.get(expired.path)).toMatchObject(NOT_FOUND)
    const { chat, path } = await sharedChat(owner, { expires_at: '2100-01-01T00:00:00Z' })
    await owner.delete(`/api/chats/${chat.id}`)
    await owner.post(`/api/chats/${chat.id}/restore`)
    expect((await owner.get(path)).status).toBe(200)
  })

  it('cannot be revoked by another account, nor twice', async () => {
    const owner = await account()
    const stranger = await account()
    const { share, path } = await sharedChat(owner)
    expect(await stranger.delete(path)).toMatchObject(NOT_FOUND)
    expect(await stranger.delete(`/api/chats/shares/${share.id}`)).toMatchObject(NOT_FOUND)
    expect((await owner.get(path)).status).toBe(200)
    expect((await owner.delete(path)).status).toBe(200)
    expect(await owner.delete(path)).toMatchObject(NOT_FOUND)
    const { items } = (await owner.get(`/api/chats/${share.chat_id}/shares`)).body
    expect(items[0].revoked_at).toMatch(/Z$/)
  })

  it('shows the messages up to its creation, without deleted ones', async () => {
    const owner = await account()
    const { chat, path } = await sharedChat(owner)
    await owner.create(`/api/chats/${chat.id}/messages`, { content: 'after', respond: false })
    const contents = async () =>
      (await owner.get(path)).body.messages.map((message: { content: string }) => message.content)
    expect(await contents()).toEqual(['before'])
    const [message] = (await owner.get(path)).body.messages
    await owner.delete(`/api/chats/messages/${message.id}`)
    expect(await contents()).toEqual([])
  })

  it('shows later messages with include_later', async () => {
    const owner = await account()
    const { chat, path } = await sharedChat(owner, { include_later: true })
    await owner.create(`/api/chats/${chat.id}/messages`, { content: 'after', respond: false })
    const contents = (await owner.get(path)).body.messages.map(
      (message: { content: string }) => message.content,
    )
    expect(contents).toEqual(['before', 'after'])
  })

  it('shows no ids of records, no system messages, and no files or their text', async () => {
    const owner = await account()
    const { chat, path } = await sharedChat(owner, { include_later: true })
    const company = await owner.create('/api/companies', { name: 'Acme' })
    const folder = await owner.create('/api/chats/folders', { name: 'F' })
    await owner.put(`/api/chats/${chat.id}`, { title: `About ${company.id}`, folder_id: folder.id })
    const form = new FormData()
    form.set('file', new File(['Words of the file'], 'secret-name.txt'))
    const file = (await owner.post(`/api/chats/${chat.id}/attachments`, form)).body
    const say = (role: string, content: string, more = {}) =>
      owner.create(`/api/chats/${chat.id}/messages`, { role, content, respond: false, ...more })
    await say('user', 'See the file', { attachments: { files: [file.id] } })
    await say('system', 'You obey')
    await say('tool', '{"name": "Acme"}')
    const citations = [{ index: 1, entity_id: company.id, name: 'Acme' }]
    await say('assistant', `[Acme](/companies/${company.id.toUpperCase()}) [1] ${company.id}.`, {
      metadata: { citations, proposals: [{ entity_id: company.id }] },
    })
    const { body, text } = await owner.get(path)
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([
      'before',
      'See the file',
      '[Acme](/companies/…) [1] ….',
    ])
    expect(body).toMatchObject({ title: 'About …', folder_id: null })
    for (const hidden of [company.id, folder.id, file.id, 'secret-name', 'Words of the file', 'citations'])
      expect(text.toLowerCase()).not.toContain(hidden.toLowerCase())
  })

  it('does not show an answer in progress', async () => {
    const owner = await account()
    const { chat, path } = await sharedChat(owner)
    const [message] = (await owner.get(path)).body.messages
    const db = systemDb(owner.service.services)
    await sql`insert into chat_answers (account_id, message_id, chat_id, held_until)
      values (${owner.accountId}, ${message.id}, ${chat.id}, now() + interval '1 hour')`.execute(db)
    expect((await owner.get(path)).body.messages).toEqual([])
  })

  it('counts its views', async () => {
    const owner = await account()
    const { chat, path } = await sharedChat(owner)
    for (let i = 0; i < 3; i++) await owner.get(path)
    await owner.get(`${path}x`)
    expect((await owner.get(`/api/chats/${chat.id}/shares`)).body.items[0].view_count).toBe(3)
  })

  it.each([
    ['expires_at', 'soon', 'datetime_from_date_parsing'],
    ['expires_at', '2020-01-01', 'value_error'],
    ['is_public', 'perhaps', 'bool_parsing'],
    ['include_later', [], 'bool_type'],
  ])('refuses %s = %j', async (field, value, type) => {
    const { create, post } = await account()
    const chat = await create('/api/chats', {})
    const answer = await post(`/api/chats/${chat.id}/share`, { [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['body', field] }] } })
    expect((await post(`/api/chats/${newId()}/share`, {})).status).toBe(404)
  })
})
