import { mkdtempSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  type Account,
  contextOf,
  onBothEngines,
  serviceOn,
  testConfig,
} from '../../../../test/support/service.ts'
import { SYSTEM } from '../../../db/engine.ts'
import { newId } from '../../../kernel/ids.ts'
import { JobStopped } from '../../../kernel/jobs.ts'
import { createService } from '../../../service.ts'
import { formOf } from '../imports/testing.ts'
import { restoreArchive } from './restore.ts'
import { writeTakeout } from './takeout.ts'

const key = 'sk_restored_0123456789abcdef'

async function takenOut(account: Account): Promise<string> {
  const started = await account.post('/api/exports', { entity_type: 'account' })
  expect(started).toMatchObject({ status: 202, body: { format: 'archive' } })
  await account.get(`/api/jobs/${started.body.job_id}/events`)
  const { body } = await account.get(`/api/exports/${started.body.id}`)
  expect(body).toMatchObject({ status: 'completed', error: null })
  const response = await fetch(account.url + body.download_url, { headers: { 'x-api-key': account.key } })
  expect(response.headers.get('content-type')).toBe('application/gzip')
  const path = join(mkdtempSync(join(tmpdir(), 'kith-takeout-')), 'account.tar.gz')
  writeFileSync(path, Buffer.from(await response.arrayBuffer()))
  return path
}

/** Without what is another's by nature, and what a moment changes. */
const lasting = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, inner) =>
      ['account_id', 'days_in_stage', 'seconds'].includes(name) ? undefined : inner,
    ),
  )

/** What the interface answers of everything. */
async function everything(call: (path: string) => Promise<{ body: Record<string, unknown>[] | never }>) {
  const answers: Record<string, unknown> = {}
  for (const path of [
    'companies',
    'contacts',
    'deals',
    'activities',
    'notes',
    'deals/pipelines',
    'categories',
    'tags',
    'custom-fields',
    'kb/documents?page_size=100',
    'favorites',
    'files',
    'contacts?deleted=true',
    'companies?external_id=crm:2',
    'operations',
  ]) {
    const { body } = (await call(`/api/${path}`)) as never as { body: { items: unknown[] } }
    answers[path] = lasting(body.items)
  }
  return answers
}

async function furnished(me: Account) {
  const company = await me.create('/api/companies', {
    name: 'Acme “&” Söhne',
    domains: ['acme.example'],
    annual_revenue: 12.5,
    external_ids: { crm: '1' },
  })
  const double = await me.create('/api/companies', { name: 'Acme', external_ids: { crm: '2' } })
  await me.post('/api/companies/merge', { primary_id: company.id, secondary_ids: [double.id] })
  const ann = await me.create('/api/contacts', {
    first_name: 'Ann',
    email: 'ann@example.com',
    company_id: company.id,
    categories: ['vip'],
    owner_id: me.userId,
    metadata: { score: 5, deep: { big: 12345678901 } },
  })
  await me.create('/api/custom-fields', { entity_type: 'contact', name: 'Score', field_type: 'number' })
  const gone = await me.create('/api/contacts', { first_name: 'Gone' })
  await me.delete(`/api/contacts/${gone.id}`)
  const deal = await me.create('/api/deals', {
    name: 'Big',
    amount: 99.99,
    company_id: company.id,
    primary_contact_id: ann.id,
  })
  const { items } = (await me.get('/api/deals/pipelines')).body
  const won = items[0].stages.find((stage: { type: string }) => stage.type === 'won')
  await me.post(`/api/deals/${deal.id}/move`, { stage_id: won.id })
  const call = await me.create('/api/activities', {
    type: 'call',
    subject: 'Ring',
    contact_ids: [ann.id],
    status: 'completed',
  })
  await me.create('/api/notes', { content: 'Hello', entity_type: 'activity', entity_id: call.id })
  const folder = await me.create('/api/kb/documents', { type: 'folder', title: 'Folder' })
  const page = await me.create('/api/kb/documents', { type: 'page', title: 'Page', content_markdown: '# Hi' })
  await me.put(`/api/kb/documents/${page.id}`, { parent_id: folder.id })
  for (const title of ['Second', 'Third', 'Fourth']) await me.put(`/api/kb/documents/${page.id}`, { title })
  await me.create('/api/favorites', { entity_type: 'deal', entity_id: deal.id })
  await me.create('/api/favorites', { entity_type: 'contact', entity_id: ann.id })
  const attached = new FormData()
  attached.set('file', new Blob(['Hello']), 'a.txt')
  attached.set('entity_type', 'deal')
  attached.set('entity_id', deal.id)
  const file = await me.create('/api/files', attached)
  const upload = await me.post('/api/imports', formOf('first_name\nBob\n', { entity_type: 'contact' }))
  const started = await me.post(`/api/imports/${upload.body.id}/start`)
  await me.get(`/api/jobs/${started.body.job_id}/events`)
  return { ann, page, deal, file, importId: upload.body.id }
}

