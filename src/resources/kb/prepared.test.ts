import { afterEach, expect, it, vi } from 'vitest'
import { onBothEngines } from '../../../test/support/service.ts'
import { conversions } from './convert.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Lets something happen while a page is converted. A short text is converted at once, but the result is awaited. */
function duringConversions(happens: () => Promise<void>): void {
  for (const name of ['markdownToBlocks', 'blocksToMarkdown'] as const) {
    const convert = conversions[name]
    const slowly = (given: string): unknown => happens().then(() => convert(given))
    vi.spyOn(conversions, name).mockImplementation(slowly as typeof convert)
  }
}

const path = '/api/kb/documents'
const doc = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const merge = { 'content-type': 'application/merge-patch+json' }

// On the embedded engine, a statement beside an open transaction waits until that ends: these would wait for ever.
onBothEngines('conversion of a page', account => {
  it('happens while no transaction is open', async () => {
    const [me, other] = [await account(), await account()]
    let count = 0
    duringConversions(async () => {
      count++
      expect((await other.get('/api/companies')).status).toBe(200)
    })
    const key = { 'idempotency-key': 'a' }
    const body = { type: 'page', title: 'x', content_markdown: 'a' }
    const created = await me.post(path, body, key)
    expect(created).toMatchObject({ status: 201, body: { content: doc('a'), content_markdown: 'a' } })
    const again = await me.post(path, body, key)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('etag')).toBe(created.headers.get('etag'))
    expect(count).toBe(1)

    const page = `${path}/${created.body.id}`
    const any = { 'if-match': '*' }
    const put = await me.put(page, { content: doc('b') }, any)
    expect(put.body).toMatchObject({ content: doc('b'), content_markdown: 'b' })
    const patched = await me.call('PATCH', page, { content_markdown: 'c' }, any)
    expect(patched.body).toMatchObject({ content: doc('c'), content_markdown: 'c' })
    const merged = await me.call(
      'PATCH',
      page,
      { content: { content: doc('d').content } },
      { ...merge, ...any },
    )
    expect(merged.body).toMatchObject({ content: doc('d'), content_markdown: 'd' })
    const replaced = await me.call('PATCH', page, { content_markdown: 'e' }, merge)
    expect(replaced.body).toMatchObject({ content: doc('e'), content_markdown: 'e' })
    expect(count).toBe(5)
  })

  it('refuses a merge patch that results in invalid content', async () => {
    const me = await account()
    const page = await me.create(path, { type: 'page', title: 'x', content_markdown: 'a' })
    const refused = await me.call('PATCH', `${path}/${page.id}`, { content: { type: 'x' } }, merge)
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'content'] }] } })
    const wrong = await me.call('PATCH', `${path}/${page.id}`, { content_markdown: 5 }, merge)
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'content_markdown'] }] } })
    expect((await me.get(`${path}/${page.id}`)).body.content_markdown).toBe('a')
  })
})
