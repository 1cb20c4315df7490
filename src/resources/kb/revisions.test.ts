import { expect, it } from 'vitest'
import { anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const path = '/api/kb/documents'

onAnyEngine('revisions of a page', account => {
  it('are stored for every change of title or content, with the author', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const page = await me.create(path, { type: 'page', title: 'One', content_markdown: 'first' })
    await other.put(`${path}/${page.id}`, { content_markdown: '# second' })
    await me.put(`${path}/${page.id}`, { visibility: 'public', position: 4 })
    await me.put(`${path}/${page.id}`, { title: 'Two' })
    const { body } = await me.get(`${path}/${page.id}/revisions`)
    expect(body).toMatchObject({ total: 3, page: 1, page_size: 50, total_pages: 1 })
    expect(body.items).toMatchObject([
      { title: 'Two', user_id: me.userId, document_id: page.id },
      { title: 'One', user_id: other.userId },
      { title: 'One', user_id: me.userId },
    ])
    expect(body.items[0]).not.toHaveProperty('content')
    const second = await me.get(`${path}/${page.id}/revisions?page=2&page_size=1`)
    expect(second.body).toMatchObject({ items: [{ id: body.items[1].id }], total: 3, total_pages: 3 })
    expect((await me.get(`${path}/${page.id}/revisions/${body.items[1].id}`)).body).toMatchObject({
      title: 'One',
      content_markdown: '# second',
      content: { type: 'doc', content: [{ type: 'heading' }] },
    })
  })

  it('are restored as a new revision, without changing folder, slug and visibility', async () => {
    const me = await account()
    const page = await me.create(path, { type: 'page', title: 'One', content_markdown: 'first' })
    await me.put(`${path}/${page.id}`, { title: 'Two', content_markdown: 'second', visibility: 'public' })
    const [, first] = (await me.get(`${path}/${page.id}/revisions`)).body.items
    const back = await me.post(`${path}/${page.id}/revisions/${first.id}/restore`)
    expect(back).toMatchObject({
      status: 200,
      body: { title: 'One', content_markdown: 'first', visibility: 'public', slug: page.slug },
    })
    expect((await me.get(`${path}/${page.id}/revisions`)).body.total).toBe(3)
  })

  it('are not stored when the change fails; of more than 200 those go that were replaced soon', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const page = await me.create(path, { type: 'page', title: 'One' })
    await me.create(path, { type: 'page', title: 'x', slug: 'taken' })
    expect((await me.put(`${path}/${page.id}`, { title: 'No', slug: 'taken' })).status).toBe(409)
    expect((await me.get(`${path}/${page.id}/revisions`)).body.total).toBe(1)
    await other.put(`${path}/${page.id}`, { content_markdown: 'by another' })
    for (let n = 0; n < 205; n++) await me.put(`${path}/${page.id}`, { content_markdown: `text ${n}` })
    const { body } = await me.get(`${path}/${page.id}/revisions?page_size=200`)
    expect(body.total).toBe(200)
    // the first text, and the only one of the other member
    const authors = body.items.map(({ user_id }: { user_id: string }) => user_id)
    expect(authors).toEqual([...Array(198).fill(me.userId), other.userId, me.userId])
  })

  it.each([
    ['GET', ''],
    ['GET', '/{revision}'],
    ['POST', '/{revision}/restore'],
  ])('return 404 to %s of an unknown one', async (method, rest) => {
    const me = await account()
    const page = await me.create(path, { type: 'page', title: 'One' })
    const [{ id }] = (await me.get(`${path}/${page.id}/revisions`)).body.items
    const at = (document: string, revision: string) =>
      `${path}/${document}/revisions${rest.replace('{revision}', revision)}`
    const stranger = await account()
    expect((await stranger.call(method, at(page.id, id))).status).toBe(404)
    expect((await me.call(method, at(newId(), id))).status).toBe(404)
    if (rest !== '') {
      const missing = await me.call(method, at(page.id, newId()))
      expect(missing).toMatchObject({ status: 404, body: { detail: 'Revision not found' } })
    }
    await me.delete(`${path}/${page.id}`)
    expect((await me.call(method, at(page.id, id))).status).toBe(404)
  })

  it('do not exist for folders', async () => {
    const me = await account()
    const folder = await me.create(path, { type: 'folder', title: 'F' })
    expect((await me.get(`${path}/${folder.id}/revisions`)).body.total).toBe(0)
  })
})
