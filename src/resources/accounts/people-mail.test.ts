/** Mails to people about themselves, through a real mail server that the test runs. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  newEmail,
  PASSWORD,
  registered,
  serviceWith,
  unconfirmed,
} from '../../../test/support/person.ts'
import { SLOW, waitFor } from '../../../test/support/process.ts'
import { anyEngine, request } from '../../../test/support/service.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { type MailServer, mailServer, type Received } from '../../mail/testing.ts'
import type { Service } from '../../service.ts'
import { tokenHash } from './sessions.ts'

let server: MailServer
beforeAll(async () => {
  server = await mailServer()
})
afterAll(() => server.close())

const BAD_TOKEN = {
  status: 422,
  body: { detail: [{ loc: ['body', 'token'], type: 'value_error', input: null }] },
}

/** The text of a mail without the encoding of its lines. */
const textOf = ({ raw }: Received) => raw.replace(/=\r\n/g, '').replaceAll('=3D', '=')

const mailsTo = (email: string, page: string) =>
  server.received.filter(mail => mail.to.includes(email) && textOf(mail).includes(`/account/${page}#`))

const tokenIn = (mail: Received, page: string) =>
  new RegExp(`https://crm\\.example/account/${page}#(\\S+)`).exec(textOf(mail))![1]!

/** The token of the newest of so many mails. */
const mailed = async (email: string, page: string, count = 1) =>
  tokenIn(await waitFor(() => mailsTo(email, page)[count - 1]), page)

