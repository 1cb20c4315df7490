/** Sends mails to a real mail server that the test runs and scripts. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SLOW, startKith, tempFolder, waitFor } from '../../../test/support/process.ts'
import {
  type Answer,
  anyEngine,
  type EngineKind,
  engines,
  freshDatabase,
  request,
  testConfig,
} from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { type MailServer, mailServer } from '../../mail/testing.ts'
import { createService, type Service } from '../../service.ts'

const KEY = 'sk_mail_0123456789abcdef'
const path = '/api/email-drafts'
let server: MailServer

beforeAll(async () => {
  server = await mailServer()
})
afterAll(() => server.close())

const client = (url: string) => {
  const call = (method: string, at: string, body?: unknown, key = KEY): Promise<Answer> =>
    request(url + at, method, body, { 'x-api-key': key })
  return {
    call,
    get: (at: string) => call('GET', at),
    post: (at: string, body?: unknown) => call('POST', at, body),
    put: (at: string, body: unknown) => call('PUT', at, body),
    create: async (at: string, body: unknown) => (await call('POST', at, body)).body,
    /** Waits until the draft has this status. */
    draftThatIs: (id: string, status: string) =>
      waitFor(async () => {
        const { body } = await call('GET', `${path}/${id}`)
        return body.status === status ? body : undefined
      }),
  }
}

let number = 0
/** An address that no other test writes to. */
const someone = () => `person${++number}@example.com`
/** Runs the next attempt now; returns whether one was queued. */
const atOnce = async ({ services }: Service): Promise<boolean> => {
  const { rows } = await sql`with due as (update jobs set run_at = now() where run_at > now() and attempts > 0
    returning id) select pg_notify('kith_jobs', '') from due`.execute(systemDb(services))
  return rows.length > 0
}
const mailsTo = (email: string) => server.received.filter(mail => mail.to.includes(email))

