import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { anotherMember, type Item, onBothEngines } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { defaultPipelineOf, items, stageIds } from './testing.ts'

const FIELDS =
  `id created_at updated_at name amount amount_source currency pipeline_id stage_id pipeline stage status probability
  weighted_amount expected_close_date closed_at lost_reason company_id associated_company_ids associated_contact_ids
  primary_contact_id owner_id deal_type lead_source next_step priority description notes position stage_entered_at
  days_in_stage is_rotten last_activity_at next_activity_at categories metadata created_by account_id is_favorite
  custom_fields`.split(/\s+/)

const text = (length: number) => 'é'.repeat(length)
const problem = (body: Item) => ({ type: body.detail[0].type, loc: body.detail[0].loc })
onBothEngines('deals', (account, _, onOne) => {
  it('starts in the first open stage of the default pipeline', async () => {
    const me = await account()
    const { pipeline, stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'Big one', amount: 1000.1 })
    expect(Object.keys(deal)).toEqual(FIELDS)
    expect(deal).toMatchObject({
      name: 'Big one',
      amount: 1000.1,
      currency: 'USD',
      pipeline_id: pipeline.id,
      stage_id: stage.Lead,
      pipeline: { id: pipeline.id, name: 'Sales pipeline' },
      stage: { id: stage.Lead, name: 'Lead' },
      status: 'open',
      probability: 10,
      weighted_amount: 100.01,
      closed_at: null,
      company_id: null,
      associated_company_ids: [],
      associated_contact_ids: [],
      position: 0,
      days_in_stage: 0,
      is_rotten: false,
      last_activity_at: null,
      next_activity_at: null,
      metadata: {},
      custom_fields: {},
      is_favorite: false,
      created_by: me.userId,
      account_id: me.accountId,
    })
    expect((await me.get(`/api/deals/${deal.id}`)).body).toEqual(deal)
  })

  const accepted: [string, unknown, unknown?][] = [
    ['name', 'x'],
    ['name', text(255)],
    ['amount', 0],
    ['amount', '12.5', 12.5],
    ['amount', 1e15],
    ['amount', null],
    ['currency', 'eur', 'EUR'],
    ['currency', 'XAU'],
    ['probability', 0],
    ['probability', 100],
    ['expected_close_date', '2026-02-28'],
    ['expected_close_date', null],
    ['deal_type', text(255)],
    ['lead_source', ''],
    ['next_step', text(255)],
    ['priority', 'low'],
    ['priority', 'medium'],
    ['priority', 'high'],
    ['priority', null],
    ['description', text(50_000)],
    ['notes', text(50_000)],
    ['position', -1.5],
    ['categories', ['vip']],
    ['metadata', { a: [1, { b: null }] }],
  ]
  onOne('accepts every field up to its limits, on create and update', async () => {
    const me = await account()
    for (const [field, value, answer = value] of accepted) {
      const made = await me.create('/api/deals', { name: 'A', [field]: value })
      expect(made[field], field).toEqual(answer)
      const plain = await me.create('/api/deals', { name: 'A' })
      const changed = await me.put(`/api/deals/${plain.id}`, { [field]: value })
      expect(changed.status, field).toBe(200)
      expect(changed.body[field], field).toEqual(answer)
    }
  })

  const refused: [string, unknown, string][] = [
    ['name', '', 'string_too_short'],
    ['name', text(256), 'string_too_long'],
    ['name', null, 'string_type'],
    ['name', 'a\u0000b', 'value_error'],
    ['amount', -0.01, 'greater_than_equal'],
    ['amount', 1.1e15, 'less_than_equal'],
    ['amount', 'much', 'float_parsing'],
    ['currency', 'EURO', 'string_too_long'],
    ['currency', 'E1R', 'string_pattern_mismatch'],
    ['currency', 'ZZZ', 'value_error'],
    ['currency', null, 'string_type'],
    ['pipeline_id', 'x', 'uuid_parsing'],
    ['pipeline_id', null, 'uuid_type'],
    ['pipeline_id', newId(), 'reference_not_found'],
    ['stage_id', null, 'uuid_type'],
    ['stage_id', newId(), 'reference_not_found'],
    ['probability', -1, 'greater_than_equal'],
    ['probability', 101, 'less_than_equal'],
    ['probability', 1.5, 'int_from_float'],
    ['expected_close_date', '2026-02-30', 'date_from_datetime_parsing'],
    ['lost_reason', 'too dear', 'value_error'],
    ['lost_reason', text(256), 'string_too_long'],
    ['company_id', newId(), 'reference_not_found'],
    ['primary_contact_id', newId(), 'reference_not_found'],
    ['owner_id', newId(), 'reference_not_found'],
    ['deal_type', text(256), 'string_too_long'],
    ['lead_source', text(256), 'string_too_long'],
    ['next_step', text(256), 'string_too_long'],
    ['priority', 'urgent', 'enum'],
    ['description', text(50_001), 'string_too_long'],
    ['notes', text(50_001), 'string_too_long'],
    ['position', 1e16, 'less_than_equal'],
    ['metadata', [], 'dict_type'],
  ]
  onOne('refuses out-of-range values on create and update, and writes nothing', async () => {
    const me = await account()
    const plain = await me.create('/api/deals', { name: 'A' })
    for (const [field, value, type] of refused) {
      const expected = { type, loc: ['body', field] }
      const made = await me.post('/api/deals', { name: 'B', [field]: value })
      expect([made.status, problem(made.body)], field).toEqual([422, expected])
      const changed = await me.put(`/api/deals/${plain.id}`, { [field]: value })
      expect([changed.status, problem(changed.body)], field).toEqual([422, expected])
    }
    for (const field of ['associated_company_ids', 'associated_contact_ids']) {
      const made = await me.post('/api/deals', { name: 'B', [field]: [newId()] })
      expect(problem(made.body)).toEqual({ type: 'reference_not_found', loc: ['body', field, 0] })
    }
    expect((await me.post('/api/deals', {})).body.detail[0]).toMatchObject({
      type: 'missing',
      loc: ['body', 'name'],
    })
    expect(await items(me, '')).toEqual(['A'])
    expect((await me.get(`/api/deals/${plain.id}`)).body).toEqual(plain)
  })

  onOne('has the account’s currency by default', async () => {
    const me = await account()
    await sql`update accounts set currency = 'CHF' where id = ${me.accountId}`.execute(
      systemDb(me.service.services),
    )
    expect((await me.create('/api/deals', { name: 'A' })).currency).toBe('CHF')
  })

  describe('stage and pipeline', () => {
    it('are consistent with each other', async () => {
      const me = await account()
      const { pipeline, stage } = await defaultPipelineOf(me)
      const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
      const theirs = stageIds(other)
      const cases: [Item, Item | string][] = [
        [
          { stage_id: stage.Proposal },
          { pipeline_id: pipeline.id, stage_id: stage.Proposal, probability: 50 },
        ],
        [{ stage_id: theirs.Won }, { pipeline_id: other.id, status: 'won' }],
        [{ pipeline_id: other.id }, { pipeline_id: other.id, stage_id: theirs.Lead }],
        [
          { pipeline_id: other.id, stage_id: theirs.Lost },
          { status: 'lost', probability: 0 },
        ],
        [{ pipeline_id: pipeline.id, stage_id: theirs.Lead }, 'stage_id'],
        [{ pipeline_id: newId(), stage_id: theirs.Lead }, 'pipeline_id'],
      ]
      for (const [input, expected] of cases) {
        const made = await me.post('/api/deals', { name: 'A', ...input })
        const plain = await me.create('/api/deals', { name: 'B', stage_id: stage.Qualified })
        const changed = await me.put(`/api/deals/${plain.id}`, input)
        if (typeof expected === 'string') {
          expect([made.status, made.body.detail[0].loc]).toEqual([422, ['body', expected]])
          expect([changed.status, changed.body.detail[0].loc]).toEqual([422, ['body', expected]])
        } else {
          expect(made.body).toMatchObject(expected)
          expect(changed.body).toMatchObject(expected)
        }
      }
    })

    it('an archived pipeline accepts no further deals, and its deals can be moved', async () => {
      const me = await account()
      const other = await me.create('/api/deals/pipelines', { name: 'Old' })
      const theirs = stageIds(other)
      const inside = await me.create('/api/deals', { name: 'Inside', pipeline_id: other.id })
      const outside = await me.create('/api/deals', { name: 'Outside' })
      await me.put(`/api/deals/pipelines/${other.id}`, { is_archived: true })
      for (const [field, id] of [
        ['pipeline_id', other.id],
        ['stage_id', theirs.Won],
      ]) {
        const made = await me.post('/api/deals', { name: 'A', [field!]: id })
        expect([made.status, made.body.detail[0].loc]).toEqual([422, ['body', field]])
        expect((await me.put(`/api/deals/${outside.id}`, { [field!]: id })).status).toBe(422)
      }
      expect((await me.post(`/api/deals/${outside.id}/move`, { stage_id: theirs.Won })).status).toBe(422)
      expect((await me.post(`/api/deals/${inside.id}/move`, { stage_id: theirs.Won })).body.status).toBe(
        'won',
      )
      expect((await me.put(`/api/deals/${inside.id}`, { stage_id: theirs.Lead })).body.status).toBe('open')
    })

    it('sending a record back unchanged changes nothing', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const company = await me.create('/api/companies', { name: 'Acme' })
      const deal = await me.create('/api/deals', { name: 'A', company_id: company.id, owner_id: me.userId })
      const { associated_company_ids: _a, associated_contact_ids: _b, ...rest } = deal
      const back = await me.put(`/api/deals/${deal.id}`, rest)
      expect(back.body).toEqual({ ...deal, updated_at: back.body.updated_at })
      // the probability was the stage's and still is
      await me.put(`/api/deals/stages/${stage.Lead}`, { probability: 20 })
      expect((await me.get(`/api/deals/${deal.id}`)).body.probability).toBe(20)
    })
  })

  onOne('weights the amount by its own probability or that of the stage', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A', amount: 0.3, probability: 33 })
    expect(deal).toMatchObject({ probability: 33, weighted_amount: 0.099 })
    const change = (body: Item) => me.put(`/api/deals/${deal.id}`, body).then(answer => answer.body)
    expect(await change({ probability: null })).toMatchObject({ probability: 10, weighted_amount: 0.03 })
    expect(await change({ probability: 5 })).toMatchObject({ probability: 5 })
    expect(await change({ stage_id: stage.Proposal })).toMatchObject({
      probability: 50,
      weighted_amount: 0.15,
    })
    expect(await change({ stage_id: stage.Lead, probability: 40 })).toMatchObject({ probability: 40 })
    expect(await change({ amount: null })).toMatchObject({ amount: null, weighted_amount: null })
  })

  it('is restored by the undo of a bulk update', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const [a, b] = await Promise.all(['A', 'B'].map(name => me.create('/api/companies', { name })))
    const deals = [
      await me.create('/api/deals', { name: '1', company_id: a.id, probability: 5 }),
      await me.create('/api/deals', { name: '2', stage_id: stage.Lost, lost_reason: 'x' }),
      await me.create('/api/deals', { name: '3', stage_id: stage.Won, company_id: b.id, position: 7 }),
    ]
    const now = async () =>
      (await me.get('/api/deals?sort_by=name&sort_order=asc')).body.items.map(
        ({ updated_at, ...deal }: Item) => deal,
      )
    const before = await now()
    const edit = await me.post('/api/deals/bulk-update', {
      ids: deals.map(deal => deal.id),
      set: { stage_id: stage.Won, company_id: b.id },
    })
    expect(edit.body.updated).toBe(3)
    for (const deal of await now()) expect(deal).toMatchObject({ status: 'won', company_id: b.id })
    const undone = await me.post(`/api/operations/${edit.body.operation_id}/undo`)
    expect(undone.status).toBe(200)
    expect(await now()).toEqual(before)
    const history = (await me.get(`/api/deals/${deals[0].id}/stage-history`)).body.items
    expect(history.map((entry: Item) => entry.to_stage.name)).toEqual(['Lead', 'Won', 'Lead'])
  })

  onOne('has an owner who is a member of the account', async () => {
    const me = await account()
    const colleague = await anotherMember(me)
    const stranger = await account()
    const deal = await me.create('/api/deals', { name: 'A', owner_id: colleague.userId })
    expect(deal.owner_id).toBe(colleague.userId)
    const answer = await me.put(`/api/deals/${deal.id}`, { owner_id: stranger.userId })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ type: 'reference_not_found', msg: 'User not found' })
    expect((await me.put(`/api/deals/${deal.id}`, { owner_id: null })).body.owner_id).toBeNull()
  })

  it('is deleted and restored', async () => {
    const me = await account()
    const kept = await me.create('/api/deals', { name: 'Kept' })
    const deal = await me.create('/api/deals', { name: 'Gone', metadata: { a: 1 } })
    expect(await me.delete(`/api/deals/${deal.id}`)).toMatchObject({ status: 200, body: {} })
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/move'],
      ['GET', '/stage-history'],
    ]) {
      const body =
        path === '/move'
          ? { stage_id: kept.stage_id }
          : method === 'PUT'
            ? { stage_id: kept.stage_id }
            : undefined
      const answer = await me.call(method!, `/api/deals/${deal.id}${path}`, body)
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Deal not found' }])
    }
    expect(await items(me, '')).toEqual(['Kept'])
    expect(await items(me, 'deleted=true')).toEqual(['Gone'])
    const back = await me.post(`/api/deals/${deal.id}/restore`)
    expect(back.body).toEqual({ ...deal, updated_at: back.body.updated_at })
    expect(await me.post('/api/deals/bulk-delete', [kept.id, newId(), deal.id])).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await items(me, '')).toEqual([])
    expect((await me.post(`/api/deals/${newId()}/restore`)).status).toBe(404)
  })

  onOne('is visible only in its account', async () => {
    const me = await account()
    const stranger = await account()
    const deal = await me.create('/api/deals', { name: 'Mine' })
    const { stage } = await defaultPipelineOf(me)
    const company = await me.create('/api/companies', { name: 'Mine' })
    const own = await stranger.create('/api/deals', { name: 'Theirs' })
    const theirs = await defaultPipelineOf(stranger)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/move', { stage_id: theirs.stage.Won }],
      ['GET', '/stage-history'],
    ] as [string, string, unknown?][]) {
      const answer = await stranger.call(method, `/api/deals/${deal.id}${path}`, body)
      expect([answer.status, answer.body], method + path).toEqual([404, { detail: 'Deal not found' }])
    }
    for (const change of [
      { stage_id: stage.Won },
      { pipeline_id: deal.pipeline_id },
      { company_id: company.id },
      { associated_company_ids: [company.id] },
      { owner_id: me.userId },
    ]) {
      const [field] = Object.keys(change)
      const made = await stranger.post('/api/deals', { name: 'x', ...change })
      expect([made.status, made.body.detail[0].type], field).toEqual([422, 'reference_not_found'])
      expect((await stranger.put(`/api/deals/${own.id}`, change)).status, field).toBe(422)
    }
    expect((await stranger.post(`/api/deals/${own.id}/move`, { stage_id: stage.Won })).status).toBe(422)
    await stranger.post('/api/deals/bulk-delete', [deal.id])
    expect((await me.get(`/api/deals/${deal.id}`)).body).toEqual(deal)
  })

  onOne('is read with deals:read and written with deals:write', async () => {
    const viewer = await account({ role: 'viewer' })
    const reader = await account({ scopes: ['deals:read'] })
    for (const caller of [viewer, reader]) {
      for (const path of ['', '/board', '/forecast', '/pipelines', '/stages']) {
        expect((await caller.get(`/api/deals${path}`)).status).toBe(200)
      }
      for (const path of ['', '/pipelines', '/stages', '/bulk-delete', `/${newId()}/move`]) {
        expect((await caller.post(`/api/deals${path}`, { name: 'x' })).status).toBe(403)
      }
    }
    const other = await account({ scopes: ['companies:read'] })
    expect((await other.get('/api/deals')).status).toBe(403)
  })

  it('is not updated when it has changed since (If-Match)', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A' })
    const etag = (await me.get(`/api/deals/${deal.id}`)).headers.get('etag')!
    await me.post(`/api/deals/${deal.id}/move`, { stage_id: stage.Won })
    expect((await me.put(`/api/deals/${deal.id}`, { name: 'B' }, { 'if-match': etag })).status).toBe(412)
    const fresh = (await me.get(`/api/deals/${deal.id}`)).headers.get('etag')!
    expect(
      (await me.put(`/api/deals/${deal.id}`, { stage_id: stage.Lead }, { 'if-match': fresh })).status,
    ).toBe(200)
  })
})