describe.each(anyEngine)('mails to people (%s)', SLOW, kind => {
  let service: Service
  let url: string
  beforeAll(async () => {
    const mail = { smtpUrl: server.url, from: 'crm@kith.test' }
    ;({ service, url } = await serviceWith(kind, () => ({ mail, publicUrl: 'https://crm.example' })))
  })
  afterAll(() => service?.close())

  const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    request(`${url}/api/auth/${path}`, 'POST', body, headers)
  const login = async (email: string, password: string) => (await post('login', { email, password })).status
  const db = () => ({ db: systemDb(service.services) })
  const confirmedAt = async (
    call: (method: string, path: string) => Promise<{ body: { email_confirmed_at: unknown } }>,
  ) => (await call('GET', '/api/auth/me')).body.email_confirmed_at
  /** A person with a confirmed address. */
  const confirmed = async () => {
    const person = await unconfirmed(service, url)
    expect((await post('confirm-email', { token: await mailed(person.email, 'confirm-email') })).status).toBe(
      200,
    )
    return person
  }

  it('confirm an address once, with a token that is stored as a hash', async () => {
    const person = await unconfirmed(service, url)
    const token = await mailed(person.email, 'confirm-email')
    const stored = await query(
      db(),
      sql<{ token_hash: Buffer }>`select token_hash from mail_tokens where user_id = ${person.userId}`,
    )
    expect(stored).toEqual([{ token_hash: tokenHash(token) }])
    expect(await confirmedAt(person.call)).toBeNull()
    expect(await post('reset-password', { token, password: PASSWORD })).toMatchObject(BAD_TOKEN)
    expect(await post('confirm-email', { token })).toMatchObject({
      status: 200,
      body: { id: person.userId, email_confirmed_at: expect.any(String) },
    })
    expect(await confirmedAt(person.call)).not.toBeNull()
    expect(await post('confirm-email', { token })).toMatchObject(BAD_TOKEN)
    expect(await person.call('POST', '/api/auth/send-confirmation')).toMatchObject({ status: 409 })
  })

  it('confirm the address that they were sent to, and no other', async () => {
    const person = await confirmed()
    const email = newEmail()
    const change = { email, current_password: PASSWORD }
    expect((await person.call('PUT', '/api/auth/me', change)).body.email_confirmed_at).toBeNull()
    const token = await mailed(email, 'confirm-email')
    await person.call('PUT', '/api/auth/me', { ...change, email: newEmail() })
    expect(await post('confirm-email', { token })).toMatchObject(BAD_TOKEN)
    // another spelling is the same address
    await person.call('PUT', '/api/auth/me', change)
    const again = await mailed(email, 'confirm-email', 2)
    await post('confirm-email', { token: again })
    const upper = await person.call('PUT', '/api/auth/me', { ...change, email: email.toUpperCase() })
    expect(upper.body.email_confirmed_at).not.toBeNull()
  })

  it('confirm within three days, and are sent at most five times an hour', async () => {
    const person = await unconfirmed(service, url)
    const token = await mailed(person.email, 'confirm-email')
    await query(db(), sql`update mail_tokens set expires_at = now() where token_hash = ${tokenHash(token)}`)
    expect(await post('confirm-email', { token })).toMatchObject(BAD_TOKEN)
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) {
      statuses.push((await person.call('POST', '/api/auth/send-confirmation')).status)
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429])
  })

  it('reset a password once and end every session', async () => {
    const person = await unconfirmed(service, url)
    const known = await post('forgot-password', { email: person.email })
    const unknown = await post('forgot-password', { email: newEmail() })
    expect(known).toMatchObject({ status: 202, body: {} })
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    const token = await mailed(person.email, 'reset-password')
    expect(await post('reset-password', { token, password: 'short' })).toMatchObject({ status: 422 })
    expect(await post('reset-password', { token, password: 'a new password' })).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await login(person.email, PASSWORD)).toBe(401)
    expect(await login(person.email, 'a new password')).toBe(200)
    expect((await post('refresh', { refresh_token: person.refreshToken })).status).toBe(401)
    expect(await post('reset-password', { token, password: 'another password' })).toMatchObject(BAD_TOKEN)
    // The token of the mail proves the address.
    const signedIn = await post('login', { email: person.email, password: 'a new password' })
    expect(signedIn.body.user.email_confirmed_at).not.toBeNull()
  })

  it('reset within an hour, and are sent at most five times an hour', async () => {
    const person = await unconfirmed(service, url)
    for (let n = 0; n < 7; n++) await post('forgot-password', { email: person.email })
    const token = await mailed(person.email, 'reset-password', 5)
    const issued = await query(
      db(),
      sql`select 1 from mail_tokens where user_id = ${person.userId} and purpose = 'reset_password'`,
    )
    expect(issued).toHaveLength(5)
    await query(db(), sql`update mail_tokens set expires_at = now() where user_id = ${person.userId}`)
    expect(await post('reset-password', { token, password: 'a new password' })).toMatchObject(BAD_TOKEN)
    expect(await login(person.email, PASSWORD)).toBe(200)
  })

  it('invite, when the inviter is confirmed, with a token that confirms the address', async () => {
    const host = await unconfirmed(service, url)
    const path = `/api/accounts/${host.accountId}/invitations`
    const refused = await host.call('POST', path, { email: newEmail() })
    expect(refused).toMatchObject({ status: 201, body: { mailed: false, token: expect.any(String) } })
    expect(refused.body.mail_problem).toContain('Confirm your email address')
    await post('confirm-email', { token: await mailed(host.email, 'confirm-email') })
    const silent = await host.call('POST', path, { email: newEmail(), send_mail: false })
    expect(silent.body).toMatchObject({ mailed: false, mail_problem: null })

    const email = newEmail()
    const invited = await host.call('POST', path, { email }, { 'idempotency-key': email })
    expect(invited.body).toMatchObject({ mailed: true, mail_problem: null })
    const token = await mailed(email, 'accept-invitation')
    expect(token).not.toBe(invited.body.token)
    const accepted = await post('accept-invitation', { token, name: 'Guest', password: PASSWORD })
    expect(accepted).toMatchObject({ status: 200, body: { account: { id: host.accountId } } })
    expect(accepted.body.user.email_confirmed_at).not.toBeNull()
    expect(mailsTo(email, 'confirm-email')).toEqual([])

    // Inviting again ends the earlier mail's token; the inviter's own token confirms nothing.
    const other = newEmail()
    await host.call('POST', path, { email: other })
    const earlier = await mailed(other, 'accept-invitation')
    const again = await host.call('POST', path, { email: other, send_mail: false })
    const newcomer = { name: 'Guest', password: PASSWORD }
    expect((await post('accept-invitation', { token: earlier, ...newcomer })).status).toBe(404)
    const joined = await post('accept-invitation', { token: again.body.token, ...newcomer })
    expect(joined).toMatchObject({ status: 200, body: { user: { email_confirmed_at: null } } })
  })

  it('invite a person whose address another person has registered', async () => {
    const host = await confirmed()
    const squatter = await unconfirmed(service, url, { name: 'Squatter' })
    const path = `/api/accounts/${host.accountId}/invitations`
    const { body } = await host.call('POST', path, { email: squatter.email })
    const mine = { name: 'Rightful', password: 'my own password' }
    expect((await post('accept-invitation', { token: body.token, ...mine })).status).toBe(401)
    const token = await mailed(squatter.email, 'accept-invitation')
    expect((await post('accept-invitation', { token, name: 'x', password: 'short' })).status).toBe(422)
    const accepted = await post('accept-invitation', { token, ...mine })
    expect(accepted).toMatchObject({ status: 200, body: { user: { name: 'Rightful' } } })
    expect(await login(squatter.email, PASSWORD)).toBe(401)
    expect(await login(squatter.email, mine.password)).toBe(200)
    expect((await post('refresh', { refresh_token: squatter.refreshToken })).status).toBe(401)

    // Once the address is confirmed, its password is needed even with the mail.
    const { email } = await confirmed()
    await host.call('POST', path, { email })
    const other = await mailed(email, 'accept-invitation')
    expect((await post('accept-invitation', { token: other, ...mine })).status).toBe(401)
    expect((await post('accept-invitation', { token: other, password: PASSWORD })).status).toBe(200)
  })

  it('contain no text of another person that could become a link', async () => {
    const host = await unconfirmed(service, url, {
      name: 'Win at http://evil.example now',
      account_name: 'evil.example',
    })
    await post('confirm-email', { token: await mailed(host.email, 'confirm-email') })
    const email = newEmail()
    await host.call('POST', `/api/accounts/${host.accountId}/invitations`, { email })
    await mailed(email, 'accept-invitation')
    const written = [...mailsTo(host.email, 'confirm-email'), ...mailsTo(email, 'accept-invitation')]
    for (const mail of written) expect(textOf(mail)).not.toMatch(/evil\.example|http:/)
  })

  it('complete a registration without revealing whether the address is registered', async () => {
    const known = await confirmed()
    const unknown = newEmail()
    const input = { password: 'a password of mine', name: 'New', account_name: 'New Ltd' }
    const register = (email: string) => post('register', { email, ...input })
    const answers = [await register(known.email), await register(unknown)]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, { mailed_to: known.email }],
      [202, { mailed_to: unknown }],
    ])
    const token = await mailed(unknown, 'confirm-email')
    // No user is created until the token is redeemed, and the existing person is unchanged.
    expect(await login(unknown, input.password)).toBe(401)
    expect(await login(known.email, input.password)).toBe(401)
    const told = await waitFor(() =>
      server.received.find(mail => mail.to.includes(known.email) && textOf(mail).includes('registered')),
    )
    expect(textOf(told)).not.toContain('rgt_')

    expect(await post('confirm-email', { token: `${token}x` })).toMatchObject(BAD_TOKEN)
    expect(await post('confirm-email', { token })).toMatchObject({
      status: 200,
      body: { email: unknown, name: 'New', email_confirmed_at: expect.any(String) },
    })
    expect(await post('confirm-email', { token })).toMatchObject(BAD_TOKEN)
    const signedIn = await post('login', { email: unknown, password: input.password })
    expect(signedIn.body.accounts).toMatchObject([{ name: 'New Ltd', role: 'owner' }])
  })

  it('register once, within three days, and are sent at most five times an hour', async () => {
    const email = newEmail()
    const input = { password: PASSWORD, name: 'New' }
    // another spelling is the same address
    for (const address of [email, email, email, email, email, email, email.toUpperCase()])
      expect((await post('register', { email: address, ...input })).status).toBe(202)
    const first = await mailed(email, 'confirm-email')
    const last = await mailed(email, 'confirm-email', 5)
    const pending = () => query(db(), sql`select 1 from registrations where lower(email) = ${email}`)
    expect(await pending()).toHaveLength(5)
    await query(db(), sql`update registrations set expires_at = now() where token_hash = ${tokenHash(first)}`)
    expect(await post('confirm-email', { token: first })).toMatchObject(BAD_TOKEN)
    expect((await post('confirm-email', { token: last })).status).toBe(200)
    expect(await pending()).toEqual([])
  })

  it('lead to pages that exist', async () => {
    for (const page of ['confirm-email', 'reset-password', 'accept-invitation', 'page.js', 'page.css']) {
      // with a web client, two of them are its pages
      const response = await fetch(`${url}/account/${page}`, { headers: { accept: 'text/html' } })
      expect([page, response.status]).toEqual([page, 200])
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
    }
    expect((await request(`${url}/api/auth/settings`, 'GET')).body.password_reset).toBe(true)
  })
})

describe.each(anyEngine)('a service without mail (%s)', kind => {
  it('reports that mail is not configured', async () => {
    const { service, url } = await serviceWith(kind, () => ({}))
    try {
      const refusal = { status: 409, body: { detail: 'Email sending is not configured' } }
      const forgot = await request(`${url}/api/auth/forgot-password`, 'POST', { email: newEmail() })
      expect(forgot).toMatchObject(refusal)
      const person = await registered(url)
      expect(await person.call('POST', '/api/auth/send-confirmation')).toMatchObject(refusal)
      const path = `${url}/api/accounts/${person.accountId}/invitations`
      const invited = await request(path, 'POST', { email: newEmail() }, bearer(person.token))
      expect(invited.body).toMatchObject({ mailed: false, mail_problem: refusal.body.detail })
      expect((await request(`${url}/api/auth/settings`, 'GET')).body.password_reset).toBe(false)
    } finally {
      await service.close()
    }
  })
})
