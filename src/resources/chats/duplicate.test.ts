import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Item, onAnyEngine } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'

onAnyEngine('the copy of a chat', account => {
  it('has the messages with new ids, but no shares and proposals of the original', async () => {
    const me = await account()
    const chat = await me.create('/api/chats', { title: 'Plans' })
    const say = (role: string, content: string, metadata: Item = {}) =>
      me.create(`/api/chats/${chat.id}/messages`, { role, content, metadata, respond: false })
    const question = await say('user', 'Q')
    const answer = await say('assistant', 'A', {
      about: question.id,
      nested: { of: [question.id] },
      proposals: [1],
    })
    const begun = await say('assistant', 'Half an ans')
    await me.post(`/api/chats/messages/${answer.id}/feedback`, { rating: 'up' })
    await me.create(`/api/chats/${chat.id}/share`, {})
    const db = systemDb(me.service.services)
    await sql`insert into chat_answers (account_id, message_id, chat_id, held_until)
      values (${me.accountId}, ${begun.id}, ${chat.id}, now() + interval '1 hour')`.execute(db)

    const copy = (await me.post(`/api/chats/${chat.id}/duplicate`)).body
    const [first, second, ...rest] = (await me.get(`/api/chats/${copy.id}/messages`)).body.items
    expect(rest).toEqual([])
    expect(first).toMatchObject({ content: 'Q', chat_id: copy.id })
    expect(second.metadata).toEqual({ about: first.id, nested: { of: [first.id] } })
    expect((await me.get(`/api/chats/${copy.id}/shares`)).body.total).toBe(0)
    const original = (await me.get(`/api/chats/messages/${answer.id}`)).body.metadata
    expect(original).toMatchObject({ about: question.id, feedback: { rating: 'up' } })
  })
})
