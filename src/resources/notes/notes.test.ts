/** Creating, changing and finding notes. */
import { expect, it } from 'vitest'
import { anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/notes'
const long = (length: number) => 'x'.repeat(length)

type Row = [field: string, value: unknown, type: string, loc?: (string | number)[]]

const refused: Row[] = [
  ['title', long(256), 'string_too_long'],
  ['title', 5, 'string_type'],
  ['content', '', 'string_too_short'],
  ['content', long(100_001), 'string_too_long'],
  ['content', null, 'string_type'],
  ['content', 'a\u0000', 'value_error'],
  ['entity_type', 'note', 'enum'],
  ['entity_type', 'company', 'value_error', ['body', 'entity_id']],
  ['entity_id', 'x', 'uuid_parsing'],
  ['entity_id', newId(), 'value_error', ['body', 'entity_type']],
  ['company_ids', {}, 'list_type'],
  ['company_ids', [newId()], 'reference_not_found', ['body', 'company_ids', 0]],
  ['contact_ids', ['x'], 'uuid_parsing', ['body', 'contact_ids', 0]],
  ['contact_ids', [newId()], 'reference_not_found', ['body', 'contact_ids', 0]],
  ['deal_ids', [newId()], 'reference_not_found', ['body', 'deal_ids', 0]],
  ['deal_ids', Array.from({ length: 1001 }, newId), 'too_long'],
  ['is_pinned', null, 'bool_type'],
  ['is_pinned', 'maybe', 'bool_parsing'],
  ['attachments', [], 'dict_type'],
  ['attachments', null, 'dict_type'],
  ['metadata', 'x', 'dict_type'],
]

const accepted: [field: string, value: unknown][] = [
  ['title', long(255)],
  ['title', null],
  ['content', 'é'],
  ['content', '😀'.repeat(100_000)],
  ['is_pinned', true],
  ['attachments', { files: [{ name: 'plan.pdf' }] }],
  ['metadata', { mood: 'good' }],
  ['entity_type', null],
  ['entity_id', null],
  ['contact_ids', []],
]

onBothEngines('notes', account => {
  it('returns every field', async () => {
    const { create, userId, accountId } = await account()
    expect(await create(at, { content: '# Hello' })).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account_id: accountId,
      title: null,
      content: '# Hello',
      entity_type: null,
      entity_id: null,
      company_ids: [],
      contact_ids: [],
      deal_ids: [],
      is_pinned: false,
      attachments: {},
      metadata: {},
      user_id: userId,
    })
  })

  it('refuses out-of-range values on create and update, and writes nothing', async () => {
    const { create, post, put, get } = await account()
    const { id } = await create(at, { content: 'Kept' })
    for (const [field, value, type, loc = ['body', field]] of refused) {
      const row = `${field} = ${JSON.stringify(value)?.slice(0, 40)}`
      const made = await post(at, { content: 'New', [field]: value })
      expect(made.status, row).toBe(422)
      expect(made.body.detail, row).toMatchObject([{ type, loc }])
      const changed = await put(`${at}/${id}`, { title: 'Changed', [field]: value })
      expect(changed.status, row).toBe(422)
      expect(changed.body.detail, row).toMatchObject([{ type, loc }])
    }
    expect((await post(at, {})).body.detail).toMatchObject([{ type: 'missing', loc: ['body', 'content'] }])
    expect((await get(at)).body).toMatchObject({ total: 1, items: [{ content: 'Kept', title: null }] })
  })

  it('stores minimum and maximum values on create and update', async () => {
    const { create, put } = await account()
    const { id } = await create(at, { content: 'Kept' })
    for (const [field, value] of accepted) {
      expect((await create(at, { content: 'New', [field]: value }))[field], field).toEqual(value)
      expect((await put(`${at}/${id}`, { [field]: value })).body[field], field).toEqual(value)
    }
  })

  it('lists by every filter', async () => {
    const mine = await account()
    const { create, get, userId } = mine
    const colleague = await anotherMember(mine)
    const company = await create('/api/companies', { name: 'Acme' })
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const onCompany = { entity_type: 'company', entity_id: company.id }
    const onContact = { entity_type: 'contact', entity_id: contact.id }
    await create(at, { title: 'a', content: 'Besprechung in Köln', ...onCompany })
    await create(at, { title: 'b', content: '50% off_now', ...onContact, company_ids: [company.id] })
    await colleague.create(at, { title: 'c', content: 'x', is_pinned: true, metadata: { mood: 'good' } })
    const found: [query: string, titles: string][] = [
      ['', 'abc'],
      ['entity_type=company', 'a'],
      ['entity_type=deal', ''],
      [`entity_type=company&entity_id=${company.id}`, 'a'],
      [`entity_id=${contact.id}`, 'b'],
      [`company_id=${company.id}`, 'ab'],
      [`contact_id=${contact.id}`, 'b'],
      [`deal_id=${newId()}`, ''],
      [`user_id=${userId}`, 'ab'],
      [`user_id=${colleague.userId}`, 'c'],
      ['is_pinned=true', 'c'],
      ['is_pinned=false', 'ab'],
      ['search=koln', 'a'],
      ['search=50%25', 'b'],
      ['search=f_n', 'b'],
      ['search=A', 'a'],
      ['cf.mood=good', 'c'],
      ['sort_by=title&sort_order=asc', 'abc'],
    ]
    for (const [query, titles] of found) {
      const { status, body } = await get(`${at}?${query}`)
      expect(status, query).toBe(200)
      const got = body.items.map((item: { title: string }) => item.title)
      expect(got.toSorted().join(''), query).toBe(titles)
      expect(body.total, query).toBe(titles.length)
    }
    for (const query of ['entity_type=note', 'entity_id=x', 'user_id=x', 'is_pinned=x', 'contact_id=x']) {
      const answer = await get(`${at}?${query}`)
      expect(answer.status, query).toBe(422)
      expect(answer.body.detail[0].loc).toEqual(['query', query.split('=')[0]])
    }
  })

  it('is deleted and restored with its links', async () => {
    const { create, get, post, put, delete: remove } = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const { id } = await create(at, { content: 'N', entity_type: 'contact', entity_id: contact.id })
    const list = `/api/contacts/${contact.id}/notes`
    expect(await remove(`${at}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await get(`${at}/${id}`)).body).toEqual({ detail: 'Note not found' })
    expect((await put(`${at}/${id}`, { contact_ids: [] })).status).toBe(404)
    expect((await get(list)).body.total).toBe(0)
    expect((await get(`${at}?deleted=true`)).body.total).toBe(1)
    expect((await post(`${at}/${id}/restore`)).body).toMatchObject({ entity_id: contact.id })
    expect((await get(list)).body).toMatchObject({ total: 1, items: [{ id }] })
    await post(`${at}/bulk-delete`, [id, newId()])
    expect((await get(at)).body.total).toBe(0)
  })

  it('shows nothing of another account and links none of its records', async () => {
    const { create } = await account()
    const stranger = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const { id } = await create(at, { content: 'N', contact_ids: [contact.id] })
    for (const [method, path, body] of [
      ['GET', `${at}/${id}`],
      ['PUT', `${at}/${id}`, { content: 'M' }],
      ['PUT', `${at}/${id}`, { entity_type: null, entity_id: null }],
      ['DELETE', `${at}/${id}`],
      ['POST', `${at}/${id}/restore`],
    ] as const) {
      const answer = await stranger.call(method, path, body)
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Note not found' } })
    }
    for (const group of ['contacts', 'companies', 'deals']) {
      expect((await stranger.get(`/api/${group}/${contact.id}/notes`)).status).toBe(404)
    }
    const tied = await stranger.post(at, { content: 'N', entity_type: 'contact', entity_id: contact.id })
    expect(tied.status).toBe(422)
    expect(tied.body.detail).toEqual([
      {
        type: 'reference_not_found',
        loc: ['body', 'entity_id'],
        msg: 'Contact not found',
        input: contact.id,
      },
    ])
    expect((await stranger.get(`${at}?entity_id=${contact.id}`)).body.total).toBe(0)
  })
})
