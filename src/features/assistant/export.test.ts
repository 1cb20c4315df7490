import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { say } from './proposals/proposals.testing.ts'

onAnyEngine('export of a chat', account => {
  it('is markdown with the citations as footnotes', async () => {
    const me = await account()
    const chat = await me.create('/api/chats', { title: 'Deals: "big"\nones/öffen' })
    await say(me, chat.id, { role: 'user', content: 'Which [1]?' })
    const citation = (index: number, name: string, snippet = '') => ({
      index,
      entity_type: 'deal',
      entity_id: newId(),
      name,
      snippet,
    })
    await say(me, chat.id, {
      role: 'assistant',
      content: 'Alpha [1] and **Beta** [2][1], not [3], [1](http://x.test) nor a[9]',
      metadata: { citations: [citation(1, 'Alpha', 'closes\n\nsoon'), citation(2, 'Beta')] },
    })
    await say(me, chat.id, {
      role: 'assistant',
      content: 'Gamma [1]',
      metadata: { citations: [citation(1, 'Gamma')] },
    })
    const gone = await say(me, chat.id, { role: 'user', content: 'deleted' })
    await me.delete(`/api/chats/messages/${gone.id}`)
    const answer = await me.get(`/api/chats/${chat.id}/export?format=markdown`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('Deals big ones öffen.md')}`,
    )
    const when = / · \d{4}-\d\d-\d\d \d\d:\d\d UTC/g
    expect(answer.text.replace(when, '')).toBe(`# Deals: "big" ones/öffen

## User

Which [1]?

## Assistant

Alpha [^1] and **Beta** [^2][^1], not [3], [1](http://x.test) nor a[9]

[^1]: Alpha (deal): closes soon
[^2]: Beta (deal)

## Assistant

Gamma [^3]

[^3]: Gamma (deal)
`)
    expect(answer.text.match(when)).toHaveLength(3)
    expect((await me.get(`/api/chats/${chat.id}/export`)).text).toBe(answer.text)
  })

  it('contains every message of a long chat once, whatever their metadata', async () => {
    const me = await account()
    const chat = await me.create('/api/chats', {})
    const odd = [{ citations: 'x' }, { citations: [null, {}, { index: 'a', name: 5 }] }, {}]
    for (let n = 0; n < 103; n++)
      await say(me, chat.id, { role: 'assistant', content: `m${n}.`, metadata: odd[n % 3]! })
    const { text } = await me.get(`/api/chats/${chat.id}/export`)
    expect([...text.matchAll(/^m(\d+)\.$/gm)].map(match => Number(match[1]))).toEqual([...Array(103).keys()])
  })

  it('returns 404 to other accounts and refuses other formats', async () => {
    const [me, stranger] = [await account(), await account()]
    const chat = await me.create('/api/chats', {})
    const path = `/api/chats/${chat.id}/export`
    expect(await stranger.get(path)).toMatchObject({ status: 404, body: { detail: 'Chat not found' } })
    expect((await me.get(`${path}?format=pdf`)).status).toBe(422)
    await me.delete(`/api/chats/${chat.id}`)
    expect((await me.get(path)).status).toBe(404)
  })
})
