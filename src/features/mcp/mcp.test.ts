import { expect, it } from 'vitest'
import { onAnyEngine, onBothEngines } from '../../../test/support/service.ts'
import { ERAS, failureOf, overHttp, overStdio, use } from './mcp.testing.ts'

const TOOLS = [
  'whoami',
  'describe_schema',
  'search',
  'query',
  'get',
  'ask',
  'create',
  'update',
  'upsert',
  'delete',
  'merge',
  'add_note',
  'log_activity',
  'move_deal',
  'import_preview',
]
const anyId = '01900000-0000-7000-8000-000000000000'

onBothEngines('MCP', newAccount => {
  it.each(ERAS)('does the work of a salesperson over HTTP (%s)', async era => {
    const account = await newAccount()
    const client = await overHttp(account, era)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS)
    expect(await use(client, 'whoami')).toMatchObject({
      account: { id: account.accountId, currency: 'USD' },
      role: 'owner',
      scopes: ['*'],
    })
    const { record: company } = await use(client, 'create', {
      entity_type: 'company',
      values: { name: 'Northwind Traders', domains: ['northwind.example'] },
    })
    const person = { email: 'ada@northwind.example', first_name: 'Ada', last_name: 'Reyes' }
    const upsert = { entity_type: 'contact', match_on: 'email', values: person }
    const { record: contact } = await use(client, 'upsert', upsert)
    const again = await use(client, 'upsert', { ...upsert, values: { ...person, phone: '+49 30 1234567' } })
    expect(again.record).toMatchObject({ id: contact.id, phone: '+49 30 1234567' })
    const { pipelines } = await use(client, 'describe_schema', { entity_type: 'deal' })
    const { record: deal } = await use(client, 'create', {
      entity_type: 'deal',
      values: { name: 'Yearly contract', amount: 12_000, company_id: company.id },
    })
    const won = pipelines[0].stages.find((stage: { type: string }) => stage.type === 'won')
    const moved = await use(client, 'move_deal', { deal_id: deal.id, stage_id: won.id })
    expect(moved.record).toMatchObject({ id: deal.id, status: 'won' })
    await use(client, 'add_note', { content: 'Signed.', entity_type: 'deal', entity_id: deal.id })
    await use(client, 'log_activity', {
      type: 'call',
      subject: 'Kick-off',
      status: 'completed',
      contact_ids: [contact.id],
    })
    const sum = { entity: 'deal', measure: { kind: 'sum', field: 'amount' } }
    expect(await use(client, 'query', sum)).toMatchObject({ total: 1, figures: [{ value: 12_000 }] })
    const read = await use(client, 'get', { entity_type: 'deal', id: deal.id, timeline: true })
    expect(read.record).toMatchObject({ name: 'Yearly contract', status: 'won' })
    expect(read.timeline.length).toBeGreaterThan(1)
  })

  it('gives each write an operation that undoes it', async () => {
    const account = await newAccount()
    const client = await overHttp(account)
    const values = { name: 'Old name', metadata: { tier: 'gold' } }
    const created = await use(client, 'create', { entity_type: 'company', values })
    const { id } = created.record
    const updated = await use(client, 'update', {
      entity_type: 'company',
      id,
      values: { name: 'New name', metadata: { seats: 5 } },
    })
    expect(updated.record).toMatchObject({ name: 'New name', metadata: { tier: 'gold', seats: 5 } })
    const operation = await account.get(`/api/operations/${updated.operation_id}`)
    expect(operation.body).toMatchObject({ kind: 'tool', entity_type: 'company', record_count: 1 })
    expect((await account.post(`/api/operations/${updated.operation_id}/undo`)).status).toBe(200)
    expect((await account.get(`/api/companies/${id}`)).body).toMatchObject(values)
    const tried = await use(client, 'delete', { entity_type: 'company', ids: [id], dry_run: true })
    expect(tried).toEqual({ dry_run: true, records: [{ id, name: 'Old name' }] })
    expect((await account.get(`/api/companies/${id}`)).status).toBe(200)
    const deleted = await use(client, 'delete', { entity_type: 'company', ids: [id] })
    expect((await account.get(`/api/companies/${id}`)).status).toBe(404)
    await account.post(`/api/operations/${deleted.operation_id}/undo`)
    expect((await account.get(`/api/companies/${id}`)).status).toBe(200)
    const other = await account.create('/api/companies', { name: 'Twin', city: 'Oslo' })
    const merge = { entity_type: 'company', primary_id: id, secondary_ids: [other.id] }
    const merged = await use(client, 'merge', merge)
    expect(merged.record).toMatchObject({ id, city: 'Oslo' })
    await account.post(`/api/operations/${merged.operation_id}/undo`)
    expect((await account.get(`/api/companies/${other.id}`)).status).toBe(200)
  })

  it('does not reach another account', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()]
    const foreign = await theirs.create('/api/companies', { name: 'Theirs' })
    const client = await overHttp(mine)
    const one = { entity_type: 'company', id: foreign.id }
    expect(await failureOf(client, 'get', one)).toBe('Company not found. Use search or query to find the id.')
    expect(await failureOf(client, 'update', { ...one, values: { name: 'Mine' } })).toContain('not found')
    const many = { entity_type: 'company', ids: [foreign.id] }
    expect(await failureOf(client, 'delete', { ...many, dry_run: true })).toContain(foreign.id)
    expect(await failureOf(client, 'delete', many)).toContain(foreign.id)
    const note = { content: 'x', entity_type: 'company', entity_id: foreign.id }
    expect(await failureOf(client, 'add_note', note)).toContain('not found')
    await expect(client.readResource({ uri: `kith://companies/${foreign.id}` })).rejects.toThrow('not found')
    expect((await theirs.get(`/api/companies/${foreign.id}`)).body).toEqual(foreign)
  })
})

