import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import {
  type Account,
  accountOn,
  anotherMember,
  engines,
  request,
  testConfig,
} from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { mailServer } from '../../mail/testing.ts'
import { createService, type Service } from '../../service.ts'
import { urlProblem } from './operations.ts'
import { receiver, sequencesByRecord, verify } from './receiver.testing.ts'
import { pauseOf } from './settle.ts'
import { newSecret } from './signature.ts'

/** Two hundred times as fast as usual. */
const FAST = { allow: ['127.0.0.0/8'], timeoutMs: 2000, retryMs: 25, giveUpMs: 72 * 3_600_000 }

describe.each(engines)('webhooks (%s)', kind => {
  let service: Service
  let url: string
  let mails: Awaited<ReturnType<typeof mailServer>>
  beforeAll(async () => {
    mails = await mailServer()
    const mail = { smtpUrl: mails.url, from: 'crm@example.com' }
    service = await createService(await testConfig(kind, { webhooks: FAST, mail }))
    url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await service.close()
    await mails.close()
  })
  const newAccount = () => accountOn(service, url)
  const run = (statement: ReturnType<typeof sql>) => statement.execute(systemDb(service.services))
  const hookOf = (account: Account, to: string, types = ['company.*']) =>
    account.create('/api/webhooks', { url: to, event_types: types })
  const deliveries = async (account: Account, id: string, parameters = '') =>
    (await account.get(`/api/webhooks/${id}/deliveries?sort_order=asc${parameters}`)).body.items

  it('post signed events to the address, and log each delivery', async () => {
    const account = await newAccount()
    await account.create('/api/companies', { name: 'Earlier' })
    const taker = await receiver()
    const created = await account.post('/api/webhooks', {
      url: taker.url,
      event_types: ['company.*', 'deal.created'],
      description: 'Warehouse',
    })
    expect(created.status).toBe(201)
    const { secret, ...shown } = created.body
    expect(shown).toMatchObject({
      url: taker.url,
      is_active: true,
      disabled_reason: null,
      failing_since: null,
    })
    expect((await account.get(`/api/webhooks/${shown.id}`)).body).toEqual(shown)
    const company = await account.create('/api/companies', { name: 'Acme' })
    await account.create('/api/contacts', { first_name: 'Ann' })
    await account.put(`/api/companies/${company.id}`, { city: 'Rome' })
    const posted = await taker.until(2)
    expect(posted.map(({ event }) => event.type)).toEqual(['company.created', 'company.updated'])
    for (const one of posted) {
      expect(verify(secret, one)).toEqual(one.event)
      expect(() => verify(newSecret(), one)).toThrow()
      expect(() => verify(secret, { ...one, body: `${one.body} ` })).toThrow()
      expect(one.headers['content-type']).toBe('application/json')
    }
    const { body: events } = await account.get(
      `/api/events?after=${(posted[0]?.event.sequence ?? 0) - 1}&types=company.*`,
    )
    expect(posted.map(({ event }) => event)).toEqual(events.items)
    const log = await waitFor(async () => {
      const found = await deliveries(account, shown.id, '&status=succeeded')
      return found.length === 2 ? found : undefined
    })
    expect(log[1]).toMatchObject({
      message_id: posted[1]?.id,
      event_type: 'company.updated',
      record_id: company.id,
      attempt_count: 1,
      response_status: 200,
      response_excerpt: 'thanks',
      error: null,
      next_attempt_at: null,
    })
    const { body: detail } = await account.get(`/api/webhooks/${shown.id}/deliveries/${log[1].id}`)
    expect(detail.request).toMatchObject({ url: taker.url, headers: { 'webhook-id': posted[1]?.id } })
    expect(detail.request.body).toEqual(posted[1]?.event)
    expect(detail.attempts).toMatchObject([{ response_status: 200, duration_ms: expect.any(Number) }])
    // the secret is nowhere as such, and what a receiver said goes with the record
    const stored = await run(sql`select w::text as row from webhooks w where id = ${shown.id}`)
    expect(JSON.stringify(stored.rows)).not.toContain(secret.slice(6))
    expect((await account.delete(`/api/webhooks/${shown.id}`)).body).toEqual({})
    expect((await account.get(`/api/webhooks/${shown.id}`)).status).toBe(404)
    await account.create('/api/companies', { name: 'Later' })
    expect(taker.posted).toHaveLength(2)
  })

  it('tell of tags on records', async () => {
    const account = await newAccount()
    const taker = await receiver()
    const types = ['company.tag_linked', 'company.tag_unlinked']
    await hookOf(account, taker.url, types)
    const { id } = await account.create('/api/companies', { name: 'Acme' })
    const tag = await account.create('/api/tags', { name: 'VIP' })
    for (const tag_ids of [[tag.id], []]) await account.put(`/api/tags/records/company/${id}`, { tag_ids })
    expect((await taker.until(2)).map(({ event }) => event)).toMatchObject(
      types.map(type => ({
        type,
        record: { entity_type: 'company', id },
        related: { entity_type: 'tag', id: tag.id },
      })),
    )
  })

  it('are delivered in order for each record although the receiver dies, hangs, fails and redirects', async () => {
    const account = await newAccount()
    const inward = await receiver()
    let taker = await receiver()
    const { id } = await hookOf(account, taker.url)
    const companies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => account.create('/api/companies', { name: `C${i}` })),
    )
    await taker.until(6)
    let count = 0
    taker.react = () => {
      count++
      if (count % 5 === 1) return { status: 500, body: 'oops' }
      if (count % 5 === 3) return { status: 302, headers: { location: inward.url } }
      return count % 16 === 2 ? undefined : { status: 204 }
    }
    const write = async (round: number) => {
      for (const company of companies)
        await account.put(`/api/companies/${company.id}`, { city: `City ${round}` })
    }
    for (let round = 0; round < 5; round++) await write(round)
    await taker.until(20)
    const before = taker.accepted
    await taker.close()
    await write(5)
    await waitFor(async () => (await account.get(`/api/webhooks/${id}`)).body.failing_since ?? undefined)
    taker = await receiver(taker.port)
    const all = () => [...before, ...taker.accepted]
    await waitFor(() => (new Set(all().map(({ id: message }) => message)).size === 42 ? true : undefined))
    for (const [, sequences] of sequencesByRecord(all())) {
      expect(sequences).toHaveLength(7)
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    }
    expect(inward.posted).toEqual([])
    await waitFor(async () =>
      (await account.get(`/api/webhooks/${id}`)).body.failing_since ? undefined : true,
    )
    const log = await waitFor(async () => {
      const found = await deliveries(account, id, '&page_size=100&status=succeeded')
      return found.length === 42 ? found : undefined
    })
    const retried = log.find((one: { attempt_count: number }) => one.attempt_count > 1)
    const { body } = await account.get(`/api/webhooks/${id}/deliveries/${retried.id}`)
    const errors = body.attempts.map(({ error }: { error: string | null }) => error)
    expect(errors.at(-1)).toBe(null)
    expect(errors[0]).toMatch(
      /^(The answer was 500|The answer was 302: redirects are not followed|No answer within|The connection was)/,
    )
  })

  it('delay only events of the same record, and fail in the end', async () => {
    const account = await newAccount()
    const taker = await receiver()
    const { id } = await hookOf(account, taker.url)
    const bad = await account.create('/api/companies', { name: 'Bad' })
    await taker.until(1)
    taker.react = ({ event }) =>
      event.record.id === bad.id && event.changes[0]?.to === 'Rome' ? { status: 400 } : { status: 200 }
    await account.put(`/api/companies/${bad.id}`, { city: 'Rome' })
    await account.put(`/api/companies/${bad.id}`, { city: 'Oslo' })
    for (const name of ['A', 'B', 'C']) await account.create('/api/companies', { name })
    await taker.until(4)
    const [first, second] = await deliveries(account, id, `&record_id=${bad.id}&event_type=company.updated`)
    expect([first.status, second.status, second.attempt_count]).toEqual(['pending', 'pending', 0])
    await run(
      sql`update webhook_lanes set failing_since = now() - interval '73 hours' where webhook_id = ${id}`,
    )
    await taker.until(5)
    expect(taker.accepted.at(-1)?.event.changes).toMatchObject([{ to: 'Oslo' }])
    const log = await waitFor(async () => {
      const found = await deliveries(account, id, `&record_id=${bad.id}`)
      return found.every((one: { status: string }) => one.status !== 'pending') ? found : undefined
    })
    expect(log.map((one: { status: string }) => one.status)).toEqual(['succeeded', 'failed', 'succeeded'])
    expect((await account.get(`/api/webhooks/${id}`)).body.is_active).toBe(true)
    // replayed, it has the id that it had
    taker.react = () => ({ status: 200 })
    const again = await account.post(`/api/webhooks/${id}/deliveries/${log[1].id}/replay`)
    expect([again.status, again.body.status]).toEqual([202, 'pending'])
    expect((await taker.until(6)).at(-1)?.id).toBe(log[1].message_id)
  })

  it('are disabled after three days of failure, with a mail, and continue at their position', async () => {
    const account = await newAccount()
    await run(sql`update users set email_confirmed_at = now() where id = ${account.userId}`)
    const taker = await receiver()
    const { id } = await hookOf(account, taker.url)
    taker.react = () => ({ status: 503, body: 'closed', headers: { 'retry-after': '0.01' } })
    const company = await account.create('/api/companies', { name: 'A' })
    await waitFor(async () => (await account.get(`/api/webhooks/${id}`)).body.failing_since ?? undefined)
    await run(sql`update webhooks set failing_since = now() - interval '73 hours' where id = ${id}`)
    const disabled = await waitFor(async () => {
      const { body } = await account.get(`/api/webhooks/${id}`)
      return body.is_active ? undefined : body
    })
    expect(disabled).toMatchObject({
      disabled_reason: 'Every delivery has failed for 3 days; the last error: The answer was 503',
      disabled_at: expect.any(String),
    })
    const notice = await waitFor(() => mails.received.find(({ raw }) => raw.includes(id)))
    expect(notice.to).toEqual([`${account.userId}@people.test`])
    await account.put(`/api/companies/${company.id}`, { city: 'Rome' })
    expect((await account.post(`/api/webhooks/${id}/test`)).status).toBe(409)
    taker.react = () => ({ status: 200 })
    const enabled = await account.put(`/api/webhooks/${id}`, { is_active: true })
    expect(enabled.body).toMatchObject({ is_active: true, disabled_reason: null, failing_since: null })
    expect((await taker.until(2)).map(({ event }) => event.type)).toEqual([
      'company.created',
      'company.updated',
    ])
    taker.react = () => ({ status: 410 })
    await account.put(`/api/companies/${company.id}`, { city: 'Oslo' })
    await waitFor(async () => {
      const { body } = await account.get(`/api/webhooks/${id}`)
      return body.disabled_reason === 'The receiver answered 410 Gone' ? true : undefined
    })
  })

  it('sign with both secrets during a rotation', async () => {
    const account = await newAccount()
    const taker = await receiver()
    const { id, secret: old } = await hookOf(account, taker.url)
    const given = newSecret()
    const rotated = await account.post(`/api/webhooks/${id}/rotate-secret`, { secret: given })
    expect([rotated.status, rotated.body.secret]).toEqual([200, given])
    const until = Date.parse(rotated.body.previous_secret_expires_at) - Date.parse(rotated.body.updated_at)
    expect(until).toBe(24 * 3_600_000)
    await account.create('/api/companies', { name: 'A' })
    const [both] = await taker.until(1)
    for (const secret of [old, given]) expect(both && verify(secret, both)).toBeTruthy()
    const leaked = await account.post(`/api/webhooks/${id}/rotate-secret`, { overlap_seconds: 0 })
    expect(leaked.body.previous_secret_expires_at).toBe(null)
    await account.create('/api/companies', { name: 'B' })
    const second = (await taker.until(2))[1]
    expect(second && verify(leaked.body.secret, second)).toBeTruthy()
    for (const secret of [old, given]) expect(() => second && verify(secret, second)).toThrow()
    // under an Idempotency-Key, the secret is in the first answer only
    const key = { 'idempotency-key': `rotate-${id}` }
    const answers = [0, 1].map(() => account.post(`/api/webhooks/${id}/rotate-secret`, {}, key))
    const [one, two] = [await answers[0], await answers[1]]
    expect([one?.body.secret, two?.body.secret].filter(secret => secret !== undefined)).toHaveLength(1)
  })

  it('send a test event, and replay all events since a time', async () => {
    const account = await newAccount()
    const start = await account.create('/api/companies', { name: 'Before the webhook' })
    const taker = await receiver()
    const { id } = await hookOf(account, taker.url)
    const test = await account.post(`/api/webhooks/${id}/test`)
    expect([test.status, test.body]).toMatchObject([
      202,
      { event_type: 'webhook.test', event_sequence: null },
    ])
    const [posted] = await taker.until(1)
    expect(posted?.event).toMatchObject({ type: 'webhook.test', record: { entity_type: 'webhook', id } })
    taker.react = () => ({ status: 500 })
    const failing = await account.post(`/api/webhooks/${id}/test`)
    const ended = await waitFor(async () => {
      const { body } = await account.get(`/api/webhooks/${id}/deliveries/${failing.body.id}`)
      return body.status === 'pending' ? undefined : body
    })
    expect(ended).toMatchObject({ status: 'failed', attempt_count: 1 })
    expect((await account.get(`/api/webhooks/${id}`)).body.failing_since).toBe(null)
    taker.react = () => ({ status: 200 })
    await account.create('/api/companies', { name: 'After' })
    const normal = (await taker.until(2))[1]
    const replayed = await account.post(`/api/webhooks/${id}/replay`, { since: start.created_at })
    expect(replayed).toMatchObject({ status: 202, body: { first_sequence: expect.any(Number) } })
    // two records, which are sent side by side
    const [first, second] = (await taker.until(4))
      .slice(2)
      .sort((a, b) => a.event.sequence - b.event.sequence)
    expect(first?.event.record.id).toBe(start.id)
    expect(second?.id).toBe(normal?.id)
    const none = await account.post(`/api/webhooks/${id}/replay`, { since: '2999-01-01T00:00:00Z' })
    expect(none.body).toEqual({ first_sequence: null })
  })

  it('contain no values of an erased record', async () => {
    const account = await newAccount()
    const taker = await receiver()
    taker.react = ({ event }) => {
      const name = event.changes.find(({ field }) => field === 'first_name')
      return { status: 200, body: `Stored ${name?.to}` }
    }
    const { id } = await hookOf(account, taker.url, ['contact.*'])
    const contact = await account.create('/api/contacts', { first_name: 'Zebedee' })
    const [logged] = await waitFor(async () => {
      const found = await deliveries(account, id, '&status=succeeded')
      return found.length === 1 ? found : undefined
    })
    expect(logged.response_excerpt).toContain('Zebedee')
    await account.post(`/api/contacts/${contact.id}/erase`)
    const { text, body } = await account.get(`/api/webhooks/${id}/deliveries/${logged.id}`)
    expect(text).not.toContain('Zebedee')
    expect(body).toMatchObject({ attempts: [], request: { body: { type: 'contact.created', changes: [] } } })
  })

  it('refuse addresses, types and secrets that cannot be used', async () => {
    const account = await newAccount()
    const refusal = async (change: object) => {
      const body = { url: 'https://hooks.example.com/', event_types: ['deal.created'], ...change }
      const answer = await account.post('/api/webhooks', body)
      return `${answer.status} ${answer.body.detail?.[0].loc.join('.')} ${answer.body.detail?.[0].msg}`
    }
    expect(await refusal({ url: 'http://10.0.0.1/' })).toMatch(/^422 body.url .*not on the public internet/)
    expect(await refusal({ url: 'https://[::ffff:10.0.0.1]/' })).toMatch(/^422 body.url /)
    expect(await refusal({ url: 'ftp://example.com/' })).toMatch(/^422 body.url .*https/)
    expect(await refusal({ event_types: ['*', 'deal.creatd'] })).toMatch(
      /^422 body.event_types.1 .*did you mean deal.created/,
    )
    expect(await refusal({ secret: 'whsec_c2hvcnQ=' })).toMatch(/^422 body.secret .*24 to 64 bytes/)
    const { id, secret } = await hookOf(account, 'https://hooks.example.com/')
    const put = await account.put(`/api/webhooks/${id}`, { secret: newSecret() })
    expect([put.status, put.body.detail[0].loc]).toEqual([422, ['body', 'secret']])
    expect(JSON.stringify(put.body)).not.toContain('whsec_')
    expect(secret).toMatch(/^whsec_/)
    const nothing = await account.get(`/api/webhooks/${id}/deliveries/${id}`)
    expect([nothing.status, nothing.body.detail]).toEqual([404, 'Delivery not found'])
  })

  it('need an admin whose key may read the records in the events', async () => {
    const account = await newAccount()
    const { id } = await hookOf(account, 'https://hooks.example.com/', ['deal.*'])
    const member = await anotherMember(account, { role: 'member' })
    expect((await member.get('/api/webhooks')).status).toBe(403)
    const clerk = await anotherMember(account, { role: 'admin', scopes: ['webhooks:*', 'contacts:read'] })
    const lacks = 'This API key lacks the scope deals:read'
    const body = { url: 'https://mine.example.com/', event_types: ['contact.*'] }
    expect((await clerk.post('/api/webhooks', body)).status).toBe(201)
    for (const answer of [
      await clerk.post('/api/webhooks', { ...body, event_types: ['deal.created'] }),
      await clerk.put(`/api/webhooks/${id}`, { url: body.url }),
      await clerk.post(`/api/webhooks/${id}/rotate-secret`),
      await clerk.post(`/api/webhooks/${id}/replay`, { since: '2020-01-01T00:00:00Z' }),
      await clerk.get(`/api/webhooks/${id}/deliveries`),
    ])
      expect([answer.status, answer.body.detail]).toEqual([403, lacks])
    expect((await clerk.post('/api/webhooks', { ...body, event_types: ['*'] })).status).toBe(403)
    const reader = await anotherMember(account, { role: 'admin', scopes: ['*:read'] })
    expect((await reader.get('/api/webhooks')).body.total).toBe(2)
    expect((await reader.delete(`/api/webhooks/${id}`)).status).toBe(403)
    expect((await request(`${url}/api/webhooks`, 'GET')).status).toBe(401)
  })

  it.runIf(kind === 'server')('are sent in order by several processes', async () => {
    const account = await newAccount()
    const { databaseUrl } = service.services.config
    const other = await createService(await testConfig(kind, { databaseUrl, webhooks: FAST }))
    const taker = await receiver()
    let count = 0
    taker.react = () => ({ status: ++count % 9 === 0 ? 500 : 200 })
    await hookOf(account, taker.url)
    const companies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => account.create('/api/companies', { name: `C${i}` })),
    )
    await Promise.all(
      companies.map(async ({ id }) => {
        for (let n = 0; n < 9; n++) await account.put(`/api/companies/${id}`, { city: `City ${n}` })
      }),
    )
    await waitFor(() => (new Set(taker.accepted.map(({ id }) => id)).size === 100 ? true : undefined))
    for (const [, sequences] of sequencesByRecord(taker.accepted)) {
      expect(sequences).toHaveLength(10)
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    }
    await other.close()
  })
})

