import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/service.ts'

onBothEngines('bulk changes and their undo', (account, kind) => {
  it('undoes a large batch, on the embedded engine in steps between which others are served', async () => {
    const { create, post, get } = await account()
    const { id: person } = await create('/api/contacts', { first_name: 'Ann' })
    const { id: existing } = await create('/api/companies', { name: 'Existing', city: 'Rome' })
    const records = Array.from({ length: 210 }, (_, i) => ({
      ...{ name: `Company ${i}`, categories: [`c${i % 3}`] },
      ...(i % 70 === 0 ? { team_ids: [person] } : {}),
    }))
    const batch = await post('/api/companies/batch', {
      items: [
        ...records.map(record => ({ action: 'create', record })),
        { action: 'update', id: existing, record: { city: 'Wien', team_ids: [person] } },
      ],
    })
    expect(batch.body).toMatchObject({ created: 210, updated: 1 })
    const team = async () => (await get(`/api/contacts/${person}`)).body.company_ids?.length ?? 0
    const total = async () => (await get('/api/companies')).body.total
    expect([await total(), await team()]).toEqual([211, 4])

    const undoing = post(`/api/operations/${batch.body.operation_id}/undo`)
    let isOver = false
    void undoing.finally(() => {
      isOver = true
    })
    const totals = new Set<number>()
    while (!isOver) totals.add(await total())
    const partial = [...totals].filter(seen => seen !== 211 && seen !== 1)
    expect(partial.length > 0).toBe(kind === 'embedded')
    const undone = await undoing
    expect(undone).toMatchObject({ status: 200, body: { undone: true, conflicts: [] } })
    expect([await total(), await team()]).toEqual([1, 0])
    expect((await get(`/api/companies/${existing}`)).body.city).toBe('Rome')
    expect((await get('/api/categories')).body.total).toBe(0)

    // two at once: one of them undoes the undo
    const answers = await Promise.all(
      [1, 2].map(() => post(`/api/operations/${undone.body.operation_id}/undo`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect([await total(), await team()]).toEqual([211, 4])
    expect((await get(`/api/operations/${batch.body.operation_id}`)).body.undone_at).toBeNull()
    expect((await get('/api/categories')).body.total).toBe(3)
  })

  it('undoes a bulk delete in one request', async () => {
    const { create, post, get } = await account()
    const ids = [
      (await create('/api/companies', { name: 'A' })).id,
      (await create('/api/companies', { name: 'B' })).id,
    ]
    const gone = await post('/api/companies/bulk-delete', ids)
    expect(gone).toMatchObject({ status: 200, body: {} })
    expect((await get('/api/companies')).body.total).toBe(0)
    const operation = gone.headers.get('x-operation-id')
    const undone = await post(`/api/operations/${operation}/undo`)
    expect(undone).toMatchObject({ status: 200, body: { undone: true, reverted: 2, conflicts: [] } })
    expect((await get('/api/companies')).body.total).toBe(2)
    expect((await post(`/api/operations/${operation}/undo`)).status).toBe(409)

    const redone = await post(`/api/operations/${undone.body.operation_id}/undo`)
    expect(redone.status).toBe(200)
    expect((await get('/api/companies')).body.total).toBe(0)
    expect((await get(`/api/operations/${operation}`)).body.undone_at).toBeNull()
  })

  it('leaves a category that another record has got meanwhile', async () => {
    const { create, post, get } = await account()
    const batch = await post('/api/companies/batch', {
      items: ['used', 'unused'].map(category => ({
        action: 'create',
        record: { name: category, categories: [category] },
      })),
    })
    await create('/api/companies', { name: 'Other', categories: ['used'] })
    expect((await post(`/api/operations/${batch.body.operation_id}/undo`)).status).toBe(200)
    expect((await get('/api/categories')).body.items).toMatchObject([{ name: 'used' }])
  })

  it('undoes a bulk update, except values changed since, which it reports', async () => {
    const { create, post, put, get } = await account()
    const a = await create('/api/companies', { name: 'A', status: 'lead', city: 'Rome' })
    const b = await create('/api/companies', { name: 'B', status: 'customer' })
    const changed = await post('/api/companies/bulk-update', {
      ids: [a.id, b.id],
      set: { status: 'inactive', city: null },
    })
    expect(changed).toMatchObject({ status: 200, body: { updated: 2 } })
    await put(`/api/companies/${b.id}`, { status: 'qualified' })

    const undone = await post(`/api/operations/${changed.body.operation_id}/undo`)
    expect(undone.body.conflicts).toEqual([{ entity_type: 'companies', entity_id: b.id, fields: ['status'] }])
    expect((await get(`/api/companies/${a.id}`)).body).toMatchObject({ status: 'lead', city: 'Rome' })
    expect((await get(`/api/companies/${b.id}`)).body).toMatchObject({ status: 'qualified' })
  })

  it('changes all or none, by ids or by filter', async () => {
    const { create, post, get } = await account()
    await create('/api/companies', { name: 'A', status: 'lead' })
    await create('/api/companies', { name: 'B', status: 'lead' })
    await create('/api/companies', { name: 'C', status: 'customer' })
    const bad = await post('/api/companies/bulk-update', {
      filter: { status: 'lead' },
      set: { team_ids: ['01900000-0000-7000-8000-000000000000'] },
    })
    expect(bad.status).toBe(422)
    expect(bad.body.detail[0]).toMatchObject({
      type: 'reference_not_found',
      loc: ['body', 'set', 'team_ids', 0],
    })
    const good = await post('/api/companies/bulk-update', {
      filter: { status: 'lead' },
      set: { industry: 'SaaS' },
    })
    expect(good.body.updated).toBe(2)
    expect((await get('/api/companies?industry=SaaS')).body.total).toBe(2)
    for (const body of [
      { set: {} },
      { ids: [], filter: {}, set: {} },
      { ids: [] },
      { filter: { page: 0 }, set: {} },
    ]) {
      expect((await post('/api/companies/bulk-update', body)).status).toBe(422)
    }
  })

  it('shows operations only to their account', async () => {
    const mine = await account()
    const other = await account()
    const { id } = await mine.create('/api/companies', { name: 'A' })
    const gone = await mine.post('/api/companies/bulk-delete', [id])
    const operation = gone.headers.get('x-operation-id')
    expect((await other.post(`/api/operations/${operation}/undo`)).status).toBe(404)
    expect((await other.get(`/api/operations/${operation}`)).status).toBe(404)
    expect((await other.get('/api/operations')).body.total).toBe(0)
    expect((await mine.get('/api/operations')).body.items[0]).toMatchObject({
      id: operation,
      kind: 'bulk_delete',
      record_count: 1,
    })
    expect((await mine.get('/api/operations?kind=bulk_delete')).body.total).toBe(1)
    expect((await mine.get('/api/operations?kind=demo')).body).toMatchObject({ total: 0, items: [] })
  })
})

onBothEngines('upsert', account => {
  it('creates once and then updates', async () => {
    const { post, get } = await account()
    const first = await post('/api/companies/upsert?match_on=domain', { name: 'Acme', domains: ['acme.com'] })
    expect(first.status).toBe(201)
    const second = await post('/api/companies/upsert?match_on=domain', {
      name: 'Acme Inc',
      domains: 'https://www.Acme.com/',
    })
    expect(second).toMatchObject({ status: 200, body: { id: first.body.id, name: 'Acme Inc' } })
    expect((await get('/api/companies')).body.total).toBe(1)
    expect((await post('/api/companies/upsert?match_on=domain', { name: 'None' })).status).toBe(422)
    expect((await post('/api/companies/upsert?match_on=shoe', { name: 'None' })).status).toBe(422)
    expect((await post('/api/companies/upsert', { name: 'None' })).status).toBe(422)
  })

  it('updates with the changed fields alone, and demands the required ones of a new record', async () => {
    const { post, create } = await account()
    const crm = (record: object) => post('/api/contacts/upsert?match_on=external_ids.crm', record)
    const ann = await create('/api/contacts', {
      ...{ first_name: 'Ann', do_not_contact: true, email_opt_out: true, job_title: 'Buyer' },
      ...{ metadata: { tier: 'A', region: 'North' }, external_ids: { crm: '7', hubspot: 'h7' } },
    })
    const changed = await crm({ external_ids: { crm: '7' }, job_title: 'Head', metadata: { tier: 'B' } })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        ...{ id: ann.id, first_name: 'Ann', do_not_contact: true, email_opt_out: true, job_title: 'Head' },
        ...{ metadata: { tier: 'B', region: 'North' }, external_ids: { crm: '7', hubspot: 'h7' } },
      },
    })
    const nameless = await crm({ external_ids: { crm: '8' }, job_title: 'Head' })
    expect(nameless).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'] }] } })
    expect(nameless.body.detail[0].msg).toContain('needs at least one of first_name, last_name and email')

    const deals = (record: object) => post('/api/deals/upsert?match_on=external_ids.crm', record)
    expect(await deals({ external_ids: { crm: '1' }, amount: 5 })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required' }] },
    })
    expect((await deals({ external_ids: { crm: '1' }, amount: 5, name: 'Pilot' })).status).toBe(201)
    expect(await deals({ external_ids: { crm: '1' }, amount: 6 })).toMatchObject({
      status: 200,
      body: { name: 'Pilot', amount: 6 },
    })
    const wrong = await deals({ external_ids: { crm: '1' }, amount: 'much', name: null })
    expect(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['name', 'amount'])
    const { body } = await post('/api/activities/batch', {
      items: [
        ...[{ status: 'completed', type: 'call', subject: 'Ring' }, { location: 'Here' }].map(values => ({
          action: 'upsert',
          match_on: 'external_ids.crm',
          record: { external_ids: { crm: '1' }, ...values },
        })),
        { action: 'upsert', match_on: 'external_ids.crm', record: { external_ids: { crm: '2' } } },
      ],
    })
    expect(body).toMatchObject({ created: 1, updated: 1, failed: 1 })
    expect(body.results[2].errors[0]).toMatchObject({ type: 'missing' })
    expect(body.results[2].errors[0].loc.slice(0, 4)).toEqual(['body', 'items', 2, 'record'])
    const again = await post('/api/activities/upsert?match_on=external_ids.crm', {
      external_ids: { crm: '1' },
    })
    expect(again).toMatchObject({ status: 200, body: { status: 'completed', location: 'Here' } })
  })

  it('does not grow metadata beyond what one request may send', async () => {
    const { post } = await account()
    const add = (key: string) =>
      post('/api/companies/upsert?match_on=name', { name: 'A', metadata: { [key]: 'x'.repeat(200_000) } })
    expect((await add('one')).status).toBe(201)
    expect(await add('two')).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'metadata'] }] } })
  })

  it('creates one record when ten requests arrive at once', async () => {
    const { post, get } = await account()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        post('/api/companies/upsert?match_on=cf.erp', { name: 'X', metadata: { erp: 7 } }),
      ),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([...Array(9).fill(200), 201])
    expect((await get('/api/companies')).body.total).toBe(1)
  })
})