onBothEngines('takeout', (account, kind) => {
  it('takes everything out, and puts it into an empty account elsewhere', async () => {
    const me = await account()
    const { ann, page, deal, file, importId } = await furnished(me)
    const archive = await takenOut(me)
    const before = await everything(path => me.get(path) as never)

    const config = await testConfig(kind, { apiKey: key })
    expect(await restoreArchive(config, archive)).toMatch(/^Restored \d+ rows into the account "Test"/)
    const service = await createService(config)
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    try {
      const call = async (path: string, method = 'GET') => {
        const response = await fetch(url + path, { method, headers: { 'x-api-key': key } })
        // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
        return { status: response.status, body: (await response.json()) as any }
      }
      expect(await everything(call as never)).toEqual(before)
      const content = await fetch(url + file.content_url, { headers: { 'x-api-key': key } })
      expect(await content.text()).toBe('Hello')
      expect((await call(`/api/contacts/${ann.id}`)).body.is_favorite).toBe(true)
      // The history came along, and nothing of the restoring itself.
      const timeline = await call(`/api/contacts/${ann.id}/timeline`)
      const was = (await me.get(`/api/contacts/${ann.id}/timeline`)).body
      expect(timeline.body.items.length).toBe(was.items.length)
      for (const history of [`kb/documents/${page.id}/revisions`, `deals/${deal.id}/stage-history`]) {
        const { body } = await me.get(`/api/${history}`)
        expect(lasting((await call(`/api/${history}`)).body)).toEqual(lasting(body))
      }
      // Files too: the errors of an import are read from the uploaded file.
      const report = await fetch(`${url}/api/imports/${importId}/errors.csv`, {
        headers: { 'x-api-key': key },
      })
      expect(await report.text()).toContain('first_name')
      // It goes on living: totals, search by address, undo of what was done before.
      expect((await call('/api/contacts?email=ann@example.com')).body.total).toBe(1)
      expect((await call('/api/contacts?category=vip')).body.total).toBe(1)
      expect((await call('/api/contacts?cf.score=5')).body.total).toBe(1)
      const { body: operations } = await call('/api/operations')
      expect((await call(`/api/operations/${operations.items[0].id}/undo`, 'POST')).status).toBe(200)
      expect((await call('/api/contacts?search=Bob')).body.total).toBe(0)
    } finally {
      await service.close()
    }
    await expect(restoreArchive(config, archive, { account: 'nobody' })).rejects.toThrow(
      'There is no account nobody',
    )
    const slug = await slugOf(config)
    await expect(restoreArchive(config, archive, { account: slug })).rejects.toThrow('is not empty')
  })

  it('refuses what is no archive of an account', async () => {
    await serviceOn(kind)
    const config = await testConfig(kind)
    const path = join(mkdtempSync(join(tmpdir(), 'kith-takeout-')), 'x.tar.gz')
    writeFileSync(path, 'hello')
    await expect(restoreArchive(config, path)).rejects.toThrow('not an archive')
    await expect(restoreArchive(config, '/nowhere.tar.gz')).rejects.toThrow('There is no such file')
  })

  it('that is cancelled midway, or finds no room, ends with that and leaves nothing behind that still writes', async () => {
    const me = await account()
    await me.create('/api/companies', { name: 'Acme' })
    const ctx = contextOf(me)
    const job = (progress: () => Promise<void>) => ({ id: newId(), signal: AbortSignal.any([]), progress })
    const path = join(mkdtempSync(join(tmpdir(), 'kith-takeout-')), 'part')

    const cancelled = await open(path, 'w')
    const stop = new JobStopped('cancelled')
    await expect(
      writeTakeout(
        ctx,
        cancelled,
        job(() => Promise.reject(stop)),
      ),
    ).rejects.toBe(stop)
    await cancelled.close()

    const full = await open(path, 'w')
    await full.close()
    await expect(
      writeTakeout(
        ctx,
        full,
        job(async () => {}),
      ),
    ).rejects.toThrow('file closed')
  })
})

async function slugOf(config: Parameters<typeof createService>[0]): Promise<string> {
  const { openEngine } = await import('../../../db/engine.ts')
  const engine = await openEngine({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: 1,
    statementTimeoutMs: 30_000,
    log: () => {},
  })
  const { rows } = await sql<{ slug: string }>`select slug from accounts limit 1`.execute(engine.as(SYSTEM))
  await engine.close()
  return rows[0]!.slug
}
