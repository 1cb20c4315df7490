import { expect, it } from 'vitest'
import { type Account, onAnyEngine, request } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { expire } from '../../resources/chats/shares.testing.ts'
import { say } from './proposals/proposals.testing.ts'

async function shared(me: Account, options: object = { is_public: true }) {
  const chat = await me.create('/api/chats', {
    title: 'Plan <b>',
    settings: { a: 'Hidden' },
    metadata: { b: 'Hidden' },
  })
  const add = (role: 'user' | 'assistant' | 'system' | 'tool', content: string, metadata = {}) =>
    say(me, chat.id, { role, content, metadata })
  await add('user', 'Hello <script>alert(1)</script>\n  two')
  const image = '![A "chart"](https://elsewhere.example/pixel.png)'
  await add('assistant', `It is **big** [1] <img src=x onerror=alert(1)>\n\n${image}`, {
    citations: ['Hidden'],
  })
  const share = await me.create(`/api/chats/${chat.id}/share`, options)
  return { chat, share, add, address: `${me.url}/share/${share.token}` }
}

onAnyEngine('the page of a share', account => {
  it('shows the messages without credentials, as escaped text', async () => {
    const me = await account()
    const { chat, share, address } = await shared(me)
    expect(share.page_url).toBe(`/share/${share.token}`)
    const answer = await request(address, 'GET')
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<h1>Plan &lt;b&gt;</h1>')
    expect(answer.text).toContain('Hello &lt;script&gt;alert(1)&lt;/script&gt;\n  two')
    expect(answer.text).toContain('<strong>big</strong> [1]')
    expect(answer.text).not.toMatch(/<script|<img|onerror=alert\(1\)>|Hidden|elsewhere\.example/)
    expect(answer.text).toContain('A &quot;chart&quot;')
    for (const hidden of [chat.id, me.accountId, me.userId, share.id])
      expect(answer.text).not.toContain(hidden)
    expect(answer.text).toContain('prefers-color-scheme:dark')
  })

  it('is not indexed, sends no referrer and loads nothing', async () => {
    const me = await account()
    const { address } = await shared(me)
    for (const at of [address, `${me.url}/share/wrong`]) {
      const { headers, text } = await request(at, 'GET')
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/script|unsafe|https?:/)
      expect(text).toContain('<meta name="robots" content="noindex')
      expect(text).toContain('<meta name="referrer" content="no-referrer">')
    }
  })

  it('is the same 404 for a token that is wrong, expired, revoked or not public, signed in or not', async () => {
    const me = await account()
    const revoked = await shared(me)
    await me.delete(`/api/chats/shares/${revoked.share.token}`)
    const trashed = await shared(me)
    await me.delete(`/api/chats/${trashed.chat.id}`)
    const isPrivate = await shared(me, {})
    expect(isPrivate.share.page_url).toBeNull()
    const expired = await shared(me, { is_public: true, expires_at: '2100-01-01T00:00:00Z' })
    await expire(me, expired.share.id)
    const wrong = ['wrong', newId(), 'x'.repeat(600), '%00', "'--"].map(token => `${me.url}/share/${token}`)
    const addresses = [...[revoked, trashed, isPrivate, expired].map(({ address }) => address), ...wrong]
    for (const headers of [{}, { 'x-api-key': me.key }, { 'x-api-key': 'sk_bad' }]) {
      const answers = await Promise.all(addresses.map(address => request(address, 'GET', undefined, headers)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    }
  })

  it('cuts a long chat and counts its views', async () => {
    const me = await account()
    const { address, add, chat } = await shared(me, { is_public: true, include_later: true })
    expect((await request(address, 'GET')).text).not.toContain('goes on')
    for (let n = 0; n < 11; n++) await add('user', `${n}${'x'.repeat(99_000)}`)
    const { text } = await request(address, 'GET')
    expect(text).toContain('This chat goes on')
    expect(text).toContain('>9xxx')
    expect(text).not.toContain('>10xxx')
    expect((await me.get(`/api/chats/${chat.id}/shares`)).body.items[0]).toMatchObject({
      view_count: 2,
      page_url: null,
      include_later: true,
    })
  })

  it('renders long answers in another thread, up to a limit', async () => {
    const me = await account()
    const { address, add } = await shared(me, { is_public: true, include_later: true })
    const table = (n: number) => `a${n}|b\n-|-\n${'c|d\n'.repeat(5000)}`
    for (let n = 0; n < 6; n++) await add('assistant', table(n))
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    const { text } = await request(address, 'GET')
    clearInterval(counting)
    // The service runs in this process: rendered on this thread, no timer would run meanwhile.
    expect(turns).toBeGreaterThan(10)
    expect(text).toContain('a3</th>')
    expect(text).not.toContain('a5</th>')
    expect(text).toContain('This chat goes on')
  })
})
