import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onBothEngines, request } from '../../../test/support/service.ts'

const path = '/api/kb/documents'

onBothEngines('public pages', account => {
  it('shows a public page without credentials', async () => {
    const me = await account()
    const page = await me.create(path, {
      type: 'page',
      title: 'Wie geht’s <b>?',
      content_markdown: 'Hello **world**\n\n> [!TIP]\n> look',
      visibility: 'public',
    })
    // the account's slug is its id here
    const url = `${me.url}/kb/${me.accountId}/${page.slug}`
    const answer = await request(url, 'GET')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('<h1>Wie geht’s &lt;b&gt;?</h1>')
    expect(answer.text).toContain('<p>Hello <strong>world</strong></p>')
    expect(answer.text).toContain('<aside data-type="tip">')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script|unsafe/)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const etag = answer.headers.get('etag')!
    expect((await request(url, 'GET', undefined, { 'if-none-match': etag })).status).toBe(304)
    await me.put(`${path}/${page.id}`, { content_markdown: 'other' })
    expect((await request(url, 'GET', undefined, { 'if-none-match': etag })).status).toBe(200)
    const index = await request(`${me.url}/kb/${me.accountId}/`, 'GET')
    expect(index.text).toContain(`<a href="/kb/${me.accountId}/${page.slug}">`)
  })

  it('reads and converts the content of a page once for each version', async () => {
    const me = await account()
    const page = await me.create(path, {
      ...{ type: 'page', title: 'Long', visibility: 'public' },
      content_markdown: `first ${'word '.repeat(10_000)}`,
    })
    const url = `${me.url}/kb/${me.accountId}/${page.slug}`
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => asked.mockRestore())
    const reads = () =>
      asked.mock.calls.filter(([what]) => /select p\.content/.test((what as { text?: string }).text ?? ''))
        .length
    for (let i = 0; i < 3; i++) expect((await request(url, 'GET')).text).toContain('first word')
    expect(reads()).toBe(1)
    await me.put(`${path}/${page.id}`, { content_markdown: `second ${'word '.repeat(10_000)}` })
    expect((await request(url, 'GET')).text).toContain('second word')
    expect(reads()).toBe(2)
    await me.put(`${path}/${page.id}`, { visibility: 'private' })
    expect((await request(url, 'GET')).status).toBe(404)
  })

  it('lists only public pages outside the trash, in order', async () => {
    const me = await account()
    await me.create(path, { type: 'page', title: 'Second', visibility: 'public', position: 2 })
    await me.create(path, { type: 'page', title: 'First', visibility: 'public', position: 1 })
    await me.create(path, { type: 'page', title: 'Secret' })
    await me.create(path, { type: 'folder', title: 'Folder', visibility: 'public' })
    const gone = await me.create(path, { type: 'page', title: 'Gone', visibility: 'public' })
    await me.delete(`${path}/${gone.id}`)
    const { text } = await request(`${me.url}/kb/${me.accountId}`, 'GET')
    expect([...text.matchAll(/<li><a [^>]*>([^<]*)/g)].map(match => match[1])).toEqual(['First', 'Second'])
  })

  it('returns the same 404 page for everything that is not public', async () => {
    const me = await account()
    const at = (account: string, slug: string) => `${me.url}/kb/${account}/${encodeURIComponent(slug)}`
    const isPrivate = await me.create(path, { type: 'page', title: 'Private' })
    const gone = await me.create(path, { type: 'page', title: 'Gone', visibility: 'public' })
    await me.delete(`${path}/${gone.id}`)
    const folder = await me.create(path, { type: 'folder', title: 'Folder', visibility: 'public' })
    const inside = await me.create(path, {
      type: 'page',
      title: 'Inside',
      visibility: 'public',
      parent_id: folder.id,
    })
    expect((await request(at(me.accountId, inside.slug), 'GET')).status).toBe(200)
    await me.delete(`${path}/${folder.id}`)
    const other = await account()
    const foreign = await other.create(path, { type: 'page', title: 'Foreign', visibility: 'public' })
    const addresses = [
      ...[isPrivate, gone, folder, inside, foreign].map(({ slug }) => at(me.accountId, slug)),
      ...['nothing', '', 'x'.repeat(600), '\0', "' or 1=1 --"].map(slug => at(me.accountId, slug)),
      at('no-such-account', isPrivate.slug),
      `${me.url}/kb/no-such-account`,
    ]
    const answers = await Promise.all(
      addresses.map(address => request(address, 'GET', undefined, { 'x-api-key': me.key })),
    )
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([404]))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers[0]!.headers.get('cache-control')).toBe('no-store')
    await me.put(`${path}/${isPrivate.id}`, { visibility: 'public' })
    expect((await request(at(me.accountId, isPrivate.slug), 'GET')).status).toBe(200)
  })
})
