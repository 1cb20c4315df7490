import { describe, expect, it } from 'vitest'
import { blocked } from '../../../test/support/blocked.ts'
import { type Account, onBothEngines } from '../../../test/support/service.ts'
import { type Ctx, contextFor, systemDb, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { assignTags } from './taggings.ts'

const GROUPS = {
  company: ['companies', { name: 'x' }],
  contact: ['contacts', { first_name: 'x' }],
  deal: ['deals', { name: 'x' }],
  activity: ['activities', { type: 'call', subject: 'x' }],
  note: ['notes', { content: 'x' }],
} as const
const TYPES = Object.keys(GROUPS) as (keyof typeof GROUPS)[]

const tag = async (on: Account, name: string): Promise<string> => (await on.create('/api/tags', { name })).id
const record = async (on: Account, type: keyof typeof GROUPS): Promise<string> =>
  (await on.create(`/api/${GROUPS[type][0]}`, GROUPS[type][1])).id
const place = (type: string, id: string) => `/api/tags/records/${type}/${id}`
const names = async (on: Account, type: string, id: string): Promise<string> =>
  (await on.get(place(type, id))).body.tag_ids.map((item: { name: string }) => item.name).join('')
const usage = async (on: Account, id: string): Promise<number> =>
  (await on.get(`/api/tags/${id}`)).body.usage_count

/** Statements of this account's user, to hold a transaction open while others call. */
const ctxOf = ({ service, accountId, userId }: Account): Ctx =>
  contextFor(service.services, {
    kind: 'user',
    id: userId,
    userId,
    accountId,
    role: 'owner',
    scopes: ['*'],
  })

onBothEngines('tags', (account, kind) => {
  it('has its fields, limits and a unique name', async () => {
    const on = await account()
    const made = await on.create('/api/tags', { name: 'Hot', color: 'red' })
    expect(Object.keys(made)).toEqual([
      'id',
      'created_at',
      'updated_at',
      'name',
      'color',
      'usage_count',
      'account_id',
    ])
    expect(made).toMatchObject({ name: 'Hot', color: 'red', usage_count: 0, account_id: on.accountId })
    for (const [body, type] of [
      [{}, 'missing'],
      [{ name: '' }, 'string_too_short'],
      [{ name: ' \t' }, 'string_too_short'],
      [{ name: 'x'.repeat(101) }, 'string_too_long'],
      [{ name: 'x', color: 'x'.repeat(256) }, 'string_too_long'],
    ] as const) {
      const answer = await on.post('/api/tags', body)
      expect([answer.status, answer.body.detail[0].type]).toEqual([422, type])
    }
    const clash = await on.post('/api/tags', { name: 'HÖT' })
    expect([clash.status, clash.body]).toEqual([409, { detail: 'There is a tag called "HÖT" already' }])
    const other = await tag(on, ' Cold\n')
    expect((await on.get(`/api/tags/${other}`)).body.name).toBe('Cold')
    expect((await on.post('/api/tags', { name: ' hot ' })).status).toBe(409)
    expect((await on.put(`/api/tags/${other}`, { name: '\u00a0hot' })).status).toBe(409)
    const named = await record(on, 'company')
    await on.put(place('company', named), { tag_ids: [other] })
    expect((await on.get('/api/companies?tag=%20cold%20')).body.items).toMatchObject([{ id: named }])
    expect((await on.put(`/api/tags/${made.id}`, { name: 'HOT', color: null })).body).toMatchObject({
      name: 'HOT',
      color: null,
    })
    expect((await on.get('/api/tags?search=co')).body.items).toMatchObject([{ name: 'Cold' }])
    const stranger = await account()
    expect((await stranger.get(`/api/tags/${made.id}`)).body).toEqual({ detail: 'Tag not found' })
    expect((await stranger.post('/api/tags', { name: 'hot' })).status).toBe(201)
  })

  it.each(TYPES)('is added to a %s and removed', async type => {
    const on = await account()
    const id = await record(on, type)
    const [a, b, c] = [await tag(on, 'a'), await tag(on, 'b'), await tag(on, 'c')]
    expect((await on.get(place(type, id))).body).toEqual({ entity_type: type, entity_id: id, tag_ids: [] })
    const put = await on.put(place(type, id), { tag_ids: [b, a, b] })
    expect([put.status, put.body]).toEqual([
      200,
      {
        entity_type: type,
        entity_id: id,
        tag_ids: [
          { id: a, name: 'a' },
          { id: b, name: 'b' },
        ],
      },
    ])
    await on.put(place(type, id), { tag_ids: [b, c] })
    expect(await names(on, type, id)).toBe('bc')
    expect([await usage(on, a), await usage(on, b)]).toEqual([0, 1])
    const list = async (query: string) => (await on.get(`/api/${GROUPS[type][0]}?tag=${query}`)).body.total
    expect([await list('b'), await list('B'), await list(b), await list('a'), await list(newId())]).toEqual([
      1, 1, 1, 0, 0,
    ])

    // hidden with the record, and back with it
    await on.delete(`/api/${GROUPS[type][0]}/${id}`)
    expect((await on.get(place(type, id))).status).toBe(404)
    expect(await usage(on, b)).toBe(0)
    await on.post(`/api/${GROUPS[type][0]}/${id}/restore`)
    expect(await names(on, type, id)).toBe('bc')
    expect(await usage(on, b)).toBe(1)

    // hidden with the tag, and back with it, even when the tags were replaced meanwhile
    await on.delete(`/api/tags/${c}`)
    expect(await names(on, type, id)).toBe('b')
    await on.put(place(type, id), { tag_ids: [a] })
    await on.post(`/api/tags/${c}/restore`)
    expect(await names(on, type, id)).toBe('ac')
    await on.put(place(type, id), { tag_ids: [] })
    expect(await names(on, type, id)).toBe('')
  })

  describe('refuses', () => {
    it('unknown records and tags', async () => {
      const on = await account()
      const stranger = await account()
      const id = await record(on, 'company')
      const [mine, theirs] = [await tag(on, 'a'), await tag(stranger, 'a')]
      for (const [who, path, body, status] of [
        [on, place('company', newId()), { tag_ids: [] }, 404],
        [on, place('contact', id), { tag_ids: [] }, 404],
        [stranger, place('company', id), { tag_ids: [] }, 404],
        [on, place('user', id), { tag_ids: [] }, 422],
        [on, place('company', 'x'), { tag_ids: [] }, 422],
        [on, place('company', id), {}, 422],
        [on, place('company', id), { tag_ids: [mine, theirs] }, 422],
        [on, place('company', id), { tag_ids: Array(101).fill(mine) }, 422],
      ] as const) {
        expect([path, (await who.put(path, body)).status]).toEqual([path, status])
      }
      const foreign = await on.put(place('company', id), { tag_ids: [mine, theirs] })
      expect(foreign.body.detail).toEqual([
        { type: 'reference_not_found', loc: ['body', 'tag_ids', 1], msg: 'Tag not found', input: theirs },
      ])
      expect(await names(on, 'company', id)).toBe('')
    })
  })

  it('is added to and removed from many records, in operations that can be undone', async () => {
    const on = await account()
    const [a, b] = [await tag(on, 'a'), await tag(on, 'b')]
    const ids = [await record(on, 'contact'), await record(on, 'contact'), await record(on, 'contact')]
    await on.put(place('contact', ids[0]!), { tag_ids: [a] })
    const assign = (body: object) =>
      on.post('/api/tags/bulk-assign', { tag_ids: [a, b], entity_type: 'contact', entity_ids: ids, ...body })
    const added = await assign({})
    expect([added.status, added.body.changed]).toEqual([200, 5])
    expect((await assign({})).body.changed).toBe(0)
    expect([await usage(on, a), await usage(on, b)]).toEqual([3, 3])
    const removed = await assign({ tag_ids: [b], entity_ids: [ids[0], ids[1]], remove: true })
    expect(removed.body.changed).toBe(2)
    expect(await names(on, 'contact', ids[1]!)).toBe('a')
    await on.post(`/api/operations/${removed.body.operation_id}/undo`)
    expect(await names(on, 'contact', ids[1]!)).toBe('ab')
    await on.post(`/api/operations/${added.body.operation_id}/undo`)
    expect(await Promise.all(ids.map(id => names(on, 'contact', id)))).toEqual(['a', '', ''])

    for (const [body, loc] of [
      [{ tag_ids: [newId()] }, ['body', 'tag_ids', 0]],
      [{ entity_ids: [ids[0], newId()] }, ['body', 'entity_ids', 1]],
      [{ entity_type: 'company' }, ['body', 'entity_ids', 0]],
      [{ tag_ids: [] }, ['body', 'tag_ids']],
      [{ entity_type: 'user' }, ['body', 'entity_type']],
      [{ entity_ids: Array(1001).fill(ids[0]) }, ['body', 'entity_ids']],
    ] as const) {
      const answer = await assign(body)
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
    }
  })

  it('is merged into another', async () => {
    const on = await account()
    const [from, into] = [await tag(on, 'from'), await tag(on, 'into')]
    const [company, contact, both] = [
      await record(on, 'company'),
      await record(on, 'contact'),
      await record(on, 'deal'),
    ]
    await on.put(place('company', company), { tag_ids: [from] })
    await on.put(place('contact', contact), { tag_ids: [into] })
    await on.put(place('deal', both), { tag_ids: [from, into] })
    for (const [id, body, status] of [
      [from, { into_id: from }, 422],
      [from, { into_id: newId() }, 422],
      [from, {}, 422],
      [newId(), { into_id: into }, 404],
    ] as const) {
      expect((await on.post(`/api/tags/${id}/merge`, body)).status).toBe(status)
    }
    const merged = await on.post(`/api/tags/${from}/merge`, { into_id: into })
    expect([merged.status, merged.body]).toMatchObject([200, { id: into, name: 'into', usage_count: 3 }])
    expect([await names(on, 'company', company), await names(on, 'deal', both)]).toEqual(['into', 'into'])
    expect((await on.get(`/api/tags/${from}`)).status).toBe(404)
  })

  it('cannot be restored while another one has its name', async () => {
    const on = await account()
    const id = await tag(on, 'Hot')
    await on.delete(`/api/tags/${id}`)
    const other = await tag(on, 'HOT')
    const answer = await on.post(`/api/tags/${id}/restore`)
    expect([answer.status, answer.body.detail]).toEqual([409, `The tag ${other} is called "HOT" now`])
    await on.post('/api/tags/bulk-delete', [other])
    expect((await on.post(`/api/tags/${id}/restore`)).status).toBe(200)
  })

  it('is removed with an erased contact, as are categories and favorites', async () => {
    const on = await account()
    const id = await tag(on, 'a')
    for (const state of ['living', 'trashed']) {
      const person = await on.create('/api/contacts', { first_name: 'x', categories: ['c'] })
      const stays = await on.create('/api/contacts', { first_name: 'y', categories: ['c'] })
      await on.post('/api/tags/bulk-assign', {
        tag_ids: [id],
        entity_type: 'contact',
        entity_ids: [person.id, stays.id],
      })
      await on.post('/api/favorites/toggle', { entity_type: 'contact', entity_id: person.id })
      if (state === 'trashed') await on.delete(`/api/contacts/${person.id}`)
      expect((await on.post(`/api/contacts/${person.id}/erase`)).status).toBe(200)
      expect([state, await usage(on, id)]).toEqual([state, state === 'living' ? 1 : 2])
      const [category] = (await on.get('/api/categories')).body.items
      expect([state, category.usage_count]).toEqual([state, state === 'living' ? 1 : 2])
      expect((await on.get('/api/favorites')).body.total).toBe(0)
    }
  })

  it.runIf(kind === 'server')(
    'is counted correctly on a record that is deleted at the same time',
    async () => {
      const on = await account()
      const id = await tag(on, 'a')
      const company = await record(on, 'company')
      let deleting: Promise<unknown> | undefined
      await transaction(ctxOf(on), async tx => {
        await assignTags(tx, { tag_ids: [id], entity_type: 'company', entity_ids: [company], remove: false })
        deleting = on.delete(`/api/companies/${company}`)
        await blocked(systemDb(on.service.services))
      })
      await deleting
      expect(await usage(on, id)).toBe(0)
      await on.post(`/api/companies/${company}/restore`)
      expect(await usage(on, id)).toBe(1)
    },
  )

  it('is consistent after concurrent replacements of a record’s tags', async () => {
    const on = await account()
    const id = await record(on, 'company')
    const all = await Promise.all(['a', 'b', 'c', 'd'].map(name => tag(on, name)))
    const answers = await Promise.all(all.map(tag_id => on.put(place('company', id), { tag_ids: [tag_id] })))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
    expect(await names(on, 'company', id)).toMatch(/^[abcd]$/)
  })
})
