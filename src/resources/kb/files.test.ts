import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const path = '/api/kb/documents'

async function upload(
  account: Account,
  name: string,
  text: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new File([text], name))
  return account.post(`${path}/import`, form)
}

onAnyEngine('pages as files', account => {
  it('exports markdown and HTML, and imports both unchanged', async () => {
    const me = await account()
    const content_markdown = '## A **b**\n\n- [x] c\n\n| d | e |\n| --- | --- |\n| 1 | `2` |'
    const page = await me.create(path, { type: 'page', title: 'Ä "title"', content_markdown })
    const md = await me.get(`${path}/${page.id}/export`)
    expect(md.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(md.headers.get('content-disposition')).toContain("filename*=UTF-8''a-title.md")
    expect(md.text).toBe(`---\ntitle: "Ä \\"title\\""\n---\n\n${content_markdown}\n`)
    const html = await me.get(`${path}/${page.id}/export?format=html`)
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html.text).toContain('<h2>A <strong>b</strong></h2>')
    expect(await upload(me, 'x.md', md.text)).toMatchObject({
      status: 201,
      body: { type: 'page', title: 'Ä "title"', content_markdown, visibility: 'private', parent_id: null },
    })
    const back = await upload(me, 'x.html', html.text, { visibility: 'public' })
    expect(back.body).toMatchObject({
      title: 'Ä "title"',
      visibility: 'public',
      content_markdown: `# Ä "title"\n\n${content_markdown}`,
    })
  })

  it.each([
    ['notes.md', '---\ntitle: "From front"\ntags: x\n---\n# Head', {}, 'From front'],
    ['notes.md', "---\ntitle: 'It'\n---\ntext", {}, 'It'],
    ['notes.md', 'text\n\n## The *head*', {}, 'The head'],
    ['My notes.markdown', 'only text', {}, 'My notes'],
    ['x.htm', '<title>no</title><h2>Yes</h2>', {}, 'Yes'],
    ['x.txt', '# a', { title: 'Given' }, 'Given'],
    ['.md', '', {}, 'Untitled'],
  ])('names %s (%j)', async (name, text, fields, title) => {
    const me = await account()
    expect((await upload(me, name, text, fields as Record<string, string>)).body.title).toBe(title)
  })

  it('leaves out scripts, styles and handlers', async () => {
    const me = await account()
    const html =
      '<p onclick="x()">Hi<script>alert(1)</script><style>p{}</style> <a href="javascript:x">there</a></p><svg><p>no</p></svg>'
    const { body } = await upload(me, 'x.html', html)
    expect(body.content_markdown).toBe('Hi there')
  })

  it('imports into a folder', async () => {
    const me = await account()
    const folder = await me.create(path, { type: 'folder', title: 'F' })
    expect((await upload(me, 'a.md', 'x', { parent_id: folder.id })).body.parent_id).toBe(folder.id)
    const stranger = await account()
    expect(await upload(stranger, 'a.md', 'x', { parent_id: folder.id })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'reference_not_found', loc: ['body', 'parent_id'] }] },
    })
  })

  it('refuses other files', async () => {
    const me = await account()
    expect((await upload(me, 'a.pdf', 'x')).status).toBe(415)
    expect((await upload(me, 'a.md', new Uint8Array([0, 1, 2]))).status).toBe(415)
    expect((await upload(me, 'a.md', 'x'.repeat(4_000_001))).status).toBe(413)
    expect((await upload(me, 'a.md', 'x '.repeat(600_000))).status).toBe(413)
    expect((await upload(me, 'a.md', 'x', { visibility: 'some' })).status).toBe(422)
    const form = new FormData()
    form.set('title', 'x')
    expect(await me.post(`${path}/import`, form)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'file'] }] },
    })
    expect((await me.get(path)).body.total).toBe(0)
  })

  it('refuses to export folders, unknown documents and those of other accounts', async () => {
    const me = await account()
    const folder = await me.create(path, { type: 'folder', title: 'F' })
    const page = await me.create(path, { type: 'page', title: 'P' })
    expect((await me.get(`${path}/${folder.id}/export`)).status).toBe(409)
    expect((await me.get(`${path}/${newId()}/export`)).status).toBe(404)
    expect((await (await account()).get(`${path}/${page.id}/export`)).status).toBe(404)
    expect((await me.get(`${path}/${page.id}/export?format=pdf`)).status).toBe(422)
  })
})
