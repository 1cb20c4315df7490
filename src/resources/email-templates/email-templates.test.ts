import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const FIELDS = [
  'id',
  'created_at',
  'updated_at',
  'account_id',
  'user_id',
  'subject',
  'body_html',
  'is_favorite',
]

const refused: [field: string, value: unknown, type: string][] = [
  ['subject', null, 'string_type'],
  ['subject', 5, 'string_type'],
  ['subject', 'x'.repeat(999), 'string_too_long'],
  ['subject', 'a\u0000', 'value_error'],
  ['body_html', null, 'string_type'],
  ['body_html', 'x'.repeat(1_000_001), 'string_too_long'],
  ['is_favorite', 'perhaps', 'bool_parsing'],
  ['is_favorite', null, 'bool_type'],
]

const subjects = async (account: Account, query: string) =>
  (await account.get(`/api/email-templates${query}`)).body.items.map(
    (item: { subject: string }) => item.subject,
  )

onBothEngines('email templates', account => {
  it('creates a template with exactly the fields of the contract', async () => {
    const { post, accountId, userId } = await account()
    const given = { subject: 'Hi {{ name }}', body_html: '<p>Hello {{ name }}</p>' }
    const answer = await post('/api/email-templates/', { ...given, user_id: newId(), body_text: 'x' })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toMatchObject({
      ...given,
      account_id: accountId,
      user_id: userId,
      is_favorite: false,
    })
    expect((await post('/api/email-templates', { ...given, is_favorite: true })).body.is_favorite).toBe(true)
    expect((await post('/api/email-templates', { subject: '', body_html: '' })).status).toBe(201)
  })

  it.each(['subject', 'body_html'])('needs %s', async field => {
    const { post } = await account()
    const body: Record<string, string> = { subject: 'x', body_html: 'x' }
    delete body[field]
    const answer = await post('/api/email-templates', body)
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', field] }] },
    })
  })

  it.each(refused)('refuses %s (%#)', async (field, value, type) => {
    const { post, put, create, get } = await account()
    const good = { subject: 'x', body_html: 'y' }
    const { id } = await create('/api/email-templates', good)
    for (const answer of [
      await post('/api/email-templates', { ...good, [field]: value }),
      await put(`/api/email-templates/${id}`, { [field]: value }),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['body', field] }] } })
    }
    expect((await get('/api/email-templates')).body.total).toBe(1)
  })

  it('accepts the longest subject and body', async () => {
    const { create } = await account()
    const given = { subject: '😀'.repeat(998), body_html: 'x'.repeat(1_000_000) }
    expect(await create('/api/email-templates', given)).toMatchObject(given)
  })

  it('searches and filters', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const offer = await me.create('/api/email-templates', {
      subject: 'Offer',
      body_html: '<p>Über <b>uns</b></p>',
    })
    await other.create('/api/email-templates', {
      subject: 'Thanks',
      body_html: '<div class="offers">Bye</div>',
      is_favorite: true,
    })
    const rows: [string, string[]][] = [
      ['?search=offer', ['Offer']],
      ['?search=uber%20UNS', ['Offer']],
      ['?search=bye', ['Thanks']],
      ['?search=div', []],
      ['?is_favorite=true', ['Thanks']],
      ['?is_favorite=false', ['Offer']],
      [`?user_id=${me.userId}`, ['Offer']],
      ['?sort_by=subject', ['Thanks', 'Offer']],
    ]
    for (const [query, expected] of rows)
      expect([query, await subjects(me, query)]).toEqual([query, expected])
    await me.put(`/api/email-templates/${offer.id}`, { body_html: 'new text' })
    expect(await subjects(me, '?search=new')).toEqual(['Offer'])
    expect(await subjects(me, '?search=uber')).toEqual([])
  })

  it('copies a template for the caller', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const given = { subject: 'x'.repeat(998), body_html: '<p>Hello</p>', is_favorite: true }
    const template = await me.create('/api/email-templates', given)
    const answer = await other.post(`/api/email-templates/${template.id}/duplicate`)
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toMatchObject({
      user_id: other.userId,
      subject: `${'x'.repeat(991)} (copy)`,
      body_html: '<p>Hello</p>',
      is_favorite: false,
    })
    expect(answer.body.id).not.toBe(template.id)
    const stranger = await account()
    for (const id of [newId(), template.id]) {
      expect((await stranger.post(`/api/email-templates/${id}/duplicate`)).status).toBe(404)
    }
  })
})
