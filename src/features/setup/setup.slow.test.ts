/** The first run: from the link that a start prints to a signed-in owner. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, serviceWith } from '../../../test/support/person.ts'
import { SLOW, startKith, tempFolder, waitFor } from '../../../test/support/process.ts'
import { anyEngine, engines, freshDatabase, request } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import type { Service } from '../../service.ts'

describe.each(engines)('the first run (%s)', kind => {
  const started = async () => {
    const { service, url } = await serviceWith(kind, () => ({ registration: 'invited' as const }))
    const token = await service.setupToken()
    if (token === undefined) throw new Error('a new service issues no setup token')
    const input = {
      token,
      name: 'Ada Lovelace',
      email: newEmail(),
      password: PASSWORD,
      account_name: 'Analytical Engines',
    }
    const setUp = (changes: object = {}, headers: Record<string, string> = {}) =>
      request(`${url}/api/setup`, 'POST', { ...input, ...changes }, headers)
    const needed = async () => (await request(`${url}/api/setup`, 'GET')).body
    return { service, url, token, input, setUp, needed }
  }

  const keyed = (url: string, key: string, path: string) =>
    request(url + path, 'GET', undefined, { 'x-api-key': key })

  it('makes one of two concurrent requests the owner of the first account, once', async () => {
    const { service, url, setUp, needed } = await started()
    try {
      expect(await needed()).toEqual({ needed: true })
      const emails = [newEmail(), newEmail()]
      const answers = await Promise.all(emails.map(email => setUp({ email })))
      const isFirst = answers.findIndex(({ status }) => status === 201)
      const [answer, email] = [answers[isFirst], emails[isFirst]]
      expect(answer).toMatchObject({
        status: 201,
        body: {
          user: { name: 'Ada Lovelace', email },
          account: { name: 'Analytical Engines', slug: 'analytical-engines', role: 'owner' },
          api_key: expect.stringMatching(/^sk_/),
          demo_job_id: null,
        },
      })
      expect(answer?.body.account.id).toBe(service.first?.accountId)
      expect(answer?.headers.get('set-cookie')).toMatch(/^kith=rt_/)
      expect(answer?.headers.get('cache-control')).toBe('no-store')
      expect(await needed()).toEqual({ needed: false })
      expect(await service.setupToken()).toBeUndefined()
      expect(await keyed(url, answer?.body.api_key, '/api/companies')).toMatchObject({ status: 200 })
      expect(await request(`${url}/api/session`, 'POST', { email, password: PASSWORD })).toMatchObject({
        status: 200,
      })
      const refused = { status: 409, body: { detail: 'This service is set up already: sign in' } }
      expect(answers[1 - isFirst]).toMatchObject(refused)
      expect(await setUp({ email: newEmail() })).toMatchObject(refused)
    } finally {
      await service.close()
    }
  })

  it.runIf(anyEngine.includes(kind))('fills the account with demo data as a job', SLOW, async () => {
    const { service, url, setUp } = await started()
    try {
      const { body } = await setUp({ demo: true })
      const job = () => keyed(url, body.api_key, `/api/jobs/${body.demo_job_id}`)
      await waitFor(async () => (await job()).body.status === 'completed')
      const { body: done } = await job()
      expect(done).toMatchObject({ result: { counts: { companies: 40 } } })
      expect(await keyed(url, body.api_key, '/api/companies')).toMatchObject({ body: { total: 40 } })
    } finally {
      await service.close()
    }
  })

  it.runIf(anyEngine.includes(kind))(
    'refuses other tokens, earlier ones and expired ones, and other sites, and ends when a person has registered',
    async () => {
      const { service, url, setUp, needed, token } = await started()
      try {
        const refused = {
          status: 422,
          body: {
            detail: [{ loc: ['body', 'token'], input: null, msg: expect.stringContaining('restart') }],
          },
        }
        expect(await setUp({ token: 'x' })).toMatchObject(refused)
        const latest = await service.setupToken()
        expect(await setUp({ token })).toMatchObject(refused)
        await ageToken(service)
        expect(await setUp({ token: latest })).toMatchObject(refused)
        const other = await service.setupToken()
        expect(await setUp({ token: other }, { origin: 'https://evil.test' })).toMatchObject({ status: 403 })
        expect(await setUp({ token: other, password: 'short' })).toMatchObject({ status: 422 })
        expect(await needed()).toEqual({ needed: true })
        const person = { email: newEmail(), password: PASSWORD, name: 'Grace Hopper' }
        expect(await request(`${url}/api/auth/register`, 'POST', person)).toMatchObject({ status: 201 })
        expect(await setUp({ token: other })).toMatchObject({ status: 409 })
      } finally {
        await service.close()
      }
    },
  )
})

const ageToken = ({ services }: Service) =>
  sql`update service_secrets set created_at = now() - interval '25 hours' where name = 'setup token'`.execute(
    systemDb(services),
  )

describe('a start', SLOW, () => {
  it('prints the link until there is an owner, each time another one', async () => {
    const database = anyEngine.includes('server') ? { DATABASE_URL: await freshDatabase() } : {}
    const env = { KITH_DATA_DIR: tempFolder(), ...database }
    const linkOf = (text: string) => /^ {2}(\S+)\/setup#token=([0-9a-f]{64})$/m.exec(text)
    const first = await startKith({ env })
    const [, address, stale] = linkOf(first.stdout()) ?? []
    expect(address).toBe(first.url)
    expect(await first.stop()).toBe(0)
    const second = await startKith({ env })
    const token = linkOf(second.stdout())?.[2]
    expect(token).not.toBe(stale)
    const owner = { name: 'Ada', email: newEmail(), password: PASSWORD, account_name: 'Engines' }
    const setUp = (given: string | undefined) =>
      request(`${second.url}/api/setup`, 'POST', { ...owner, token: given })
    expect(await setUp(stale)).toMatchObject({ status: 422 })
    expect(await setUp(token)).toMatchObject({ status: 201 })
    expect(await second.stop()).toBe(0)
    const third = await startKith({ env })
    expect(third.stdout()).not.toContain('/setup')
    expect(await third.stop()).toBe(0)
  })
})