onBothEngines('upsert and query by a declared custom field', account => {
  it.each([
    ['text', 'A-7', 'B-7', 7],
    ['text', 'é'.repeat(700), `${'é'.repeat(699)}e`, 'é'],
    ['number', 7, 8, '7'],
    ['date', '2026-01-31', '2026-02-01', 31],
    ['boolean', true, false, 'true'],
  ])('finds a %s by its value: %j', async (field_type, value, other, stranger) => {
    const { create, post } = await account()
    await create('/api/custom-fields', { entity_type: 'company', name: 'Ref', key: 'ref', field_type })
    await create('/api/companies', { name: 'Other', metadata: { ref: other } })
    const upsert = (name: string) =>
      post('/api/companies/upsert?match_on=cf.ref', { name, metadata: { ref: value } })
    expect((await upsert('One')).status).toBe(201)
    expect(await upsert('Two')).toMatchObject({ status: 200, body: { name: 'Two' } })
    const names = async (where: unknown) =>
      (await post('/api/companies/query', { where })).body.items.map(({ name }: { name: string }) => name)
    const isRef = { field: 'cf.ref', op: 'eq', value }
    expect(await names(isRef)).toEqual(['Two'])
    expect(await names({ not: isRef })).toEqual(['Other'])
    expect(await names({ field: 'cf.ref', value: stranger })).toEqual([])
  })
})

