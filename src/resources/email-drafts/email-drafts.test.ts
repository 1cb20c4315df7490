import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const path = '/api/email-drafts'
const FIELDS = [
  ...['id', 'created_at', 'updated_at', 'account_id', 'user_id', 'to', 'cc', 'bcc', 'subject', 'body_html'],
  ...['body_text', 'template_id', 'contact_id', 'company_id', 'deal_id', 'in_reply_to', 'attachments'],
  ...['status', 'scheduled_at', 'sent_at', 'message_id', 'error', 'activity_id', 'metadata'],
]

const someone = { email: 'a@b.co' }

const refused: [field: string, value: unknown, type: string, loc?: (string | number)[]][] = [
  ...['to', 'cc', 'bcc'].flatMap((field): (typeof refused)[number][] => [
    [field, someone, 'list_type'],
    [field, null, 'list_type'],
    [field, ['a@b.co'], 'model_attributes_type', ['body', field, 0]],
    [field, [{ name: 'x' }], 'missing', ['body', field, 0, 'email']],
    [field, [{ email: 'nobody' }], 'value_error', ['body', field, 0, 'email']],
    [field, [{ ...someone, name: 'x'.repeat(256) }], 'string_too_long', ['body', field, 0, 'name']],
    [field, [{ ...someone, name: 'x\r\nBcc: y' }], 'value_error', ['body', field, 0, 'name']],
    [field, Array(101).fill(someone), 'too_long'],
  ]),
  ['subject', 'x'.repeat(999), 'string_too_long'],
  ['subject', 'a\nb', 'value_error'],
  ['subject', 'a\u2028b', 'value_error'],
  ['subject', null, 'string_type'],
  ['body_html', 'x'.repeat(1_000_001), 'string_too_long'],
  ['body_html', null, 'string_type'],
  ['body_text', 'x'.repeat(1_000_001), 'string_too_long'],
  ['in_reply_to', 'x'.repeat(999), 'string_too_long'],
  ['in_reply_to', 'a\nb', 'value_error'],
  ['attachments', 'x', 'dict_type', ['body', 'attachments', 'dict']],
  ['attachments', Array(101).fill({}), 'dict_type', ['body', 'attachments', 'dict']],
  ['scheduled_at', 'soon', 'datetime_from_date_parsing'],
  ['metadata', [], 'dict_type'],
  ...['template_id', 'contact_id', 'company_id', 'deal_id'].flatMap((field): (typeof refused)[number][] => [
    [field, 'x', 'uuid_parsing'],
    [field, newId(), 'reference_not_found'],
  ]),
]

async function related({ create }: Account) {
  const company = await create('/api/companies', { name: 'Acme' })
  return {
    contact_id: (await create('/api/contacts', { first_name: 'Ada', company_id: company.id })).id,
    company_id: company.id,
    deal_id: (await create('/api/deals', { name: 'Deal' })).id,
    template_id: (await create('/api/email-templates', { subject: 's', body_html: 'b' })).id,
  }
}

