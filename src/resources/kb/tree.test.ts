import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const path = '/api/kb/documents'
const CYCLE = {
  status: 409,
  body: { detail: 'A folder cannot be moved into itself or a folder below it' },
}

interface Node {
  title: string
  children: Node[]
}

/** `a(b c)` for a folder a with b and c in it. */
const drawn = (nodes: Node[]): string =>
  nodes.map(node => node.title + (node.children.length ? `(${drawn(node.children)})` : '')).join(' ')

const tree = async ({ get }: Account) => drawn((await get('/api/kb/tree')).body)

/** Creates the documents of a drawing: capital letters are folders, small ones pages. */
async function planted(me: Account, plan: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const above: (string | null)[] = [null]
  let last: string | null = null
  for (const mark of plan.replaceAll(' ', '')) {
    if (mark === '(') above.push(last)
    else if (mark === ')') above.pop()
    else {
      const type = mark === mark.toUpperCase() ? 'folder' : 'page'
      last = (await me.create(path, { type, title: mark, parent_id: above.at(-1) })).id as string
      ids[mark] = last
    }
  }
  return ids
}

onAnyEngine('knowledge-base tree', account => {
  it('shows the tree and the folders above a document', async () => {
    const me = await account()
    expect((await me.get('/api/kb/tree')).body).toEqual([])
    const { A, B, c } = await planted(me, 'A(B(c)d)e')
    expect(await tree(me)).toBe('A(B(c) d) e')
    const [root] = (await me.get('/api/kb/tree')).body
    expect(Object.keys(root)).toEqual([
      'id',
      'type',
      'title',
      'slug',
      'visibility',
      'parent_id',
      'position',
      'children',
    ])
    const crumbs = (await me.get(`${path}/${c}/breadcrumbs`)).body
    expect(crumbs).toEqual([
      { id: A, type: 'folder', title: 'A', slug: 'a' },
      { id: B, type: 'folder', title: 'B', slug: 'b' },
      { id: c, type: 'page', title: 'c', slug: 'c' },
    ])
    const stranger = await account()
    expect((await stranger.get(`${path}/${c}/breadcrumbs`)).status).toBe(404)
    expect((await stranger.get('/api/kb/tree')).body).toEqual([])
  })

  const moves: [
    plan: string,
    moved: string,
    to: string | null | undefined,
    position: number | undefined,
    result: string,
  ][] = [
    ['a b c', 'a', undefined, 1, 'b a c'],
    ['a b c', 'a', null, undefined, 'b c a'],
    ['a b c', 'c', undefined, 0, 'c a b'],
    ['a b c', 'b', undefined, 99, 'a c b'],
    ['A(b c) d', 'd', 'A', 1, 'A(b d c)'],
    ['A(b c) d', 'b', null, 0, 'b A(c) d'],
    ['A(b) C(d)', 'A', 'C', 0, 'C(A(b) d)'],
    ['A(B(c))', 'B', null, undefined, 'A B(c)'],
  ]
  it.each(moves)('%s: %s to %s at %s gives %s', async (plan, moved, to, position, result) => {
    const me = await account()
    const ids = await planted(me, plan)
    const parent_id = typeof to === 'string' ? ids[to] : to
    const answer = await me.post(`${path}/${ids[moved]}/move`, { parent_id, position })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).not.toContain('children_count')
    expect(await tree(me)).toBe(result)
    const siblings = (await me.get(`${path}?parent_id=${answer.body.parent_id}`)).body.items
    expect(siblings.map((sibling: { position: number }) => sibling.position)).toEqual([...siblings.keys()])
  })

  it.each([
    ['A', 'A'],
    ['A', 'B'],
    ['A', 'C'],
  ])('never moves %s into %s', async (moved, to) => {
    const me = await account()
    const ids = await planted(me, 'A(B(C))')
    expect(await me.post(`${path}/${ids[moved]}/move`, { parent_id: ids[to] })).toMatchObject(CYCLE)
    expect(await me.put(`${path}/${ids[moved]}`, { parent_id: ids[to] })).toMatchObject(CYCLE)
    expect(await tree(me)).toBe('A(B(C))')
  })

  it('prevents a cycle by two concurrent moves', async () => {
    const me = await account()
    for (let i = 0; i < 5; i++) {
      const { A, B } = await planted(me, 'AB')
      const answers = await Promise.all([
        me.post(`${path}/${A}/move`, { parent_id: B }),
        me.put(`${path}/${B}`, { parent_id: A }),
      ])
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
      await me.post(`${path}/bulk-delete`, [A, B])
      expect(await tree(me)).toBe('')
    }
  })

  it('refuses a move of an unknown document or into an unknown folder', async () => {
    const me = await account()
    const { A, b } = await planted(me, 'A b')
    const stranger = await account()
    const { A: foreign } = await planted(stranger, 'A')
    for (const to of [b, newId(), foreign]) {
      const answer = await me.post(`${path}/${A}/move`, { parent_id: to })
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'reference_not_found', loc: ['body', 'parent_id'] }] },
      })
    }
    expect((await me.post(`${path}/${A}/move`, { position: -1 })).status).toBe(422)
    for (const id of [newId(), foreign]) {
      expect((await me.post(`${path}/${id}/move`, {})).status).toBe(404)
      expect((await me.post(`${path}/${id}/duplicate`)).status).toBe(404)
    }
  })

  it('allows 50 levels, including moves and the trash', async () => {
    const me = await account()
    const chain: string[] = []
    for (let level = 1; level <= 49; level++) {
      const parent_id = chain.at(-1) ?? null
      chain.push((await me.create(path, { type: 'folder', title: `f${level}`, parent_id })).id)
    }
    const bottom = chain.at(-1)!
    await me.create(path, { type: 'page', title: 'level 50', parent_id: bottom })
    const { A, b } = await planted(me, 'A(b)')
    const tooDeep = { status: 422, body: { detail: [{ type: 'value_error', loc: ['body', 'parent_id'] }] } }
    expect(await me.post(`${path}/${A}/move`, { parent_id: bottom })).toMatchObject(tooDeep)
    await me.delete(`${path}/${b}`)
    expect(await me.post(`${path}/${A}/move`, { parent_id: bottom })).toMatchObject(tooDeep)
    expect((await me.post(`${path}/${A}/move`, { parent_id: chain[47] })).status).toBe(200)
    expect(await me.post(path, { type: 'page', title: 'x', parent_id: A })).toMatchObject({ status: 201 })
  })

  it('deletes and restores a folder with everything in it', async () => {
    const me = await account()
    const { A, b, c, d } = await planted(me, 'A(b C(d)) c')
    await me.delete(`${path}/${b}`)
    expect(await me.delete(`${path}/${A}`)).toMatchObject({ status: 200, body: {} })
    expect(await tree(me)).toBe('c')
    expect((await me.get(`${path}/${d}`)).status).toBe(404)
    expect((await me.get(`${path}?recursive=true`)).body.total).toBe(1)
    const trash = (await me.get(`${path}?deleted=true&sort_by=title&sort_order=asc`)).body
    expect(trash.items.map((document: { title: string }) => document.title)).toEqual(['A', 'b'])
    expect((await me.get(`${path}?deleted=true&parent_id=${A}`)).body.total).toBe(2)
    const back = await me.post(`${path}/${A}/restore`)
    expect(back).toMatchObject({ status: 200, body: { id: A } })
    expect(await tree(me)).toBe('A(C(d)) c')
    await me.post(`${path}/${b}/restore`)
    expect(await tree(me)).toBe('A(b C(d)) c')
    expect((await me.get(`${path}/${c}`)).status).toBe(200)
  })

  it('restores a part of a deleted folder at the root', async () => {
    const me = await account()
    const { A, B } = await planted(me, 'A(B(c) d)')
    await me.delete(`${path}/${A}`)
    expect((await me.post(`${path}/${B}/restore`)).body.parent_id).toBeNull()
    expect(await tree(me)).toBe('B(c)')
    await me.post(`${path}/${A}/restore`)
    expect(await tree(me)).toBe('A(d) B(c)')
  })

  it('bulk-deletes a folder and its child in one operation', async () => {
    const me = await account()
    const { A, b } = await planted(me, 'A(b) c')
    await me.post(`${path}/bulk-delete`, [b, A, newId()])
    expect(await tree(me)).toBe('c')
    await me.post(`${path}/${A}/restore`)
    expect(await tree(me)).toBe('A(b) c')
  })

  it('gives a restored document another slug when its own is taken', async () => {
    const me = await account()
    const { A, b } = await planted(me, 'A(b)')
    await me.delete(`${path}/${A}`)
    await me.create(path, { type: 'page', title: 'b' })
    expect((await me.post(`${path}/${A}/restore`)).body.slug).toBe('a')
    expect((await me.get(`${path}/${b}`)).body.slug).toBe('b-2')
  })

  it('copies a document with everything in it as private', async () => {
    const me = await account()
    const { A, B } = await planted(me, 'A(B(c)) d')
    const page = {
      type: 'page',
      title: 'Public',
      visibility: 'public',
      content_markdown: 'text',
      parent_id: B,
    }
    const original = await me.create(path, page)
    const copy = await me.post(`${path}/${A}/duplicate`)
    expect(copy).toMatchObject({ status: 201, body: { title: 'A (copy)', slug: 'a-copy', parent_id: null } })
    expect(await tree(me)).toBe('A(B(c Public)) d A (copy)(B(c Public))')
    const copies = (await me.get(`${path}?parent_id=${copy.body.id}&recursive=true&search=public`)).body.items
    expect(copies).toEqual([
      expect.objectContaining({
        content: original.content,
        content_markdown: 'text',
        visibility: 'private',
        slug: 'public-2',
      }),
    ])
    const twin = await me.post(`${path}/${original.id}/duplicate`)
    expect(twin.body).toMatchObject({ title: 'Public (copy)', parent_id: B, visibility: 'private' })
  })

  it('refuses documents in a folder that is being deleted', async () => {
    const me = await account()
    for (let i = 0; i < 5; i++) {
      const { A } = await planted(me, 'A')
      const [gone, made] = await Promise.all([
        me.delete(`${path}/${A}`),
        me.post(path, { type: 'page', title: 'x', parent_id: A }),
      ])
      expect(gone.status).toBe(200)
      expect([201, 422]).toContain(made.status)
      expect((await me.get(`${path}?recursive=true`)).body.total).toBe(0)
    }
  })
})
