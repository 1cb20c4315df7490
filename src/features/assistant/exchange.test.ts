import { expect, it, onTestFinished } from 'vitest'
import { type Account, anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { eventsIn, names, STREAM, textOf, withSettings } from './assistant.testing.ts'

const FIELDS = ['id', 'created_at', 'updated_at', 'role', 'content', 'chat_id', 'attachments', 'metadata']

async function newChat(me: Account) {
  const chat = await me.create('/api/chats', {})
  const path = `/api/chats/${chat.id}/messages`
  const stored = async () => (await me.get(path)).body.items
  return { id: chat.id as string, path, stored }
}

onAnyEngine('a question and its answer', (account, kind) => {
  it('returns the answer as JSON and stores it once', async () => {
    const me = await account()
    const { path, stored } = await newChat(me)
    const { status, body } = await me.post(path, { content: 'How many deals do we have?' })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual([...FIELDS, 'reply'])
    expect(Object.keys(body.reply)).toEqual(FIELDS)
    expect(body).toMatchObject({ role: 'user', content: 'How many deals do we have?' })
    expect(body.reply).toMatchObject({
      role: 'assistant',
      content: '0 deals.',
      chat_id: body.chat_id,
      metadata: {
        status: 'completed',
        question_id: body.id,
        citations: [],
        conflicts: [],
        grounded: true,
        model: 'data',
        usage: { model: 'data', prompt_tokens: 0, completion_tokens: 0, duration_ms: expect.any(Number) },
      },
    })
    const { reply, ...question } = body
    expect(await stored()).toEqual([question, reply])
  })

  it('answers as a stream', async () => {
    const me = await account()
    await me.create('/api/deals', { name: 'Big one', amount: 5 })
    const { path, stored } = await newChat(me)
    const answer = await me.post(path, { content: 'Which deals do we have?' }, STREAM)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { events } = eventsIn(answer.text)
    expect(names(events)).toEqual(['message_start', 'message_delta', 'citation', 'message_end'])
    expect(new Set(events.map(({ id }) => id)).size).toBe(4)
    const [question, reply] = await stored()
    expect(events[0]!.data).toEqual({
      message_id: reply.id,
      chat_id: reply.chat_id,
      question_id: question.id,
    })
    expect(textOf(events)).toBe(reply.content)
    expect(events[2]!.data).toEqual(reply.metadata.citations[0])
    expect(events.at(-1)!.data).toEqual({ message: reply })
  })

  it.each([
    ['when it shall not', { content: 'Hello', respond: false }],
    ['the assistant', { content: 'Hello', role: 'assistant' }],
    ['the system', { content: 'Hello', role: 'system' }],
    ['a tool', { content: 'Hello', role: 'tool' }],
  ])('does not answer %s', async (_, body) => {
    const me = await account()
    const { path, stored } = await newChat(me)
    for (const headers of [{}, STREAM]) {
      expect(await me.post(path, body, headers)).toMatchObject({ status: 201, body: { reply: null } })
    }
    expect(await stored()).toHaveLength(2)
  })

  it.each([
    ['Hi there!', 'Hello!'],
    ['Good morning', 'Hello!'],
    ['Thanks a lot!', 'welcome'],
    ['What can you do?', 'for example'],
    ['Blorf the quux?', 'could not find an answer'],
  ])('answers %j with %j, without a record behind it', async (content, said) => {
    const me = await account()
    const { reply } = await me.create((await newChat(me)).path, { content })
    expect(reply.content).toContain(said)
    expect(reply.metadata).toMatchObject({ status: 'completed', grounded: false, citations: [] })
    expect(reply.metadata.memory).toBeUndefined()
  })

  it('tells a caller without read scopes that it cannot look anything up', async () => {
    const me = await account({ scopes: ['chats:*'] })
    const { reply } = await me.create((await newChat(me)).path, { content: 'How many deals do we have?' })
    expect(reply.content).toContain('may read no records')
    const deals = await account({ scopes: ['chats:*', 'deals:read'] })
    const { path } = await newChat(deals)
    expect((await deals.create(path, { content: 'How many deals do we have?' })).reply.content).toBe(
      '0 deals.',
    )
    expect(
      (await deals.create(path, { content: 'How many contacts do we have?' })).reply.metadata.grounded,
    ).toBe(false)
  })

  it('sets the title of the chat from the first message and lists it first', async () => {
    const me = await account()
    const chat = await newChat(me)
    await me.create('/api/chats', { title: 'Later' })
    await me.create(chat.path, { content: 'What is new?' })
    expect((await me.get('/api/chats')).body.items[0]).toMatchObject({ id: chat.id, title: 'What is new?' })
  })

  it('answers once under an Idempotency-Key, as JSON and as a stream', async () => {
    const me = await account()
    const { path, stored } = await newChat(me)
    const key = { 'idempotency-key': newId() }
    const content = 'How many deals do we have?'
    const first = await me.post(path, { content }, key)
    const again = await me.post(path, { content }, key)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect([again.status, again.body]).toEqual([201, first.body])
    const streamed = eventsIn((await me.post(path, { content }, { ...key, ...STREAM })).text).events
    expect(streamed.at(-1)!.data.message).toEqual(first.body.reply)
    expect(await me.post(path, { content: 'another' }, key)).toMatchObject({ status: 422 })
    expect(await me.post(path, { content }, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({
      status: 422,
    })
    expect(await stored()).toHaveLength(2)
    const both = await Promise.all([1, 2].map(() => me.post(path, { content }, { 'idempotency-key': 'k' })))
    expect(both.map(({ status }) => status).sort()).toEqual(expect.arrayContaining([201]))
    expect(await stored()).toHaveLength(4)
  })

  it('keeps the answers to an edited question and marks them as answers to the earlier wording', async () => {
    const me = await account()
    const { path, stored } = await newChat(me)
    const { reply, ...question } = await me.create(path, { content: 'How many deals do we have?' })
    const at = (id: string) => `/api/chats/messages/${id}`
    await me.put(at(question.id), { metadata: { a: 1 } })
    expect((await stored())[1].metadata.answers_earlier_wording).toBeUndefined()
    const edited = await me.put(at(question.id), { content: 'How many contacts do we have?' })
    expect(edited.body).toMatchObject({ content: 'How many contacts do we have?', metadata: { a: 1 } })
    expect(edited.body.metadata.edited_at).toMatch(/Z$/)
    expect((await stored())[1]).toMatchObject({
      content: reply.content,
      metadata: { answers_earlier_wording: true, grounded: true },
    })
    // the text of an answer cannot be edited
    expect(await me.put(at(reply.id), { content: 'Something else' })).toMatchObject({ status: 409 })
    expect(await me.put(at(reply.id), { role: 'user' })).toMatchObject({ status: 409 })
    const noted = await me.put(at(reply.id), {
      content: reply.content,
      metadata: { mine: 1, grounded: 'no' },
    })
    expect(noted.body.metadata).toMatchObject({ mine: 1, grounded: true, status: 'completed' })
    const again = await me.post(`${at(reply.id)}/regenerate`)
    expect(again.body.reply.content).toBe('0 contacts.')
    expect(again.body.reply.metadata.answers_earlier_wording).toBeUndefined()
  })

  it('regenerates an answer and moves the earlier one to the trash', async () => {
    const me = await account()
    const { path, stored } = await newChat(me)
    const first = await me.create(path, { content: 'How many deals do we have?' })
    const second = await me.create(path, { content: 'Hello' })
    await me.create('/api/deals', { name: 'New one' })
    const { status, body } = await me.post(`/api/chats/messages/${first.reply.id}/regenerate`)
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: first.id, reply: { content: expect.stringContaining('1 deal') } })
    expect(body.reply.metadata).toMatchObject({ version: 2, replaces: first.reply.id, question_id: first.id })
    const ids = async () => (await stored()).map((one: { id: string }) => one.id)
    expect(await ids()).toEqual([first.id, body.reply.id, second.id, second.reply.id])
    const trash = (await me.get(`${path}?deleted=true`)).body.items
    expect(trash).toEqual([expect.objectContaining({ id: first.reply.id, content: '0 deals.' })])
    // also by the question, and as a stream
    const third = eventsIn(
      (await me.post(`/api/chats/messages/${first.id}/regenerate`, undefined, STREAM)).text,
    )
    expect(third.events.at(-1)!.data.message.metadata).toMatchObject({ version: 3, replaces: body.reply.id })
    const key = { 'idempotency-key': newId() }
    const once = await me.post(`/api/chats/messages/${second.id}/regenerate`, undefined, key)
    expect((await me.post(`/api/chats/messages/${second.id}/regenerate`, undefined, key)).body).toEqual(
      once.body,
    )
  })

  it('refuses to regenerate, stop or follow an answer that does not exist', async () => {
    const me = await account()
    const stranger = await account()
    const { path } = await newChat(me)
    const unasked = await me.create(path, { content: 'said', role: 'assistant' })
    const unanswered = await me.create(path, { content: 'said', respond: false })
    const answered = await me.create(path, { content: 'Hello' })
    const at = (id: string, what: string) => `/api/chats/messages/${id}/${what}`
    expect(await me.post(at(unasked.id, 'regenerate'))).toMatchObject({ status: 409 })
    expect((await me.post(at(unanswered.id, 'regenerate'))).body.reply.content).not.toBe('')
    const nobody = await me.create(path, { content: 'said', respond: false })
    expect(await me.post(at(nobody.id, 'stop'))).toMatchObject({
      status: 404,
      body: { detail: 'Answer not found' },
    })
    expect(await me.get(at(nobody.id, 'events'))).toMatchObject({ status: 404 })
    // an answer that has ended does not change
    expect((await me.post(at(answered.reply.id, 'stop'))).body).toEqual(answered.reply)
    for (const id of [answered.reply.id, newId()]) {
      const gone = { status: 404, body: { detail: 'Message not found' } }
      expect(await stranger.post(at(id, 'regenerate'))).toMatchObject(gone)
      expect(await stranger.post(at(id, 'stop'))).toMatchObject(gone)
      expect(await stranger.get(at(id, 'events'))).toMatchObject(gone)
    }
    await me.delete(`/api/chats/messages/${answered.reply.id}`)
    expect(await me.get(at(answered.reply.id, 'events'))).toMatchObject({ status: 404 })
  })

  it('lets a viewer follow an answer but not change it', async () => {
    const me = await account()
    const { reply, id } = await me.create((await newChat(me)).path, { content: 'Hello' })
    for (const reader of [
      await anotherMember(me, { role: 'viewer' }),
      await anotherMember(me, { scopes: ['chats:read'] }),
    ]) {
      expect((await reader.get(`/api/chats/messages/${id}/events`)).status).toBe(200)
      expect((await reader.get('/api/chats/usage')).status).toBe(200)
      expect((await reader.post(`/api/chats/messages/${reply.id}/stop`)).status).toBe(403)
      expect((await reader.post(`/api/chats/messages/${reply.id}/regenerate`)).status).toBe(403)
    }
  })

  it('counts usage by day and caller', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const { path } = await newChat(me)
    await me.create(path, { content: 'Hello' })
    await me.create(path, { content: 'Hello', respond: false })
    const { reply } = await other.create(path, { content: 'Hello' })
    const today = reply.created_at.slice(0, 10)
    const { body } = await me.get(`/api/chats/usage?to=${today}`)
    expect(body).toMatchObject({ requests: 2, prompt_tokens: 0, completion_tokens: 0, to: today })
    expect(body.items).toHaveLength(2)
    expect(body.items[0]).toMatchObject({ day: today, caller_kind: 'key', requests: 1 })
    expect(body.limits.caller.requests_per_minute).toBeGreaterThan(0)
    expect((await (await account()).get('/api/chats/usage')).body).toMatchObject({ requests: 0, items: [] })
    for (const query of ['from=2026-02-01&to=2026-01-01', 'from=2020-01-01&to=2026-01-01', 'from=x']) {
      expect([query, (await me.get(`/api/chats/usage?${query}`)).status]).toEqual([query, 422])
    }
    expect((await me.get('/api/chats/usage?from=2020-01-01&to=2020-01-31')).body.requests).toBe(0)
  })

  it('refuses more requests than a key or an account may make in a minute', async () => {
    onTestFinished(await withSettings(kind, { assistant: { requestsPerMinute: { caller: 2, account: 3 } } }))
    const me = await account()
    const other = await anotherMember(me)
    const { path, stored } = await newChat(me)
    // a new minute may begin in between
    const sent = []
    for (const [i, who] of [me, me, me, other, other, other].entries())
      sent.push(await who.post(path, { content: `Hello ${i}` }))
    const refused = sent.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(1)
    for (const { body, headers } of refused) {
      expect(body.detail).toMatch(/Too many requests/)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    // refused requests store nothing, and messages without an answer are not counted
    expect(await stored()).toHaveLength(2 * (6 - refused.length))
    expect((await me.post(path, { content: 'Hello', respond: false })).status).toBe(201)
    expect((await (await account()).get('/api/chats')).status).toBe(200)
  })
})
