import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const path = '/api/kb/documents'
const FIELDS = [
  ...['id', 'created_at', 'updated_at', 'type', 'title', 'account_id', 'slug', 'content', 'content_markdown'],
  ...['visibility', 'parent_id', 'position'],
]
const LISTED = [...FIELDS, 'children_count']

const refused: [field: string, value: unknown, type: string, loc?: (string | number)[]][] = [
  ['type', 'book', 'enum'],
  ['type', null, 'enum'],
  ['title', '', 'string_too_short'],
  ['title', 'x'.repeat(256), 'string_too_long'],
  ['title', null, 'string_type'],
  ['slug', 'x'.repeat(256), 'string_too_long'],
  ['slug', 'a b', 'value_error'],
  ['slug', 'a/b', 'value_error'],
  ['slug', 5, 'string_type'],
  ['content', [], 'dict_type'],
  ['content', 'text', 'dict_type'],
  ['content', { foo: 1 }, 'value_error'],
  ['content', { blocks: ['\u0000'] }, 'value_error', ['body', 'content', 'blocks', 0]],
  ['content_markdown', 'x'.repeat(1_000_001), 'string_too_long'],
  ['visibility', 'secret', 'enum'],
  ['visibility', null, 'enum'],
  ['parent_id', 'x', 'uuid_parsing'],
  ['parent_id', newId(), 'reference_not_found'],
  ['position', 1.5, 'int_from_float'],
  ['position', 2 ** 31, 'less_than_equal'],
]

const titles = async (account: Account, query: string) =>
  (await account.get(path + query)).body.items.map((document: { title: string }) => document.title)