onAnyEngine('MCP', newAccount => {
  it('offers the tools and kinds that the scopes and the role allow', async () => {
    const reader = await overHttp(await newAccount({ scopes: ['contacts:read', 'search:read'] }))
    const { tools } = await reader.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'whoami',
      'describe_schema',
      'search',
      'query',
      'get',
      'ask',
    ])
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    expect(await failureOf(reader, 'get', { entity_type: 'deal', id: anyId })).toContain("'contact'")
    expect(await failureOf(reader, 'query', { entity: 'deal' })).toContain('deals:read')
    await expect(reader.callTool({ name: 'create', arguments: {} })).rejects.toThrow(
      'There is no tool create',
    )
    const viewer = await overHttp(await newAccount({ role: 'viewer' }))
    const offered = (await viewer.listTools()).tools.map(({ name }) => name)
    expect(offered).toEqual(TOOLS.slice(0, 6))
    const writer = await overHttp(await newAccount({ scopes: ['notes:write'] }))
    const names = (await writer.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(['whoami', 'describe_schema', 'create', 'update', 'upsert', 'delete', 'add_note'])
  })

  it('says what is wrong with arguments, and what to do', async () => {
    const client = await overHttp(await newAccount())
    const create = (values: object) => failureOf(client, 'create', { entity_type: 'contact', values })
    expect(await create({ first_name: 'Ada', email: 'no address' })).toContain('email: ')
    expect(await create({ first_name: 'Ada', favourite: true })).toContain('favourite: Extra inputs')
    expect(await create({ first_name: 'A\u0000' })).not.toBe('')
    expect(await failureOf(client, 'create', { entity_type: 'user', values: {} })).toContain('entity_type')
    expect(await failureOf(client, 'create', { entity_type: 'company', values: {}, x: 1 })).toContain(
      'x: Extra',
    )
    expect(await failureOf(client, 'move_deal', { deal_id: 'x', stage_id: anyId })).toContain('deal_id')
    expect(
      await failureOf(client, 'query', { entity: 'deal', where: { field: 'nope', value: 1 } }),
    ).toContain('nope')
    const upsert = { entity_type: 'contact', match_on: 'shoe', values: { email: 'a@b.example' } }
    expect(await failureOf(client, 'upsert', upsert)).toContain("'email'")
  })

  it('shows records as resources and offers prompts', async () => {
    const account = await newAccount()
    const contact = await account.create('/api/contacts', { first_name: 'Ada' })
    const client = await overHttp(account)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('kith://contacts/{id}')
    const { contents } = await client.readResource({ uri: `kith://contacts/${contact.id}` })
    expect(JSON.parse(String(Reflect.get(contents[0]!, 'text')))).toEqual(contact)
    const schema = await client.readResource({ uri: 'kith://schema/deal' })
    expect(JSON.parse(String(Reflect.get(schema.contents[0]!, 'text'))).pipelines).toHaveLength(1)
    for (const uri of [
      'kith://contacts/../users',
      'kith://members/1',
      'file:///etc/passwd',
      `kith://contacts/${anyId}`,
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringMatching(/not found|UUID|uuid/),
        data: { uri },
      })
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'account_brief',
      'meeting_prep',
      'pipeline_review',
    ])
    const prompt = await client.getPrompt({ name: 'meeting_prep', arguments: { with: 'Ada "Reyes"' } })
    expect(JSON.stringify(prompt.messages)).toContain("Ada 'Reyes'")
    await expect(client.getPrompt({ name: 'account_brief' })).rejects.toThrow('company')
  })

  it('previews an import without importing', async () => {
    const account = await newAccount()
    const client = await overHttp(account)
    const content = 'First name,Email\nAda,ada@example.com\nBob,not an address\n'
    const shown = await use(client, 'import_preview', { entity_type: 'contact', content })
    expect(shown).toMatchObject({ total_rows: 2, mapping: { 'First name': 'first_name', Email: 'email' } })
    expect(shown.rows[0].values).toMatchObject({ first_name: 'Ada' })
    expect((await account.get('/api/contacts')).body.total).toBe(0)
    expect((await account.get(`/api/imports/${shown.import_id}`)).body.status).toBe('uploaded')
  })

  it.each(ERAS)('speaks over standard input and output (%s)', async era => {
    const account = await newAccount()
    const client = await overStdio(account, era)
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length)
    const values = { name: 'Über GmbH' }
    const { record } = await use(client, 'create', { entity_type: 'company', values })
    expect((await account.get(`/api/companies/${record.id}`)).body.name).toBe('Über GmbH')
    const { contents } = await client.readResource({ uri: `kith://companies/${record.id}` })
    expect(contents).toHaveLength(1)
  })

  it('says over standard output why the service refuses', async () => {
    const account = await newAccount()
    const stranger = overStdio({ ...account, key: 'sk_0123456789abcdefghij' })
    await expect(stranger).rejects.toThrow('Kith answered 401: Invalid API key: check KITH_API_KEY')
    await expect(overStdio({ ...account, url: 'http://127.0.0.1:9' })).rejects.toThrow('check KITH_URL')
  })

  it('takes no credentials but those of the API, and one message at a time', async () => {
    const account = await newAccount()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const send = (body: unknown, more = {}) => account.post('/mcp', body, { ...headers, ...more })
    expect((await send(message)).status).toBe(200)
    expect((await send(message, { 'x-api-key': 'sk_wrong' })).status).toBe(401)
    expect((await send([message, message])).body).toMatchObject({ error: { code: -32600 } })
    expect((await send('{"jsonrpc"')).body).toMatchObject({ id: null, error: { code: -32700 } })
    expect((await send('['.repeat(5000))).status).toBe(400)
    expect((await send(`"${'x'.repeat(20_000_000)}"`)).status).toBe(413)
    expect((await send('')).status).toBe(422)
    expect((await account.get('/mcp')).status).toBe(405)
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'nothing' })).text).toContain('-32601')
  })

  it('publishes schemas that fit what the tools answer, in few characters', async () => {
    const client = await overHttp(await newAccount())
    const { tools } = await client.listTools()
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema?.type).toBe('object')
      // a preview writes no record
      const isWrite = !annotations?.readOnlyHint && name !== 'import_preview'
      expect(Object.keys(outputSchema?.properties ?? {}).includes('operation_id')).toBe(isWrite)
    }
    expect(JSON.stringify(tools).length).toBeLessThan(40_000)
  })
})