it.each([
  ['https://hooks.example.com/x?y', [], undefined],
  ['http://hooks.example.com/', [], /https/],
  ['http://hooks.example.com/', ['10.0.0.0/8'], undefined],
  ['https://user:secret@example.com/', [], /user name/],
  ['https://localhost:8443/', [], /public internet/],
  ['https://a.localhost/', [], /public internet/],
  ['http://localhost/', ['127.0.0.0/8'], undefined],
  ['https://0x7f000001/', [], /public internet/],
  ['http://8.8.8.8/', ['10.0.0.0/8'], /public internet/],
  ['https://8.8.8.8/', [], undefined],
])('checks the address %s (allowed: %j)', (text, allow, problem) => {
  if (problem === undefined) expect(urlProblem(text, allow)).toBeUndefined()
  else expect(urlProblem(text, allow)).toMatch(problem)
})

it('pauses double up to four hours, with jitter', () => {
  expect([1, 2, 3, 10].map(n => pauseOf(n, 5000, 0.5))).toEqual([5000, 10_000, 20_000, 2_560_000])
  expect(pauseOf(99, 5000, 0.5)).toBe(4 * 3_600_000)
  expect([pauseOf(1, 5000, 0), pauseOf(1, 5000, 1)]).toEqual([3750, 6250])
})
