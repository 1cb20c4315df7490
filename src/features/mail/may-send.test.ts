/** Who may send mail through the service, and to how many recipients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, serviceWith, unconfirmed } from '../../../test/support/person.ts'
import { SLOW, waitFor } from '../../../test/support/process.ts'
import { anyEngine, request } from '../../../test/support/service.ts'
import { type MailServer, mailServer } from '../../mail/testing.ts'
import type { Service } from '../../service.ts'

const path = '/api/email-drafts'
let server: MailServer
beforeAll(async () => {
  server = await mailServer()
})
afterAll(() => server.close())

let number = 0
const someone = () => ({ email: `reader${++number}@example.com` })
const people = (count: number) => Array.from({ length: count }, someone)

describe.each(anyEngine)('writing to people (%s)', SLOW, kind => {
  let service: Service
  let url: string
  beforeAll(async () => {
    const mail = { smtpUrl: server.url, from: 'crm@kith.test' }
    ;({ service, url } = await serviceWith(kind, ({ limits }) => ({
      mail,
      limits: { ...limits, mailRecipientsPerDay: 5 },
    })))
  })
  afterAll(() => service?.close())

  const mailsTo = (email: string) => server.received.filter(mail => mail.to.includes(email))
  const confirm = async ({ email }: Person) => {
    const mail = await waitFor(() => mailsTo(email)[0])
    const token = /cet_[\w-]+/.exec(mail.raw.replace(/=\r\n/g, ''))![0]
    expect((await request(`${url}/api/auth/confirm-email`, 'POST', { token })).status).toBe(200)
  }
  const draft = async (me: Person, values: object): Promise<string> =>
    (await me.call('POST', path, { subject: 'Hello', ...values })).body.id
  const send = (me: Person, id: string) => me.call('POST', `${path}/${id}/send`)
  const ended = (me: Person, id: string, status: string) =>
    waitFor(async () => {
      const { body } = await me.call('GET', `${path}/${id}`)
      return body.status === status ? body : undefined
    })

  it('needs a confirmed address, which becomes the Reply-To', async () => {
    const me = await unconfirmed(service, url, { name: 'Bank Security' })
    const reader = someone()
    const id = await draft(me, { to: [reader] })
    const refused = await send(me, id)
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('Confirm your email address before you send mail')
    await confirm(me)
    expect((await send(me, id)).status).toBe(202)
    await ended(me, id, 'sent')
    expect(mailsTo(reader.email)[0]!.header('Reply-To')).toContain(me.email)

    // The confirmation of the old address does not apply to a new one.
    const later = await draft(me, { to: [someone()], scheduled_at: '2100-01-01T00:00:00Z' })
    expect((await send(me, later)).status).toBe(202)
    const change = { email: `security${number}@bank.example`, current_password: 'correct horse battery' }
    expect((await me.call('PUT', '/api/auth/me', change)).body.email_confirmed_at).toBeNull()
    const soon = { scheduled_at: null, to: [reader] }
    expect((await me.call('PUT', `${path}/${later}`, soon)).status).toBe(200)
    await ended(me, later, 'sent')
    expect(mailsTo(reader.email)[1]!.header('Reply-To')).toBeUndefined()
    expect((await send(me, await draft(me, { to: [reader] }))).status).toBe(403)
  })

  it('is limited within 24 hours for all mails of the account together', async () => {
    const me = await unconfirmed(service, url)
    await confirm(me)
    const many = await send(me, await draft(me, { to: people(6) }))
    expect(many).toMatchObject({ status: 409 })
    expect(many.body.detail).toContain('at most 5 people')
    const [first, second] = [await draft(me, { to: people(3) }), await draft(me, { cc: people(3) })]
    const both = await Promise.all([send(me, first), send(me, second)])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 429])
    const refused = both.find(({ status }) => status === 429)!
    expect(refused.body.detail).toContain('may write to 5 people within 24 hours and has written to 3')
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(86_000)
    expect(wait).toBeLessThanOrEqual(86_400)
    const invitation = await me.call('POST', `/api/accounts/${me.accountId}/invitations`, someone())
    expect(invitation.body.mailed).toBe(true)
    expect((await send(me, await draft(me, { to: people(1) }))).status).toBe(202)
    const beyond = await me.call('POST', `/api/accounts/${me.accountId}/invitations`, someone())
    expect(beyond.body).toMatchObject({ mailed: false, mail_problem: expect.stringContaining('24 hours') })
  })

  it('counts the recipients of a scheduled mail when it is sent', async () => {
    const me = await unconfirmed(service, url)
    await confirm(me)
    const sent = await draft(me, { to: people(4) })
    await send(me, sent)
    await ended(me, sent, 'sent')
    const id = await draft(me, { to: people(1), scheduled_at: '2100-01-01T00:00:00Z' })
    expect((await send(me, id)).status).toBe(202)
    const more = people(3)
    await me.call('PUT', `${path}/${id}`, { to: more, scheduled_at: null })
    const failed = await ended(me, id, 'failed')
    expect(failed.error).toContain('within 24 hours')
    expect(mailsTo(more[0]!.email)).toEqual([])
  })
})