onBothEngines('email drafts', account => {
  it('creates an empty draft', async () => {
    const { post, accountId, userId } = await account()
    const answer = await post(`${path}/`, { user_id: newId(), status: 'sent', sent_at: '2026-01-01' })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toMatchObject({
      account_id: accountId,
      user_id: userId,
      ...{
        to: [],
        cc: [],
        bcc: [],
        subject: '',
        body_html: '',
        body_text: '',
        attachments: [],
        metadata: {},
      },
      ...{ template_id: null, contact_id: null, company_id: null, deal_id: null, in_reply_to: null },
      ...{ status: 'draft', scheduled_at: null, sent_at: null },
    })
  })

  it('accepts every field and clears those that can be empty', async () => {
    const me = await account()
    const ids = await related(me)
    const given = {
      to: [{ email: 'a@b.co', name: 'Ada' }, { email: 'c@d.co' }],
      cc: Array(100).fill(someone),
      bcc: [{ email: 'e@f.co', name: null }],
      subject: '😀'.repeat(998),
      body_html: '<p>x</p>',
      body_text: 'own text',
      in_reply_to: '<id@host>',
      attachments: { file: 1 },
      scheduled_at: '2030-01-01T00:00:00.000Z',
      metadata: { a: [1] },
      ...ids,
    }
    const draft = await me.create(path, given)
    expect(draft).toMatchObject({ ...given, status: 'draft' })
    expect((await me.get(`${path}/${draft.id}`)).body).toEqual(draft)
    const cleared = {
      ...{
        to: [],
        cc: [],
        bcc: [],
        subject: '',
        attachments: [{ file: 2 }],
        metadata: {},
        in_reply_to: null,
      },
      ...{ template_id: null, contact_id: null, company_id: null, deal_id: null, scheduled_at: null },
    }
    expect((await me.put(`${path}/${draft.id}`, cleared)).body).toMatchObject({
      ...cleared,
      body_text: 'own text',
    })
  })

  it('normalises addresses', async () => {
    const { create } = await account()
    const draft = await create(path, { to: [{ email: 'Bob <Bob@Example.COM>' }] })
    expect(draft.to).toEqual([{ email: 'Bob@example.com' }])
  })

  it.each(refused)('refuses %s (%#)', async (field, value, type, loc) => {
    const { post, put, create, get } = await account()
    const { id } = await create(path, {})
    for (const answer of [
      await post(path, { [field]: value }),
      await put(`${path}/${id}`, { [field]: value }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ type, loc: loc ?? ['body', field] })
    }
    expect((await get(path)).body.total).toBe(1)
  })

  it('refuses records of another account', async () => {
    const { post } = await account()
    const foreign = await related(await account())
    for (const [field, id] of Object.entries(foreign)) {
      const answer = await post(path, { [field]: id })
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'reference_not_found', loc: ['body', field], input: id }] },
      })
    }
  })

  it.each([
    [{ body_html: '<p>new</p>' }, 'new'],
    [{ body_html: '<p>new</p>', body_text: 'own' }, 'own'],
    [{ body_html: '<p>new</p>', body_text: null }, 'new'],
    [{ body_text: 'own' }, 'own'],
    [{ body_text: null }, 'old\nlines'],
    [{ subject: 'x' }, 'kept'],
  ])('after %j the text is %j', async (change, text) => {
    const { create, put } = await account()
    const draft = await create(path, { body_html: '<p>old</p><p>lines</p>', body_text: 'kept' })
    expect((await put(`${path}/${draft.id}`, change)).body.body_text).toBe(text)
  })

  it('derives the text of a new draft', async () => {
    const { create } = await account()
    expect((await create(path, { body_html: '<p>Hi &amp; bye</p><script>x</script>' })).body_text).toBe(
      'Hi & bye',
    )
  })

  it('searches and filters', async () => {
    const me = await account()
    const other = await anotherMember(me)
    const ids = await related(me)
    await me.create(path, { subject: 'First', to: [{ email: 'zoe@x.co', name: 'Zoë' }], ...ids })
    await other.create(path, { subject: 'Second', body_html: '<p>about <b>prices</b></p>' })
    const rows: [string, string[]][] = [
      ['?search=first', ['First']],
      ['?search=zoe%40x', ['First']],
      ['?search=zoe', ['First']],
      ['?search=prices', ['Second']],
      ['?status=draft', ['Second', 'First']],
      ['?status=sent', []],
      [`?user_id=${other.userId}`, ['Second']],
      ...Object.entries(ids).map(([field, id]): [string, string[]] => [`?${field}=${id}`, ['First']]),
    ]
    for (const [query, expected] of rows) {
      const { items } = (await me.get(path + query)).body
      expect([query, items.map((draft: { subject: string }) => draft.subject)]).toEqual([query, expected])
    }
    expect((await me.get(`${path}?status=gone`)).status).toBe(422)
  })

  it('fills a draft from a template', async () => {
    const me = await account()
    const { contact_id } = await related(me)
    const template = await me.create('/api/email-templates', {
      subject: 'For {{ contact.first_name }}\nof {{ company.name }}',
      body_html: '<p>{{ greeting | default: "Hello" }}, {{ contact.first_name }}</p>{{ nothing }}',
    })
    const draft = await me.create(path, { contact_id, body_text: 'old', cc: [someone] })
    const apply = (body: unknown, id = draft.id) => me.post(`${path}/${id}/apply-template`, body)
    expect(await apply({ template_id: template.id })).toMatchObject({
      status: 200,
      body: {
        id: draft.id,
        template_id: template.id,
        subject: 'For Ada of Acme',
        body_html: '<p>Hello, Ada</p>',
        body_text: 'Hello, Ada',
        cc: [someone],
      },
    })
    const variables = { greeting: '<Hi>' }
    expect((await apply({ template_id: template.id, variables })).body.body_html).toBe(
      '<p>&lt;Hi&gt;, Ada</p>',
    )
    await me.delete(`/api/contacts/${contact_id}`)
    expect((await apply({ template_id: template.id })).body.subject).toBe('For  of')
    expect((await apply({ template_id: template.id }, newId())).status).toBe(404)
    expect((await apply({})).body.detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'template_id'] })
    const foreign = await related(await account())
    for (const template_id of [newId(), foreign.template_id]) {
      expect((await apply({ template_id })).body.detail[0]).toMatchObject({
        type: 'reference_not_found',
        loc: ['body', 'template_id'],
        msg: 'Email template not found',
      })
    }
  })

  it('cuts a rendered subject that is too long', async () => {
    const me = await account()
    const template = await me.create('/api/email-templates', { subject: '{{ long }}', body_html: '' })
    const draft = await me.create(path, {})
    const body = { template_id: template.id, variables: { long: '😀'.repeat(2000) } }
    const answer = await me.post(`${path}/${draft.id}/apply-template`, body)
    expect(answer.body.subject).toBe('😀'.repeat(998))
  })

  it('returns 409 where sending is not configured', async () => {
    const { create, post, get } = await account()
    const draft = await create(path, { to: [someone] })
    const answer = await post(`${path}/${draft.id}/send`)
    expect(answer).toMatchObject({ status: 409, body: { detail: 'Email sending is not configured' } })
    expect((await get(`${path}/${draft.id}`)).body.status).toBe('draft')
    expect((await post(`${path}/${newId()}/send`)).status).toBe(404)
  })
})