onAnyEngine('knowledge-base documents', account => {
  it('returns exactly the fields of the contract', async () => {
    const { post, put, get, accountId } = await account()
    const folder = await post(path, { type: 'folder', title: 'Handbook' })
    expect(folder.status).toBe(201)
    expect(Object.keys(folder.body)).toEqual(FIELDS)
    expect(folder.body).toMatchObject({
      account_id: accountId,
      slug: 'handbook',
      content: null,
      content_markdown: null,
      visibility: 'private',
      parent_id: null,
      position: 0,
    })
    const page = await post(`${path}/`, { type: 'page', title: 'Welcome', parent_id: folder.body.id })
    expect(page.body).toMatchObject({ content: { type: 'doc', content: [] }, content_markdown: '' })
    expect(Object.keys((await put(`${path}/${page.body.id}`, { title: 'Hello' })).body)).toEqual(FIELDS)
    const got = (await get(`${path}/${folder.body.id}`)).body
    expect(Object.keys(got)).toEqual(LISTED)
    expect(got.children_count).toBe(1)
    expect((await get(`${path}/${page.body.id}`)).body.children_count).toBeNull()
    const list = (await get(path)).body
    expect(Object.keys(list)).toEqual(['items', 'total', 'page', 'page_size', 'pages'])
    expect(list).toMatchObject({ total: 1, page: 1, page_size: 50, pages: 1 })
    expect(Object.keys(list.items[0])).toEqual(LISTED)
  })

  it.each(refused)('refuses %s (%#)', async (field, value, type, loc) => {
    const { post, put, create, get } = await account()
    const good = { type: 'page', title: 'x' }
    const { id } = await create(path, good)
    for (const answer of [
      await post(path, { ...good, [field]: value }),
      await put(`${path}/${id}`, { [field]: value }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ type, loc: loc ?? ['body', field] })
    }
    expect((await get(path)).body.total).toBe(1)
  })

  it('needs a type and a title', async () => {
    const { post } = await account()
    const answer = await post(path, {})
    expect(answer.body.detail.map((issue: { loc: string[] }) => issue.loc)).toEqual([
      ['body', 'type'],
      ['body', 'title'],
    ])
  })

  it('accepts only a folder of the account outside the trash as parent', async () => {
    const { post, create, delete: remove } = await account()
    const page = await create(path, { type: 'page', title: 'Page' })
    const gone = await create(path, { type: 'folder', title: 'Gone' })
    await remove(`${path}/${gone.id}`)
    const foreign = await (await account()).create(path, { type: 'folder', title: 'Theirs' })
    for (const parent of [page.id, gone.id, foreign.id]) {
      const answer = await post(path, { type: 'page', title: 'x', parent_id: parent })
      expect(answer).toMatchObject({
        status: 422,
        body: {
          detail: [{ type: 'reference_not_found', loc: ['body', 'parent_id'], msg: 'Folder not found' }],
        },
      })
    }
  })

  it('generates unique slugs and refuses one that is in use', async () => {
    const { create, post, put } = await account()
    const made = []
    for (let i = 0; i < 3; i++) made.push((await create(path, { type: 'page', title: 'Plan A' })).slug)
    expect(made).toEqual(['plan-a', 'plan-a-2', 'plan-a-3'])
    await create(path, { type: 'page', title: 'Year 2024' })
    await create(path, { type: 'page', title: 'Year' })
    expect((await create(path, { type: 'page', title: 'Year' })).slug).toBe('year-2')
    expect((await create(path, { type: 'page', title: '🚀' })).slug).toBe('page')
    expect((await create(path, { type: 'page', title: '🚀', slug: '' })).slug).toBe('page-2')
    const taken = { status: 409, body: { detail: 'Another document has this slug' } }
    expect(await post(path, { type: 'page', title: 'x', slug: 'plan-a' })).toMatchObject(taken)
    const mine = await create(path, { type: 'page', title: 'Mine', slug: 'Étude_1.a~b' })
    expect(mine.slug).toBe('Étude_1.a~b')
    expect(await put(`${path}/${mine.id}`, { slug: 'plan-a' })).toMatchObject(taken)
    expect((await put(`${path}/${mine.id}`, { slug: mine.slug, title: 'Other' })).body.slug).toBe(mine.slug)
    expect((await put(`${path}/${mine.id}`, { slug: null })).body.slug).toBe('other')
    expect((await create(path, { type: 'page', title: 'x', slug: 'x'.repeat(255) })).slug).toHaveLength(255)
    const other = await account()
    expect((await other.create(path, { type: 'page', title: 'Plan A' })).slug).toBe('plan-a')
  })

  it('generates different slugs for pages created at once', async () => {
    const { create } = await account()
    const made = await Promise.all(
      Array.from({ length: 8 }, () => create(path, { type: 'page', title: 'Same' })),
    )
    expect(new Set(made.map(document => document.slug)).size).toBe(8)
  })

  const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'hi' }] }] }
  const empty = { content: { type: 'doc', content: [] }, content_markdown: '' }
  const both = { content: doc, content_markdown: 'hi' }
  it.each([
    [{ content: doc }, both],
    [{ content_markdown: 'hi' }, both],
    [
      { content: doc, content_markdown: 'own' },
      { content: doc, content_markdown: 'own' },
    ],
    [{ content: { blocks: [] } }, { content: { blocks: [] }, content_markdown: '' }],
    [{ content: null }, empty],
    [{ content_markdown: null }, empty],
    [{ content_markdown: '' }, empty],
    [{ content: null, content_markdown: 'hi' }, both],
  ])('derives the other form of %j', async (given, expected) => {
    const { create, put } = await account()
    expect(await create(path, { type: 'page', title: 'x', ...given })).toMatchObject(expected)
    const page = await create(path, { type: 'page', title: 'y', content_markdown: 'before' })
    expect((await put(`${path}/${page.id}`, given)).body).toMatchObject(expected)
    expect((await put(`${path}/${page.id}`, { title: 'z' })).body).toMatchObject(expected)
    const folder = await create(path, { type: 'folder', title: 'f', ...given })
    expect(folder).toMatchObject({ content: null, content_markdown: null })
    expect((await put(`${path}/${folder.id}`, given)).body).toMatchObject({
      content: null,
      content_markdown: null,
    })
  })

  it('refuses content with more text than a page may have', async () => {
    const { post } = await account()
    const content = { type: 'doc', content: [{ type: 'text', text: 'x'.repeat(1_000_001) }] }
    const answer = await post(path, { type: 'page', title: 'x', content })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'content'] }] } })
  })

  it('cannot change the type', async () => {
    const { create, put } = await account()
    const page = await create(path, { type: 'page', title: 'x' })
    expect((await put(`${path}/${page.id}`, { type: 'page' })).status).toBe(200)
    expect(await put(`${path}/${page.id}`, { type: 'folder' })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body', 'type'] }] },
    })
  })

  it('lists by folder, type, visibility and text', async () => {
    const me = await account()
    const outer = await me.create(path, { type: 'folder', title: 'Outer', position: 1 })
    const inner = await me.create(path, { type: 'folder', title: 'Inner', parent_id: outer.id })
    await me.create(path, {
      type: 'page',
      title: 'Deep',
      parent_id: inner.id,
      content_markdown: 'Ünique words',
    })
    await me.create(path, { type: 'page', title: 'Near', parent_id: outer.id, visibility: 'public' })
    await me.create(path, { type: 'page', title: 'Root', content_markdown: 'words' })
    const rows: [string, string[]][] = [
      ['', ['Root', 'Outer']],
      ['?parent_id=null', ['Root', 'Outer']],
      [`?parent_id=${outer.id}`, ['Inner', 'Near']],
      [`?parent_id=${inner.id.toUpperCase()}`, ['Deep']],
      [`?parent_id=${newId()}`, []],
      ['?type=page', ['Root']],
      ['?type=folder', ['Outer']],
      ['?visibility=public', []],
      [`?visibility=public&parent_id=${outer.id}`, ['Near']],
      ['?search=words', ['Root']],
      ['?search=root', ['Root']],
      [`?search=unique&parent_id=${outer.id}`, []],
      [`?search=unique&parent_id=${outer.id}&recursive=true`, ['Deep']],
      ['?search=words&recursive=true', ['Deep', 'Root']],
      [`?recursive=true&parent_id=${outer.id}&sort_by=title&sort_order=asc`, ['Deep', 'Inner', 'Near']],
      ['?recursive=true&type=folder&sort_by=title&sort_order=asc', ['Inner', 'Outer']],
      ['?page=2&page_size=1', ['Outer']],
    ]
    for (const [query, expected] of rows) expect([query, await titles(me, query)]).toEqual([query, expected])
    expect((await me.get(`${path}?page_size=1`)).body).toMatchObject({ total: 2, page_size: 1, pages: 2 })
    const walk = await me.get(`${path}?cursor=&page_size=1`)
    expect(walk.body.next_cursor).toEqual(expect.any(String))
  })

  it.each([
    ['parent_id=x', 'uuid_parsing', 'parent_id'],
    ['visibility=secret', 'enum', 'visibility'],
    ['type=book', 'enum', 'type'],
    ['page=0', 'greater_than_equal', 'page'],
    ['page_size=0', 'greater_than_equal', 'page_size'],
    ['page_size=1001', 'less_than_equal', 'page_size'],
    ['recursive=perhaps', 'bool_parsing', 'recursive'],
  ])('refuses the list with %s', async (query, type, field) => {
    const { get } = await account()
    const answer = await get(`${path}?${query}`)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['query', field] }] } })
  })

  it('accepts the ETag of any response in If-Match', async () => {
    const { post, get, put, delete: remove } = await account()
    const made = await post(path, { type: 'folder', title: 'x' })
    const one = `${path}/${made.body.id}`
    const first = made.headers.get('etag')!
    const changed = await put(one, { title: 'y' }, { 'if-match': first })
    expect(changed.status).toBe(200)
    expect((await put(one, { title: 'z' }, { 'if-match': first })).status).toBe(412)
    expect((await put(one, { title: 'z' }, { 'if-match': changed.headers.get('etag')! })).status).toBe(200)
    const got = (await get(one)).headers.get('etag')!
    expect((await get(one, { 'if-none-match': got })).status).toBe(304)
    expect((await put(one, { title: 'w' }, { 'if-match': got })).status).toBe(200)
    expect((await remove(one, { 'if-match': got })).status).toBe(412)
    expect((await remove(one, { 'if-match': (await get(one)).headers.get('etag')! })).status).toBe(200)
  })
})
