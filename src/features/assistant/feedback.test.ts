import { expect, it } from 'vitest'
import { anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { answered, say } from './proposals/proposals.testing.ts'

onAnyEngine('feedback on answers', account => {
  it('is stored per user and can be changed and deleted', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const { chatId, messageId } = await answered(me, 'Answer', { model: 'm' })
    const path = `/api/chats/messages/${messageId}/feedback`
    const metadata = async (who = me) => (await who.get(`/api/chats/messages/${messageId}`)).body.metadata
    const first = await me.post(path, { rating: 'down', comment: 'Wrong phone number' })
    expect(first).toMatchObject({
      ...{
        status: 200,
        body: { message_id: messageId, user_id: me.userId, rating: 'down', comment: 'Wrong phone number' },
      },
    })
    expect(await metadata()).toEqual({
      model: 'm',
      feedback: { rating: 'down', comment: 'Wrong phone number' },
    })
    expect(await metadata(other)).toEqual({ model: 'm' })
    const [listed] = (await me.get(`/api/chats/${chatId}/messages`)).body.items
    expect(listed.metadata.feedback.rating).toBe('down')
    expect((await me.post(path, { rating: 'up' })).body).toMatchObject({
      rating: 'up',
      comment: null,
      created_at: first.body.created_at,
    })
    expect((await other.post(path, { rating: -1 })).body.rating).toBe('down')
    expect((await me.get(path)).body).toMatchObject({
      ...{ up: 1, down: 1, items: [{ user_id: me.userId }, { user_id: other.userId }] },
    })
    expect(await me.delete(path)).toMatchObject({ status: 200, body: {} })
    expect((await me.delete(path)).status).toBe(200)
    expect(await metadata()).toEqual({ model: 'm' })
    expect((await metadata(other)).feedback.rating).toBe('down')
  })

  it.each([
    ['up', 'up'],
    ['down', 'down'],
    [1, 'up'],
    [-1, 'down'],
    ['+1', 'up'],
    ['-1', 'down'],
  ])('accepts %j as %s', async (rating, word) => {
    const me = await account()
    const { messageId } = await answered(me)
    expect((await me.post(`/api/chats/messages/${messageId}/feedback`, { rating })).body.rating).toBe(word)
  })

  it.each([
    [{}, 'missing', 'rating'],
    [{ rating: 'so-so' }, 'enum', 'rating'],
    [{ rating: 2 }, 'enum', 'rating'],
    [{ rating: null }, 'enum', 'rating'],
    [{ rating: 'constructor' }, 'enum', 'rating'],
    [{ rating: 'up', comment: 'x'.repeat(5001) }, 'string_too_long', 'comment'],
    [{ rating: 'up', comment: 'a\0' }, 'value_error', 'comment'],
  ])('refuses %j', async (body, type, field) => {
    const me = await account()
    const { messageId } = await answered(me)
    const answer = await me.post(`/api/chats/messages/${messageId}/feedback`, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toEqual(['body', field])
    expect([type, 'literal_error']).toContain(answer.body.detail[0].type)
  })

  it('is accepted only for answers, and not from other accounts', async () => {
    const [me, stranger] = [await account(), await account()]
    const { chatId, messageId } = await answered(me)
    for (const role of ['user', 'system', 'tool'] as const) {
      const { id } = await say(me, chatId, { role, content: 'x', metadata: { feedback: 'mine' } })
      const path = `/api/chats/messages/${id}`
      for (const answer of [
        await me.post(`${path}/feedback`, { rating: 'up' }),
        await me.get(`${path}/feedback`),
        await me.delete(`${path}/feedback`),
      ])
        expect(answer).toMatchObject({
          status: 409,
          body: { detail: 'Only an answer of the assistant can be rated' },
        })
      expect((await me.get(path)).body.metadata).toEqual({ feedback: 'mine' })
    }
    const gone = { status: 404, body: { detail: 'Message not found' } }
    const path = `/api/chats/messages/${messageId}/feedback`
    expect(await stranger.post(path, { rating: 'up' })).toMatchObject(gone)
    expect(await stranger.get(path)).toMatchObject(gone)
    expect(await me.post(`/api/chats/messages/${newId()}/feedback`, { rating: 'up' })).toMatchObject(gone)
    const viewer = await anotherMember(me, { role: 'viewer' })
    expect((await viewer.post(path, { rating: 'up' })).status).toBe(403)
    await me.delete(`/api/chats/${chatId}`)
    expect(await me.post(path, { rating: 'up' })).toMatchObject(gone)
  })
})
