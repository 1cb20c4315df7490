import { expect, it } from 'vitest'
import { type Item, onBothEngines } from '../../../../test/support/service.ts'
import { newId } from '../../../kernel/ids.ts'

const create = (record: Item) => ({ action: 'create', record })
const update = (id: string, record: Item) => ({ action: 'update', id, record })
const upsert = (match_on: string, record: Item) => ({ action: 'upsert', match_on, record })

onBothEngines('batch', account => {
  it('creates, updates and upserts in the order of the items, as one operation', async () => {
    const me = await account()
    const old = await me.create('/api/contacts', { first_name: 'Old', email: 'old@example.com' })
    const answer = await me.post('/api/contacts/batch', {
      items: [
        create({ first_name: 'Ann', email: 'ann@example.com' }),
        update(old.id, { job_title: 'Buyer' }),
        upsert('email', { email: 'ANN@example.com', job_title: 'Owner' }),
        upsert('email', { email: 'new@example.com' }),
      ],
    })
    expect(answer).toMatchObject({ status: 200, body: { created: 2, updated: 2, failed: 0 } })
    const { results, operation_id } = answer.body
    expect(results.map((one: Item) => [one.index, one.status])).toEqual([
      [0, 'created'],
      [1, 'updated'],
      [2, 'updated'],
      [3, 'created'],
    ])
    expect(results[2].id).toBe(results[0].id)
    expect(answer.headers.get('x-operation-id')).toBe(operation_id)
    expect((await me.get(`/api/contacts/${results[0].id}`)).body).toMatchObject({ job_title: 'Owner' })

    const { body: operation } = await me.get(`/api/operations/${operation_id}`)
    expect(operation).toMatchObject({ kind: 'batch', entity_type: 'contact', record_count: 4 })
    const undone = await me.post(`/api/operations/${operation_id}/undo`)
    expect(undone).toMatchObject({ status: 200, body: { conflicts: [] } })
    const { body: left } = await me.get('/api/contacts')
    expect(left.items).toMatchObject([{ id: old.id, job_title: null }])
  })

  it('is one operation, however many transactions it takes', async () => {
    const me = await account()
    const items = Array.from({ length: 120 }, (_, i) =>
      i % 50 === 49 ? update(newId(), { name: 'X' }) : upsert('name', { name: `C${i % 100}` }),
    )
    const { body } = await me.post('/api/companies/batch', { items })
    expect(body).toMatchObject({ created: 98, updated: 20, failed: 2 })
    expect(body.results.map(({ index }: Item) => index)).toEqual(items.map((_, i) => i))
    expect(body.results[100]).toMatchObject({ status: 'updated', id: body.results[0].id })
    const operation = (await me.get(`/api/operations/${body.operation_id}`)).body
    expect(operation.record_count).toBe(118)
    await me.post(`/api/operations/${body.operation_id}/undo`)
    expect((await me.get('/api/companies')).body.total).toBe(0)
  })

  it('reports each item that fails and writes the others', async () => {
    const me = await account()
    const other = await account()
    const foreign = await other.create('/api/companies', { name: 'Foreign' })
    await me.create('/api/custom-fields', {
      entity_type: 'company',
      name: 'Code',
      field_type: 'text',
      is_unique: true,
    })
    const items: [item: unknown, loc: unknown[], type: string][] = [
      [create({ name: '' }), ['record', 'name'], 'string_too_short'],
      [create({ name: 'A', nmae: 'B' }), ['record', 'nmae'], 'extra_forbidden'],
      [create({ name: 'A', team_ids: [newId()] }), ['record', 'team_ids', 0], 'reference_not_found'],
      [update(newId(), { name: 'A' }), ['id'], 'not_found'],
      [update(foreign.id, { name: 'A' }), ['id'], 'not_found'],
      [update('nothing', { name: 'A' }), ['id'], 'uuid_parsing'],
      [{ ...create({ name: 'A' }), id: newId() }, ['id'], 'extra_forbidden'],
      [upsert('shoe_size', { name: 'A' }), ['match_on'], 'enum'],
      [upsert('domain', { name: 'A' }), ['record'], 'value_error'],
      [{ action: 'delete', id: newId() }, ['action'], 'enum'],
      ['nothing', [], 'model_attributes_type'],
      [create({ name: 'Twice', metadata: { code: 'x' } }), [], 'conflict'],
    ]
    const answer = await me.post('/api/companies/batch', {
      items: [
        create({ name: 'First', metadata: { code: 'x' } }),
        ...items.map(([item]) => item),
        create({ name: 'Last' }),
      ],
    })
    expect(answer).toMatchObject({ status: 200, body: { created: 2, updated: 0, failed: items.length } })
    for (const [i, [, loc, type]] of items.entries()) {
      const { errors, ...rest } = answer.body.results[i + 1]
      expect(rest).toEqual({ index: i + 1, status: 'failed', id: null })
      expect(errors[0]).toMatchObject({ type, loc: ['body', 'items', i + 1, ...loc] })
      expect(errors[0]).not.toHaveProperty('input')
    }
    const { body } = await me.get('/api/companies?sort_by=name&sort_order=asc')
    expect(body.items.map(({ name }: Item) => name)).toEqual(['First', 'Last'])
    expect((await other.get(`/api/companies/${foreign.id}`)).body.name).toBe('Foreign')
  })

  it.each([
    [[create({ name: 'A' }), create({ name: '' })], 422, ['body', 'items', 1, 'record', 'name']],
    [[create({ name: 'A' }), update(newId(), { name: 'B' })], 422, ['body', 'items', 1, 'id']],
  ])('writes nothing under on_error: rollback when an item fails: %j', async (items, status, loc) => {
    const me = await account()
    const answer = await me.post('/api/companies/batch', { items, on_error: 'rollback' })
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toMatchObject([{ loc }])
    expect((await me.get('/api/companies')).body.total).toBe(0)
    expect((await me.get('/api/operations')).body.total).toBe(0)
  })

  it.each([
    [{ items: [] }, ['body', 'items'], 'too_short'],
    [{ items: Array(1001).fill(create({ name: 'A' })) }, ['body', 'items'], 'too_long'],
    [{ records: [] }, ['body', 'items'], 'missing'],
    [{ items: [create({ name: 'A' })], onerror: 'rollback' }, ['body', 'onerror'], 'extra_forbidden'],
  ])('refuses an invalid batch: %#', async (body, loc, type) => {
    const me = await account()
    const answer = await me.post('/api/companies/batch', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ loc, type })
    expect((await me.get('/api/companies')).body.total).toBe(0)
  })

  it('takes 1,000 items, with one bad item in every hundred', async () => {
    const me = await account()
    const items = Array.from({ length: 1000 }, (_, i) =>
      i % 100 === 7 ? update(newId(), { name: 'Gone' }) : create({ name: `Company ${i}` }),
    )
    const answer = await me.post('/api/companies/batch', { items }, { 'idempotency-key': 'thousand' })
    expect(answer.body).toMatchObject({ created: 990, updated: 0, failed: 10 })
    const again = await me.post('/api/companies/batch', { items }, { 'idempotency-key': 'thousand' })
    expect(again.body).toEqual(answer.body)
    expect((await me.get('/api/companies')).body.total).toBe(990)
  })

  it.each([
    ['deals', { name: 'Big', amount: 5 }, { amount: 6 }],
    ['activities', { type: 'task', subject: 'Ring' }, { status: 'completed' }],
    ['notes', { content: 'Hello' }, { is_pinned: true }],
  ])('works for %s', async (group, record, change) => {
    const me = await account()
    const made = await me.post(`/api/${group}/batch`, { items: [create(record)] })
    const { id } = made.body.results[0]
    const changed = await me.post(`/api/${group}/batch`, { items: [update(id, change)] })
    expect(changed.body).toMatchObject({ updated: 1 })
    expect((await me.get(`/api/${group}/${id}`)).body).toMatchObject({ ...record, ...change })
  })

  it('needs the scope and the role to write', async () => {
    const me = await account()
    const { key } = await me.create('/api/api-keys', { name: 'Reader', scopes: ['companies:read'] })
    const refused = await me.post(
      '/api/companies/batch',
      { items: [create({ name: 'A' })] },
      { 'x-api-key': key },
    )
    expect(refused.status).toBe(403)
  })
})