onBothEngines('query', (account, _, onOne) => {
  it('supports and, or, not and every comparison', async () => {
    const { create, post } = await account()
    for (const [name, employee_count, city, categories] of [
      ['Alpha', 5, 'Rome', ['vip']],
      ['Beta', 50, 'Zürich', null],
      ['Gamma', null, null, ['VIP', 'new']],
    ]) {
      await create('/api/companies', {
        name,
        employee_count,
        city,
        categories,
        metadata: { score: employee_count },
      })
    }
    const found = async (where: unknown) => {
      const { body } = await post('/api/companies/query', { where, sort_by: 'name', sort_order: 'asc' })
      return body.items?.map((item: { name: string }) => item.name[0]).join('') ?? body
    }
    const is = (field: string, op: string, value?: unknown) => ({ field, op, value })
    expect(await found(is('employee_count', 'gte', 5))).toBe('AB')
    expect(await found({ not: is('employee_count', 'gte', 50) })).toBe('AG')
    expect(await found({ or: [is('city', 'contains', 'zuri'), is('name', 'starts_with', 'GA')] })).toBe('BG')
    expect(await found({ and: [is('categories', 'contains', 'vip'), is('city', 'is_null')] })).toBe('G')
    expect(await found(is('city', 'in', ['Rome', 'Paris']))).toBe('A')
    expect(await found(is('city', 'not_in', ['Rome']))).toBe('BG')
    expect(await found(is('employee_count', 'between', [1, 10]))).toBe('A')
    expect(await found(is('cf.score', 'gt', 6))).toBe('B')
    expect(await found(is('name', 'ends_with', 'a'))).toBe('ABG')
    expect(await found(is('created_at', 'lt', '2020-01-01'))).toBe('')
    expect(await found({ and: [] })).toBe('ABG')
    expect(await found({ or: [] })).toBe('')
  })

  onOne.each([
    [{ field: 'nope', op: 'eq', value: 1 }],
    [{ field: 'name', op: 'zzz', value: 1 }],
    [{ field: 'employee_count', op: 'gt', value: 'x' }],
    [{ op: 'eq' }],
    [{ and: 5 }],
    [{ field: 'team.nope', op: 'eq', value: 1 }],
    [{ field: 'planet.name', op: 'eq', value: 1 }],
    [{ field: 'city', op: 'in', value: [] }],
    [{ field: 'account_id', op: 'eq', value: "x' or 1=1" }],
  ])('refuses %j', async where => {
    const { post } = await account()
    expect((await post('/api/companies/query', { where })).status).toBe(422)
  })
})