describe.each(engines)('sending (%s)', SLOW, kind => {
  let service: Service
  let me: ReturnType<typeof client>

  beforeAll(async () => {
    const mail = { smtpUrl: server.url, from: 'crm@kith.test' }
    service = await createService(await testConfig(kind, { apiKey: KEY, mail }))
    me = client(await service.app.listen({ port: 0, host: '127.0.0.1' }))
  })
  afterAll(() => service.close())

  it('delivers the whole mail once and creates an activity', async () => {
    const email = someone()
    const company = await me.create('/api/companies', { name: 'Acme' })
    const contact = await me.create('/api/contacts', { first_name: 'Ada', email, company_id: company.id })
    const deal = await me.create('/api/deals', { name: 'Deal' })
    const draft = await me.create(path, {
      to: [{ email, name: 'Ada, "the" Lövelace' }],
      cc: [{ email: 'cc@example.com' }],
      bcc: [{ email: 'hidden@example.com' }],
      subject: 'Grüße',
      body_html: '<p>Hello <b>Ada</b><script>x()</script></p>',
      in_reply_to: '<before@example.com>',
      attachments: [{ file_name: 'in.txt', content: Buffer.from('inline file').toString('base64') }],
      ...{ contact_id: contact.id, deal_id: deal.id, company_id: company.id },
    })
    const form = new FormData()
    form.set('file', new File(['stored file'], 'up.txt', { type: 'text/plain' }))
    expect((await me.post(`${path}/${draft.id}/attachments`, form)).status).toBe(201)
    const answers = await Promise.all([1, 2, 3].map(() => me.post(`${path}/${draft.id}/send`)))
    expect(answers[0]).toMatchObject({
      status: 202,
      body: { id: draft.id, message_id: `<${draft.id}@kith.test>` },
    })
    const sent = await me.draftThatIs(draft.id, 'sent')
    expect(sent).toMatchObject({ error: null, message_id: `<${draft.id}@kith.test>` })
    expect(sent.sent_at).not.toBeNull()
    const mails = mailsTo(email)
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail!.to).toEqual([email, 'cc@example.com', 'hidden@example.com'])
    expect(mail!.header('Message-ID')).toBe(`<${draft.id}@kith.test>`)
    expect(mail!.header('In-Reply-To')).toBe('<before@example.com>')
    expect(mail!.header('From')).toContain('<crm@kith.test>')
    expect(mail!.raw).not.toMatch(/hidden@|<script>/)
    expect(mail!.raw).toContain(Buffer.from('stored file').toString('base64'))
    expect(mail!.raw).toContain(Buffer.from('inline file').toString('base64'))
    const { body: activity } = await me.get(`/api/activities/${sent.activity_id}`)
    expect(activity).toMatchObject({
      ...{
        type: 'email',
        subject: 'Grüße',
        status: 'completed',
        direction: 'outbound',
        description: 'Hello Ada',
      },
      contact_ids: [{ id: contact.id }],
      deal_ids: [{ id: deal.id }],
      company_ids: [{ id: company.id }],
    })
    expect((await me.get(`/api/contacts/${contact.id}`)).body.last_interaction).not.toBeNull()
    expect((await me.post(`${path}/${draft.id}/send`)).status).toBe(409)
    expect((await me.put(`${path}/${draft.id}`, { subject: 'x' })).status).toBe(409)
  })

  it('retries after a 4xx', async () => {
    const email = someone()
    let refusals = 0
    server.answer = async mail =>
      mail.to.includes(email) && refusals++ === 0 ? { code: 451, text: 'Try later' } : undefined
    const draft = await me.create(path, { to: [{ email }], subject: 'x' })
    await me.post(`${path}/${draft.id}/send`)
    await waitFor(() => atOnce(service))
    expect(await me.draftThatIs(draft.id, 'sent')).toMatchObject({ error: null })
    expect([refusals, mailsTo(email).length]).toEqual([2, 1])
  })

  it('fails after a 5xx with the reason, and can be sent again', async () => {
    const email = someone()
    let mended = false
    server.answer = async mail =>
      mail.to.includes(email) && !mended ? { code: 554, text: 'No such mailbox' } : undefined
    const draft = await me.create(path, { to: [{ email }], subject: 'x' })
    await me.post(`${path}/${draft.id}/send`)
    const failed = await me.draftThatIs(draft.id, 'failed')
    expect(failed).toMatchObject({ sent_at: null, activity_id: null })
    expect(failed.error).toContain('No such mailbox')
    expect((await me.get(`${path}?status=failed&ids=${draft.id}`)).body.total).toBe(1)
    mended = true
    expect((await me.post(`${path}/${draft.id}/send`)).status).toBe(202)
    expect(await me.draftThatIs(draft.id, 'sent')).toMatchObject({
      error: null,
      message_id: failed.message_id,
    })
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('fills in variables as it sends, and a draft that fails has its own text', async () => {
    const email = someone()
    let mended = false
    server.answer = async mail =>
      mail.to.includes(email) && !mended ? { code: 554, text: 'No such mailbox' } : undefined
    const contact = await me.create('/api/contacts', { first_name: 'A<b>da', email })
    const source = { subject: 'For {{contact.first_name}}', body_html: '<p>Dear {{contact.first_name}}</p>' }
    const draft = await me.create(path, { to: [{ email }], contact_id: contact.id, ...source })
    await me.post(`${path}/${draft.id}/send`, { fill_variables: true })
    expect(await me.draftThatIs(draft.id, 'failed')).toMatchObject(source)
    mended = true
    expect((await me.post(`${path}/${draft.id}/send`, { fill_variables: true })).body).toMatchObject(source)
    const sent = await me.draftThatIs(draft.id, 'sent')
    expect(sent).toMatchObject({ subject: 'For A<b>da', body_html: '<p>Dear A&lt;b&gt;da</p>' })
    expect(sent.body_text).toBe('Dear A<b>da')
    expect(mailsTo(email)[0]?.header('Subject')).toBe('For A<b>da')
    expect((await me.get(`/api/activities/${sent.activity_id}`)).body.subject).toBe('For A<b>da')
  })

  it('fills in only what the sender may read', async () => {
    const email = someone()
    const contact = await me.create('/api/contacts', { first_name: 'Ada', email })
    const scopes = ['email-drafts:read', 'email-drafts:write']
    const { key } = await me.create('/api/api-keys', { name: 'mailer', scopes })
    const texts = { subject: 'For {{contact.first_name}}!', body_html: '' }
    const draft = await me.create(path, { to: [{ email }], contact_id: contact.id, ...texts })
    await me.call('POST', `${path}/${draft.id}/send`, { fill_variables: true }, key)
    expect(await me.draftThatIs(draft.id, 'sent')).toMatchObject({ subject: 'For !' })
  })

  it('waits for its scheduled time, and can be rescheduled and cancelled', async () => {
    const email = someone()
    const draft = await me.create(path, { to: [{ email }], scheduled_at: '2100-01-01T00:00:00Z' })
    expect((await me.post(`${path}/${draft.id}/send`)).body).toMatchObject({ status: 'scheduled' })
    expect((await me.post(`${path}/${draft.id}/unschedule`)).body).toMatchObject({ status: 'draft' })
    expect((await me.post(`${path}/${draft.id}/unschedule`)).status).toBe(409)
    await me.post(`${path}/${draft.id}/send`)
    expect(mailsTo(email)).toHaveLength(0)
    await me.put(`${path}/${draft.id}`, { scheduled_at: new Date(Date.now() + 300).toISOString() })
    await me.post(`${path}/${draft.id}/send`)
    await me.draftThatIs(draft.id, 'sent')
    expect(mailsTo(email)).toHaveLength(1)
  })

  it.each([['do_not_contact'], ['email_opt_out']])('refuses contacts with %s, unless forced', async flag => {
    const email = someone()
    const contact = await me.create('/api/contacts', { first_name: 'Nora', email, [flag]: true })
    for (const about of [
      { contact_id: contact.id, to: [{ email: someone() }] },
      { cc: [{ email: email.toUpperCase() }] },
    ]) {
      const draft = await me.create(path, about)
      const refused = await me.post(`${path}/${draft.id}/send`)
      expect(refused).toMatchObject({ status: 409 })
      expect(refused.body.detail).toContain('Nora asked not to be written to')
      expect((await me.get(`${path}/${draft.id}`)).body.status).toBe('draft')
      expect((await me.post(`${path}/${draft.id}/send`, { force: true })).status).toBe(202)
      await me.draftThatIs(draft.id, 'sent')
    }
  })

  it('refuses a draft without a recipient', async () => {
    const draft = await me.create(path, { subject: 'x' })
    expect(await me.post(`${path}/${draft.id}/send`)).toMatchObject({
      status: 409,
      body: { detail: 'The draft has no recipient' },
    })
  })

  it.each([
    ['subject', 'a\r\nBcc: evil@example.com'],
    ['in_reply_to', '<a@b>\r\nBcc: evil@example.com'],
    ['to', [{ email: 'a@b.co\r\nBcc: evil@example.com' }]],
    ['to', [{ email: 'a@b.co', name: 'x\r\nBcc: evil@example.com' }]],
  ])('refuses line breaks in %s', async (field, value) => {
    const answer = await me.post(path, { [field]: value })
    expect(answer.status).toBe(422)
  })

  it('refuses line breaks in templates and file names', async () => {
    const email = someone()
    const template = await me.create('/api/email-templates', { subject: 'Hi {{ x }}', body_html: '<p>x</p>' })
    const draft = await me.create(path, {
      to: [{ email }],
      attachments: [{ file_name: 'a\r\nBcc: evil@example.com', content: 'eA==' }],
    })
    const variables = { x: 'you\r\nBcc: evil@example.com' }
    await me.post(`${path}/${draft.id}/apply-template`, { template_id: template.id, variables })
    await me.post(`${path}/${draft.id}/send`)
    await me.draftThatIs(draft.id, 'sent')
    expect(mailsTo(email)[0]!.to).toEqual([email])
    expect(mailsTo(email)[0]!.raw).not.toMatch(/^Bcc:/im)
  })
})

describe.each(anyEngine)('a service that dies while it sends (%s)', SLOW, (kind: EngineKind) => {
  it('sends the same mail again with the same id and stores one activity', async () => {
    const email = someone()
    const database: Record<string, string> = kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}
    const env = {
      ...database,
      ...{
        KITH_API_KEY: KEY,
        KITH_DATA_DIR: tempFolder(),
        KITH_JOB_HOLD_SECONDS: '1',
        KITH_EMBEDDINGS_LOCAL: 'off',
      },
      ...{ KITH_SMTP_URL: server.url, KITH_MAIL_FROM: 'crm@kith.test' },
    }
    const first = await startKith({ env })
    const ids: (string | undefined)[] = []
    server.answer = async mail => {
      if (!mail.to.includes(email)) return undefined
      ids.push(mail.header('Message-ID'))
      // the process is killed before the server's response arrives
      if (ids.length === 1) await first.stop('SIGKILL')
      return undefined
    }
    const contact = await client(first.url).create('/api/contacts', { first_name: 'Ada', email })
    const draft = await client(first.url).create(path, {
      to: [{ email }],
      contact_id: contact.id,
      subject: 'x',
    })
    await client(first.url).post(`${path}/${draft.id}/send`)
    await waitFor(() => ids.length === 1 || undefined)
    await first.exited
    const second = client((await startKith({ env })).url)
    const sent = await second.draftThatIs(draft.id, 'sent')
    expect(ids).toEqual([sent.message_id, sent.message_id])
    expect((await second.get(`/api/contacts/${contact.id}/activities`)).body.total).toBe(1)
  })
})
