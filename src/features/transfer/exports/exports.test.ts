import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type Account,
  anotherMember,
  contextOf,
  onBothEngines,
  request,
} from '../../../../test/support/service.ts'
import { contacts } from '../../../resources/contacts/index.ts'
import { chosenColumns } from './columns.ts'
import { csvFormat } from './format.ts'
import { reader } from './read.ts'

/** Follows the export until it has ended. */
async function exported(account: Account, body: object) {
  const started = await account.post('/api/exports', body)
  expect(started).toMatchObject({ status: 202, body: { status: 'queued', download_url: null } })
  const events = await account.get(`/api/jobs/${started.body.job_id}/events`)
  expect(events.text).toContain('event: end')
  const done = await account.get(`/api/exports/${started.body.id}`)
  expect(done.body).toMatchObject({ status: 'completed', error: null })
  const file = await account.get(done.body.download_url)
  expect(file.status).toBe(200)
  return { record: done.body, file, text: file.text }
}

const filesOf = (account: Account) => {
  try {
    return readdirSync(join(account.service.services.config.files.dir, account.accountId))
  } catch {
    return []
  }
}

onBothEngines('exports', (account, _, onOne) => {
  onOne('knows every name, however many there are and however slowly they are written', async () => {
    const me = await account()
    for (let n = 0; n < 12; n++) {
      const company = await me.create('/api/companies', { name: `Company ${n}` })
      await me.create('/api/contacts', { first_name: `P${n}`, company_id: company.id })
    }
    const ctx = contextOf(me)
    const columns = await chosenColumns(
      ctx,
      contacts.record,
      ['first_name', 'company_name', 'company_names'],
      'csv',
    )
    const line = csvFormat(columns, [])
    for (const ahead of [true, false]) {
      const pace = { pageSize: 3, ahead, maxNames: 2 }
      const seen: string[] = []
      for await (const page of reader(
        ctx,
        contacts.record,
        columns,
        { params: { page: 1, page_size: 1 }, ids: null, where: [] },
        pace,
      ).pages()) {
        // as long as the next ones take to be read
        await new Promise(resolve => setTimeout(resolve, 50))
        seen.push(...page.map(line))
      }
      expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => `P${n},Company ${n},Company ${n}\r\n`))
    }
  })

  it('writes chosen fields, relations by id and name, and custom fields as columns', async () => {
    const me = await account()
    await me.create('/api/custom-fields', { entity_type: 'contact', name: 'Score', field_type: 'number' })
    await me.create('/api/custom-fields', {
      entity_type: 'contact',
      name: 'Tags',
      field_type: 'multi_select',
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    })
    const acme = await me.create('/api/companies', { name: 'Acme, Inc.' })
    const ann = await me.create('/api/contacts', {
      first_name: 'Ann',
      last_name: '=SUM(A1)',
      company_id: acme.id,
      owner_id: me.userId,
      categories: ['vip', 'x;y'],
      metadata: { score: -5, tags: ['a', 'b'], free: { deep: true } },
    })
    const fields = [
      'id',
      'first_name',
      'last_name',
      'company_id',
      'company_name',
      'company_names',
      'owner_name',
      'categories',
      'cf.score',
      'cf.tags',
      'cf.free',
      'metadata',
    ]
    const { text, record, file } = await exported(me, { entity_type: 'contact', fields })
    expect(text).toBe(
      `${fields.join(',')}\r\n${ann.id},Ann,'=SUM(A1),${acme.id},"Acme, Inc.","[""Acme, Inc.""]",Test Person,` +
        '"[""vip"",""x;y""]",-5,"a; b","{""deep"":true}",\r\n',
    )
    expect(record).toMatchObject({ row_count: 1, file_size: Buffer.byteLength(text), format: 'csv' })
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="contacts-')
  })

  onOne('writes JSON lines as the interface answers the records, with their tags', async () => {
    const me = await account()
    const made = [
      await me.create('/api/companies', { name: 'A', domains: 'a.example', annual_revenue: 1.5 }),
      await me.create('/api/companies', { name: 'B', domains: ['b.example'], employee_count: 3 }),
    ]
    const tag = await me.create('/api/tags', { name: 'VIP' })
    await me.put(`/api/tags/records/company/${made[0].id}`, { tag_ids: [tag.id] })
    const { text } = await exported(me, { entity_type: 'company', format: 'json' })
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toHaveLength(2)
    for (const [i, { tags, ...line }] of lines.entries()) {
      expect(tags).toEqual(i === 0 ? ['VIP'] : [])
      for (const [name, value] of Object.entries(line))
        expect({ [name]: value }).toEqual({ [name]: made[i][name] ?? null })
    }
    expect(Object.keys(lines[0])).toEqual(
      expect.arrayContaining(['id', 'name', 'team_ids', 'metadata', 'status']),
    )
  })

  onOne('takes the filters of the list, ids, and the trash', async () => {
    const me = await account()
    const lead = await me.create('/api/companies', { name: 'Lead', status: 'lead' })
    const gone = await me.create('/api/companies', { name: 'Gone', status: 'lead' })
    const other = await me.create('/api/companies', { name: 'Other', status: 'customer' })
    await me.delete(`/api/companies/${gone.id}`)
    const names = async (body: object) => {
      const { text } = await exported(me, { entity_type: 'company', fields: ['name'], ...body })
      return text.trimEnd().split('\r\n').slice(1)
    }
    expect(await names({})).toEqual(['Lead', 'Other'])
    expect(await names({ filter: { status: 'lead' } })).toEqual(['Lead'])
    expect(await names({ filter: { search: 'oth' } })).toEqual(['Other'])
    expect(await names({ filter: { deleted: true } })).toEqual(['Gone'])
    expect(await names({ ids: [other.id, gone.id] })).toEqual(['Other'])
    expect(await names({ filter: { ids: lead.id } })).toEqual(['Lead'])
  })

  it('reads on past the first page', async () => {
    const me = await account()
    const count = 450
    for (let from = 0; from < count; from += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => me.create('/api/companies', { name: `Company ${from + i}` })),
      )
    }
    const { text, record } = await exported(me, { entity_type: 'company', fields: ['name'], bom: true })
    expect(text.startsWith('\ufeff') || Buffer.from(text).length > 0).toBe(true)
    const lines = text.trimEnd().split('\r\n').slice(1)
    expect(new Set(lines).size).toBe(count)
    expect(record.row_count).toBe(count)
  })

  onOne.each(['company', 'contact', 'deal', 'activity', 'note'])(
    'exports every kind: %s',
    async entity_type => {
      const me = await account()
      const contact = await me.create('/api/contacts', { first_name: 'Ann', email: 'ann@example.com' })
      const company = await me.create('/api/companies', { name: 'Acme', team_ids: [contact.id] })
      await me.create('/api/deals', {
        name: 'Deal',
        amount: 10,
        company_id: company.id,
        primary_contact_id: contact.id,
      })
      await me.create('/api/activities', { type: 'call', subject: 'Call', contact_ids: [contact.id] })
      await me.create('/api/notes', {
        content: 'Line 1\nLine 2',
        entity_type: 'contact',
        entity_id: contact.id,
      })
      for (const format of ['csv', 'json']) {
        const { record, text } = await exported(me, { entity_type, format })
        expect(record.row_count).toBe(1)
        expect(text).toContain(entity_type === 'company' && format === 'csv' ? company.id : contact.id)
      }
    },
  )

  onOne('refuses what no list would take', async () => {
    const me = await account()
    const refused = async (body: object, loc: unknown[]) => {
      const answer = await me.post('/api/exports', { entity_type: 'contact', ...body })
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0].loc).toEqual(loc)
    }
    await refused({ entity_type: 'planet' }, ['body', 'entity_type'])
    await refused({ format: 'xml' }, ['body', 'format'])
    await refused({ fields: ['first_name', 'shoe_size'] }, ['body', 'fields', 1])
    await refused({ fields: [] }, ['body', 'fields'])
    await refused({ filter: { company_id: 'x' } }, ['body', 'filter', 'company_id'])
    await refused({ filter: 5 }, ['body', 'filter'])
    await refused({ ids: ['x'] }, ['body', 'ids', 0])
  })

  onOne('lets a key export only what it may read', async () => {
    const me = await account()
    const narrow = await anotherMember(me, { scopes: ['exports:*', 'companies:read', 'jobs:read'] })
    expect((await narrow.post('/api/exports', { entity_type: 'contact' })).status).toBe(403)
    const mine = await exported(me, { entity_type: 'contact' })
    expect((await narrow.get(mine.record.download_url)).status).toBe(403)
    await exported(narrow, { entity_type: 'company' })
    const member = await anotherMember(me, { role: 'member' })
    expect((await member.post('/api/exports', { entity_type: 'account' })).status).toBe(403)
    const viewer = await anotherMember(me, { role: 'viewer' })
    expect((await viewer.post('/api/exports', { entity_type: 'company' })).status).toBe(403)
  })

  it('keeps the file until the export is deleted, and from other accounts', async () => {
    const me = await account()
    const stranger = await account()
    const { record } = await exported(me, { entity_type: 'company' })
    expect(filesOf(me)).toEqual([record.id])
    expect((await stranger.get(record.download_url)).status).toBe(404)
    expect((await stranger.get(`/api/exports/${record.id}`)).status).toBe(404)
    expect((await request(`${me.url}${record.download_url}`, 'GET')).status).toBe(401)
    expect((await me.get('/api/exports')).body).toMatchObject({ total: 1, items: [{ id: record.id }] })
    expect((await me.delete(`/api/exports/${record.id}`)).status).toBe(200)
    expect(filesOf(me)).toEqual([])
    expect((await me.get(record.download_url)).status).toBe(404)
    expect((await me.post(`/api/exports/${record.id}/restore`)).status).toBe(200)
    expect((await me.get(record.download_url)).status).toBe(404)
  })
})
