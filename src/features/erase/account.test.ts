import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { allTables, fillTables, type Table } from '../../../test/support/any-row.ts'
import {
  bearer,
  joining,
  newPerson,
  PASSWORD,
  registered,
  serviceWith,
} from '../../../test/support/person.ts'
import { waitFor } from '../../../test/support/process.ts'
import { accountOn, anyEngine, contextOf, onAnyEngine, request } from '../../../test/support/service.ts'
import { type Engine, SYSTEM } from '../../db/engine.ts'
import { JobStopped } from '../../kernel/jobs.ts'
import { resources } from '../../resources/index.ts'
import { startWorker } from '../../worker/worker.ts'
import { featureJobs } from '../index.ts'
import { deleteAccountHandler } from './account-job.ts'

/** How many rows each table has of an account. */
async function rowsOf(engine: Engine, tables: readonly Table[], accountId: string) {
  const counts = tables
    .filter(({ owned }) => owned)
    .map(
      ({ name }) =>
        sql`select ${sql.lit(name)} as name, count(*)::int as rows from ${sql.table(name)} where account_id = ${accountId}`,
    )
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(counts, sql` union all `)}`.execute(
    engine.as(SYSTEM),
  )
  return Object.fromEntries(rows.filter(row => row.rows > 0).map(row => [row.name, row.rows]))
}

const accountExists = async (engine: Engine, id: string) =>
  (await sql`select from accounts where id = ${id}`.execute(engine.as(SYSTEM))).rows.length > 0

describe.each(anyEngine)('deleting an account (%s)', kind => {
  it('removes all rows and files of the account and no others, also after a kill', async () => {
    const { service, url } = await serviceWith(kind, config => ({
      // The test starts the worker itself, when the first one has been "killed".
      jobs: { ...config.jobs, inServer: false },
    }))
    const { services } = service
    const { engine, config } = services
    try {
      const owner = await registered(url, { account_name: 'Leaving Ltd' })
      const mine = { ...owner, service } as never
      const other = await accountOn(service, url)
      const tables = await allTables(engine)
      const slug = (await owner.call('GET', `/api/accounts/${owner.accountId}`)).body.slug
      // More rows than one step removes, and links between them.
      const create = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body
      const items = Array.from({ length: 250 }, (_, i) => ({
        action: 'create',
        record: { name: `Company ${i}` },
      }))
      await create('/api/companies/batch', { items })
      const company = await create('/api/companies', { name: 'Acme' })
      const contact = await create('/api/contacts', {
        first_name: 'Ann',
        company_id: company.id,
        categories: ['vip'],
      })
      const ids = { company_id: company.id, primary_contact_id: contact.id }
      const deal = await create('/api/deals', { name: 'Deal', ...ids })
      await create('/api/activities', {
        type: 'call',
        subject: 'Call',
        contact_ids: [contact.id],
        deal_ids: [deal.id],
      })
      await fillTables(engine, tables, owner.accountId, owner.userId, 'Mine')
      await fillTables(engine, tables, other.accountId, other.userId, 'Other')
      const folders = [
        config.files.dir,
        config.files.audioDir,
        config.files.attachmentDir,
        config.files.recordFileDir,
      ]
      const fileOf = (folder: string, account: string) => join(folder, account, account)
      for (const folder of folders) {
        for (const account of [owner.accountId, other.accountId]) {
          mkdirSync(join(folder, account), { recursive: true })
          writeFileSync(fileOf(folder, account), 'content')
        }
      }
      const before = await rowsOf(engine, tables, other.accountId)
      expect(Object.keys(before)).toHaveLength(tables.filter(({ owned }) => owned).length)

      const path = `/api/accounts/${owner.accountId}/delete`
      const input = { slug, current_password: PASSWORD, without_export: true }
      expect(await owner.call('POST', path, input)).toMatchObject({ status: 202, body: {} })
      expect(await accountExists(engine, owner.accountId)).toBe(true)

      // A process that dies after the third step has committed three.
      let steps = 0
      const dying = {
        id: owner.accountId,
        signal: new AbortController().signal,
        async progress() {
          if (++steps === 3) throw new JobStopped('lost')
        },
      }
      const ctx = contextOf(mine, services)
      await expect(deleteAccountHandler.run(ctx, {}, dying)).rejects.toThrow(JobStopped)
      expect(await rowsOf(engine, tables, owner.accountId)).not.toEqual({})

      const worker = await startWorker(services, featureJobs(resources), [])
      await waitFor(async () => !(await accountExists(engine, owner.accountId)))
      await worker.stop()
      expect(await rowsOf(engine, tables, owner.accountId)).toEqual({})
      expect(await rowsOf(engine, tables, other.accountId)).toEqual(before)
      for (const folder of folders) {
        expect(existsSync(fileOf(folder, owner.accountId))).toBe(false)
        expect(existsSync(fileOf(folder, other.accountId))).toBe(true)
      }
    } finally {
      await service.close()
    }
  })
})

onAnyEngine('deleting an account', (_, kind) => {
  const slugOf = async (person: { accountId: string; call: Awaited<ReturnType<typeof newPerson>>['call'] }) =>
    (await person.call('GET', `/api/accounts/${person.accountId}`)).body.slug

  it('needs a signed-in owner and a confirmation', async () => {
    const owner = await newPerson(kind)
    const path = `/api/accounts/${owner.accountId}/delete`
    const input = { slug: await slugOf(owner), without_export: true }
    const admin = await joining(owner, 'admin')
    expect(await admin.call('POST', path, input)).toMatchObject({
      status: 403,
      body: { detail: 'This needs the role owner or higher' },
    })
    const stranger = await newPerson(kind)
    expect((await stranger.call('POST', path, input)).status).toBe(404)
    for (const slug of ['another', '', input.slug.toUpperCase()]) {
      const refused = await owner.call('POST', path, { ...input, slug })
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'slug'] }] } })
    }
    expect((await owner.call('POST', path, { ...input, really: true })).status).toBe(422)
    const key = (await owner.call('POST', '/api/api-keys', { name: 'all' })).body.key
    expect(await request(owner.url + path, 'POST', input, { 'x-api-key': key })).toMatchObject({
      status: 403,
      body: { detail: 'An API key cannot do this: sign in as a person' },
    })
    expect((await owner.call('GET', '/api/companies')).status).toBe(200)
  })

  it('needs the password of users who have one', async () => {
    const owner = await registered((await newPerson(kind)).url)
    const path = `/api/accounts/${owner.accountId}/delete`
    const input = { slug: await slugOf(owner), without_export: true }
    for (const wrong of [{}, { current_password: 'wrong' }]) {
      expect(await owner.call('POST', path, { ...input, ...wrong })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'current_password'] }] },
      })
    }
    expect((await owner.call('GET', '/api/companies')).status).toBe(200)
  })

  it('needs a finished archive, unless the owner waives it', async () => {
    const owner = await newPerson(kind)
    const path = `/api/accounts/${owner.accountId}/delete`
    const input = { slug: await slugOf(owner) }
    const refused = await owner.call('POST', path, input)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('POST /api/exports')
    const started = await owner.call('POST', '/api/exports', { entity_type: 'account' })
    await owner.call('GET', `/api/jobs/${started.body.job_id}/events`)
    expect((await owner.call('POST', path, input)).status).toBe(202)
  })

  it('ends all access at once', async () => {
    const owner = await newPerson(kind)
    const { url } = owner
    const member = await registered(url)
    const guest = await joining(owner, 'member')
    const invite = async (email: string) =>
      (await owner.call('POST', `/api/accounts/${owner.accountId}/invitations`, { email, role: 'member' }))
        .body.token
    const joined = await request(
      `${url}/api/auth/accept-invitation`,
      'POST',
      { token: await invite(member.email) },
      bearer(member.token),
    )
    expect(joined.status).toBe(200)
    const open = await invite('invited@people.test')
    const { key } = (await owner.call('POST', '/api/api-keys', { name: 'all' })).body
    const chat = (await owner.call('POST', '/api/chats', { title: 'Plan' })).body
    const share = (await owner.call('POST', `/api/chats/${chat.id}/share`, { is_public: true })).body
    const shared = () => request(`${url}/api/chats/shares/${share.token}`, 'GET')
    expect((await shared()).status).toBe(200)
    const hook = { url: 'https://hooks.example.com/', event_types: ['*'] }
    expect((await owner.call('POST', '/api/webhooks', hook)).status).toBe(201)

    const slug = await slugOf(owner)
    const input = { slug, without_export: true }
    expect((await owner.call('POST', `/api/accounts/${owner.accountId}/delete`, input)).status).toBe(202)

    expect((await request(`${url}/api/companies`, 'GET', undefined, { 'x-api-key': key })).status).toBe(401)
    expect((await owner.call('GET', '/api/companies')).status).toBe(401)
    expect((await guest.call('GET', '/api/auth/me')).status).toBe(401)
    const there = { 'x-account-id': owner.accountId }
    expect((await member.call('GET', '/api/companies', undefined, there)).status).toBe(403)
    expect((await shared()).status).toBe(401)
    const active = sql`select id from webhooks where is_active and account_id = ${owner.accountId}`
    expect((await active.execute(owner.account.service.services.engine.as(SYSTEM))).rows).toEqual([])
    const late = { token: open, name: 'Late', password: PASSWORD }
    expect((await request(`${url}/api/auth/accept-invitation`, 'POST', late)).status).toBe(404)

    // Members of another account keep their access to it; the addresses of the others and the slug are free.
    expect((await member.call('GET', '/api/companies')).status).toBe(200)
    const back = await registered(url, { email: guest.email })
    const renamed = await back.call('PUT', `/api/accounts/${back.accountId}`, { slug })
    expect(renamed).toMatchObject({ status: 200, body: { slug } })
  })
})
