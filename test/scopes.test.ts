/** A key reads and changes the records of its scopes, whatever way it takes to them. */
import { describe, expect, it } from 'vitest'
import { empty } from '../src/kernel/general-endpoints.ts'
import { scopesOf } from '../src/kernel/permission.ts'
import type { JsonSchema } from '../src/kernel/schema/index.ts'
import { resources } from '../src/resources/index.ts'
import { allEndpoints } from '../src/service.ts'
import { type Account, type Answer, anotherMember, onAnyEngine } from './support/service.ts'

onAnyEngine('scopes', newAccount => {
  const lacks = (scope: string) => ({
    status: 403,
    body: { detail: `This API key lacks the scope ${scope}` },
  })

  async function withRecords() {
    const owner = await newAccount()
    const company = await owner.create('/api/companies', { name: 'Quarry Ltd', industry: 'Mining' })
    const contact = await owner.create('/api/contacts', {
      first_name: 'Ada',
      last_name: 'Stone',
      company_id: company.id,
      city: 'Berlin',
    })
    const deal = await owner.create('/api/deals', {
      name: 'Granite supply',
      amount: 98765,
      associated_contact_ids: [contact.id],
    })
    const note = await owner.create('/api/notes', {
      title: 'Secret plan',
      content: 'x',
      contact_ids: [contact.id],
    })
    const withScopes = (...scopes: string[]): Promise<Account> =>
      anotherMember(owner, { role: 'admin', scopes })
    return { owner, company, contact, deal, note, withScopes }
  }

  it('limit what a question is computed from', async () => {
    const { withScopes } = await withRecords()
    const narrow = await withScopes('search:read', 'contacts:read')
    const wide = await withScopes('search:read', '*:read')
    const ask = async (account: Account, question: string): Promise<Answer['body']> =>
      (await account.post('/api/search/ask', { question })).body
    for (const [question, scope] of [
      ['contacts with deals over 98764', 'deals:read'],
      ['contacts at companies in the industry Mining', 'companies:read'],
      ['contacts without deals', 'deals:read'],
      ['contacts with notes', 'notes:read'],
      // no rule reads it
      ['hm, people who we have some deal with over 98764', 'deals:read'],
    ] as const) {
      const answer = await ask(narrow, question)
      expect([question, answer.grounded, answer.citations]).toEqual([question, false, []])
      expect(answer.answer).not.toContain('Ada')
      expect([question, answer.answer]).toEqual([question, expect.stringContaining(scope)])
      expect((await ask(wide, question)).grounded).toBe(true)
    }
    const own = await ask(narrow, 'contacts in Berlin')
    expect([own.grounded, own.answer]).toEqual([true, expect.stringContaining('Ada Stone')])
  })

  it('hide the names of other records and of deleted ones in a timeline', async () => {
    const { owner, contact, deal, note, withScopes } = await withRecords()
    const narrow = await withScopes('contacts:read', 'deals:read')
    const related = async (account: Account, path: string) => {
      const { body } = await account.get(`${path}/timeline`)
      return new Map(
        body.items.flatMap((entry: Answer['body']) =>
          entry.related ? [[entry.related.id, entry.related.name]] : [],
        ),
      )
    }
    expect((await related(owner, `/api/contacts/${contact.id}`)).get(note.id)).toBe('Secret plan')
    const names = await related(narrow, `/api/contacts/${contact.id}`)
    expect([names.get(note.id), names.get(deal.id)]).toEqual([null, 'Granite supply'])
    await owner.delete(`/api/contacts/${contact.id}`)
    expect((await related(owner, `/api/deals/${deal.id}`)).get(contact.id)).toBeNull()
  })

  it('limit what an undo changes', async () => {
    const { owner, contact, withScopes } = await withRecords()
    const gone = await owner.post('/api/contacts/bulk-delete', [contact.id])
    const undo = `/api/operations/${gone.headers.get('x-operation-id')}/undo`
    expect(await (await withScopes('operations:*')).post(undo)).toMatchObject(lacks('contacts:write'))
    expect((await owner.get(`/api/contacts/${contact.id}`)).status).toBe(404)
    expect((await (await withScopes('operations:*', 'contacts:write')).post(undo)).status).toBe(200)
    expect((await owner.get(`/api/contacts/${contact.id}`)).status).toBe(200)

    const tag = await owner.create('/api/tags', { name: 'vip' })
    const tagged = await owner.post('/api/tags/bulk-assign', {
      tag_ids: [tag.id],
      entity_type: 'contact',
      entity_ids: [contact.id],
    })
    const untag = `/api/operations/${tagged.body.operation_id}/undo`
    expect(await (await withScopes('operations:*', 'tags:*')).post(untag)).toMatchObject(
      lacks('contacts:write'),
    )
  })

  it('prevent an undo of another user’s favorites', async () => {
    const { owner, contact } = await withRecords()
    const { id } = await owner.create('/api/favorites', { entity_type: 'contact', entity_id: contact.id })
    const gone = await owner.post('/api/favorites/bulk-delete', [id])
    const undo = `/api/operations/${gone.headers.get('x-operation-id')}/undo`
    const other = await anotherMember(owner, { role: 'member' })
    expect((await other.post(undo)).status).toBe(404)
    expect((await owner.post(undo)).status).toBe(200)
  })

  it('limit what tags and categories change', async () => {
    const { owner, contact, withScopes } = await withRecords()
    const tag = await owner.create('/api/tags', { name: 'vip' })
    const other = await owner.create('/api/tags', { name: 'press' })
    const tags = await withScopes('tags:*')
    const record = `/api/tags/records/contact/${contact.id}`
    expect(await tags.get(record)).toMatchObject(lacks('contacts:read'))
    expect(await tags.put(record, { tag_ids: [tag.id] })).toMatchObject(lacks('contacts:write'))
    const assignment = { tag_ids: [tag.id], entity_type: 'contact', entity_ids: [contact.id] }
    expect(await tags.post('/api/tags/bulk-assign', assignment)).toMatchObject(lacks('contacts:write'))
    expect((await owner.put(record, { tag_ids: [tag.id] })).status).toBe(200)
    const merge = `/api/tags/${tag.id}/merge`
    expect(await tags.post(merge, { into_id: other.id })).toMatchObject(lacks('contacts:write'))
    const both = await withScopes('tags:*', 'contacts:write')
    expect((await both.put(record, { tag_ids: [tag.id] })).status).toBe(200)

    await owner.put(`/api/contacts/${contact.id}`, { categories: ['Press'] })
    const category = (await owner.get('/api/categories')).body.items[0]
    const categories = await withScopes('categories:*')
    const path = `/api/categories/${category.id}`
    expect(await categories.put(path, { name: 'Media' })).toMatchObject(lacks('contacts:write'))
    expect(await categories.delete(path)).toMatchObject(lacks('contacts:write'))
    expect((await categories.put(path, { color: '#112233' })).status).toBe(200)
    expect((await owner.get(`/api/contacts/${contact.id}`)).body.categories).toEqual(['Press'])
  })

  it('limit who sees the team of a company', async () => {
    const { company, withScopes } = await withRecords()
    const team = `/api/companies/${company.id}/team`
    expect(await (await withScopes('companies:read')).get(team)).toMatchObject(lacks('contacts:read'))
    expect((await (await withScopes('companies:read', 'contacts:read')).get(team)).body).toHaveLength(1)
  })

  it('limit the names that favorites show', async () => {
    const { owner, contact, company, withScopes } = await withRecords()
    const narrow = await withScopes('favorites:*', 'companies:read')
    const favorite = (entity_type: string, entity_id: string) => ({ entity_type, entity_id })
    expect(await narrow.post('/api/favorites', favorite('contact', contact.id))).toMatchObject(
      lacks('contacts:read'),
    )
    expect((await narrow.post('/api/favorites', favorite('company', company.id))).status).toBe(201)
    expect(await narrow.post('/api/favorites/toggle', favorite('contact', contact.id))).toMatchObject(
      lacks('contacts:read'),
    )
    expect((await narrow.get('/api/favorites')).body.total).toBe(1)
    expect((await owner.post('/api/favorites', favorite('contact', contact.id))).status).toBe(201)
  })

  it('limit the favorites of the same person, whichever of their keys came first', async () => {
    const { owner, contact, company } = await withRecords()
    const mark = (entity_type: string, entity_id: string) =>
      owner.create('/api/favorites', { entity_type, entity_id })
    const ofContact = await mark('contact', contact.id)
    await mark('company', company.id)
    const { key } = await owner.create('/api/api-keys', {
      name: 'Narrow',
      scopes: ['favorites:read', 'companies:read'],
    })
    const narrow = (path: string) => owner.get(path, { 'x-api-key': key })
    for (let turn = 0; turn < 2; turn++) {
      expect((await owner.get('/api/favorites')).body.total).toBe(2)
      expect((await owner.get(`/api/favorites/${ofContact.id}`)).body.entity_name).toBe('Ada Stone')
      const { text, body } = await narrow('/api/favorites')
      expect([body.total, text.includes('Ada')]).toEqual([1, false])
      expect((await narrow(`/api/favorites/${ofContact.id}`)).status).toBe(404)
    }
  })

  it('show the record that a change returns only to keys that may read it', async () => {
    const { owner, contact, withScopes } = await withRecords()
    const writer = await withScopes('contacts:write')
    const path = `/api/contacts/${contact.id}`
    expect(await writer.put(path, {})).toMatchObject(lacks('contacts:read'))
    expect(await writer.call('PATCH', path, { city: 'Rome' })).toMatchObject(lacks('contacts:read'))
    expect((await writer.post('/api/contacts', { first_name: 'Grace' })).status).toBe(201)
    expect((await writer.delete(path)).status).toBe(200)
    expect(await writer.post(`${path}/restore`)).toMatchObject(lacks('contacts:read'))
    expect((await owner.post(`${path}/restore`)).body.city).toBe('Berlin')
    const both = await withScopes('contacts:write', 'contacts:read')
    expect((await both.put(path, {})).status).toBe(200)
  })

  it('let a key without the read scope look up no record by a value', async () => {
    const { contact, withScopes } = await withRecords()
    const writer = await withScopes('contacts:write')
    const record = { email: 'ada@stone.example', first_name: 'Ada' }
    const upsert = '/api/contacts/upsert?match_on=email'
    expect(await writer.post(upsert, record)).toMatchObject(lacks('contacts:read'))
    const batch = (item: object) => writer.post('/api/contacts/batch', { items: [item] })
    expect(await batch({ action: 'upsert', match_on: 'email', record })).toMatchObject(lacks('contacts:read'))
    expect((await batch({ action: 'create', record })).body.created).toBe(1)
    const bulk = (selection: object) =>
      writer.post('/api/contacts/bulk-update', { ...selection, set: { city: 'Rome' } })
    expect(await bulk({ filter: { city: 'Berlin' } })).toMatchObject(lacks('contacts:read'))
    expect(await bulk({ where: { field: 'city', op: 'eq', value: 'Berlin' } })).toMatchObject(
      lacks('contacts:read'),
    )
    expect((await bulk({ ids: [contact.id] })).body.updated).toBe(1)
  })

  it('limit the templates and addresses that a draft shows', async () => {
    const { owner, contact, withScopes } = await withRecords()
    await owner.put(`/api/contacts/${contact.id}`, { email: 'ada@stone.example' })
    const template = await owner.create('/api/email-templates', { subject: 'Secret offer', body_html: 'x' })
    const deal = await owner.create('/api/deals', { name: 'Marble', primary_contact_id: contact.id })
    const narrow = await withScopes('email-drafts:*', 'deals:read')
    const { id } = await narrow.create('/api/email-drafts', { subject: 'Hello' })
    const apply = `/api/email-drafts/${id}/apply-template`
    expect(await narrow.post(apply, { template_id: template.id })).toMatchObject(
      lacks('email-templates:read'),
    )
    const generate = { instruction: 'Secret offer', deal_id: deal.id }
    const draft = await narrow.create('/api/email-drafts/generate', generate)
    expect([draft.to, draft.contact_id, draft.template_id]).toEqual([[], null, null])
    expect(JSON.stringify(draft)).not.toMatch(/Ada|ada@|Secret offer<|"subject":"Secret/)
    const wide = await owner.create('/api/email-drafts/generate', generate)
    expect([wide.to[0].email, wide.subject]).toEqual(['ada@stone.example', 'Secret offer'])
  })

  const upload = async (account: Account, entity_type: string, file: string): Promise<Answer> => {
    const form = new FormData()
    form.set('file', new File([file], 'a.csv', { type: 'text/csv' }))
    form.set('entity_type', entity_type)
    return account.call('POST', '/api/imports', form)
  }

  it('limit what an import creates and a revert undoes', async () => {
    const { owner, withScopes } = await withRecords()
    const narrow = await withScopes('imports:*', 'contacts:*', 'companies:read')
    const { id } = (await upload(narrow, 'contact', 'first_name,company_name\nGrace,New Ltd\n')).body
    expect(await narrow.post(`/api/imports/${id}/start`)).toMatchObject(lacks('companies:write'))
    const options = { on_missing: { company: 'fail' } }
    expect((await narrow.put(`/api/imports/${id}`, { options })).status).toBe(200)
    expect((await narrow.post(`/api/imports/${id}/start`)).status).toBe(202)
    expect((await owner.get('/api/companies')).body.total).toBe(1)
  })

  it('limit what the links of an import look up and create', async () => {
    const { owner, withScopes } = await withRecords()
    const start = (account: Account, id: string) => account.post(`/api/imports/${id}/start`)
    const team = (await upload(owner, 'company', 'name,team_names\nNew Ltd,Grace Hopper\n')).body
    const options = { on_missing: { contact: 'create' } }
    expect((await owner.put(`/api/imports/${team.id}`, { options })).status).toBe(200)
    const companies = ['imports:*', 'companies:*']
    expect(await start(await withScopes(...companies), team.id)).toMatchObject(lacks('contacts:read'))
    const readsContacts = await withScopes(...companies, 'contacts:read')
    expect(await start(readsContacts, team.id)).toMatchObject(lacks('contacts:write'))
    // a name tells whether there is such a record, an id does not
    const contacts = await withScopes('imports:*', 'contacts:*')
    const named = (await upload(owner, 'contact', 'first_name,company_name\nGrace,Quarry Ltd\n')).body
    for (const action of ['start', 'validate'])
      expect(await contacts.post(`/api/imports/${named.id}/${action}`)).toMatchObject(lacks('companies:read'))
    expect(await contacts.get(`/api/imports/${named.id}/preview`)).toMatchObject(lacks('companies:read'))
    const byId = (await upload(owner, 'contact', 'first_name,company_id\nGrace,\n')).body
    expect(
      (await owner.put(`/api/imports/${byId.id}`, { options: { on_missing: { company: 'fail' } } })).status,
    ).toBe(200)
    expect((await start(contacts, byId.id)).status).toBe(202)
  })

  it('limit who reads a file that was uploaded, and its errors', async () => {
    const { owner, withScopes } = await withRecords()
    const { id } = (await upload(owner, 'contact', 'first_name,email\nGrace,grace@secret.example\n')).body
    const path = `/api/imports/${id}`
    for (const scopes of [['imports:*'], ['imports:*', 'contacts:write'], ['imports:*', 'companies:*']]) {
      const narrow = await withScopes(...scopes)
      expect((await narrow.get('/api/imports')).body.total).toBe(0)
      for (const part of ['', '/errors', '/errors.csv', '/preview'])
        expect([part, (await narrow.get(path + part)).status]).toEqual([part, 403])
      for (const action of ['start', 'validate', 'cancel', 'revert'])
        expect([action, (await narrow.post(`${path}/${action}`)).status]).toEqual([action, 403])
      expect((await narrow.put(path, {})).status).toBe(403)
      expect((await upload(narrow, 'contact', 'first_name\nGrace\n')).status).toBe(403)
    }
    expect((await (await withScopes('imports:read', 'contacts:read')).get(path)).body.id).toBe(id)
  })

  it('limit who cancels a job or runs it again', async () => {
    const { owner, contact, withScopes } = await withRecords()
    const { id } = (await upload(owner, 'contact', 'first_name\nGrace\n')).body
    const jobs = await withScopes('jobs:*')
    const { job_id } = (await owner.post(`/api/imports/${id}/start`)).body
    for (const action of ['cancel', 'retry'])
      expect(await jobs.post(`/api/jobs/${job_id}/${action}`)).toMatchObject(lacks('imports:write'))
    const importer = await withScopes('jobs:*', 'imports:*')
    for (const action of ['cancel', 'retry'])
      expect(await importer.post(`/api/jobs/${job_id}/${action}`)).toMatchObject(lacks('contacts:write'))
    const exported = (await owner.post('/api/exports', { entity_type: 'contact', ids: [contact.id] })).body
    expect(await jobs.post(`/api/jobs/${exported.job_id}/retry`)).toMatchObject(lacks('exports:write'))
  })
})

describe('every operation', () => {
  /** The groups of the records in a schema: a record is recognised by the title of its schema. */
  const groupOf = new Map(resources.map(({ name, record }) => [record.output.json.title, name]))

  function recordsIn(schema: unknown): string[] {
    if (Array.isArray(schema)) return schema.flatMap(recordsIn)
    if (typeof schema !== 'object' || schema === null) return []
    const own = groupOf.get((schema as JsonSchema).title)
    return [...(own === undefined ? [] : [own]), ...Object.values(schema).flatMap(recordsIn)]
  }

  /** Records that these create from another one. */
  const CREATED = new Set([
    '/api/contacts/{contact_id}/convert deals:read',
    '/api/transcriptions/{transcription_id}/to-note notes:read',
  ])

  /** Besides batches and bulk updates: their responses have ids and counts only. */
  const MAY_BE_WRITE_ONLY = new Set(['POST /api/inbound/mail', 'POST /api/tags/bulk-assign'])

  it('that shows a record needs the scope to read it', () => {
    const problems = allEndpoints().flatMap(endpoint => {
      const { method, path, permission, response, status = 200 } = endpoint
      if (!permission.includes(':')) return []
      const isCreation = method === 'POST' && status !== 200 && !path.includes('{')
      const needed = isCreation ? [] : recordsIn(response?.json).map(group => `${group}:read`)
      return [...new Set(needed)].flatMap(scope =>
        scopesOf(endpoint).includes(scope) || CREATED.has(`${path} ${scope}`)
          ? []
          : [`${method} ${path} shows records of ${scope}`],
      )
    })
    expect(problems).toEqual([])
  })

  it('that changes records and answers more than {} needs both scopes, with few exceptions', () => {
    const writeOnly = allEndpoints().filter(
      endpoint =>
        endpoint.permission.endsWith(':write') &&
        scopesOf(endpoint).length === 1 &&
        endpoint.response !== empty &&
        (endpoint.status ?? 200) === 200,
    )
    const names = writeOnly.map(({ method, path }) => `${method} ${path}`)
    expect(
      names.filter(name => !/\/(batch|bulk-update)$/.test(name) && !MAY_BE_WRITE_ONLY.has(name)),
    ).toEqual([])
  })
})
