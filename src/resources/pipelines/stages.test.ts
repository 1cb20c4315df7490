import { describe, expect, it } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { column, defaultPipelineOf, stageIds } from '../deals/testing.ts'

const STAGES = '/api/deals/stages'

/** The default pipeline's stages by name, with their positions, which must count from 0. */
async function order(me: Account): Promise<string> {
  const { pipeline } = await defaultPipelineOf(me)
  expect(pipeline.stages.map((stage: Item) => stage.position)).toEqual([...pipeline.stages.keys()])
  return pipeline.stages.map((stage: Item) => stage.name).join(' ')
}

onAnyEngine('stages', account => {
  it('are created, read and listed by pipeline', async () => {
    const me = await account()
    const { pipeline } = await defaultPipelineOf(me)
    const path = `/api/deals/pipelines/${pipeline.id}/stages`
    const made = await me.create(path, { name: 'Demo', probability: 40, color: '#fa0', rotten_after_days: 7 })
    expect(Object.keys(made)).toEqual(
      `id created_at updated_at account_id pipeline_id name type probability position color rotten_after_days
       deals_count`.split(/\s+/),
    )
    expect(made).toMatchObject({
      pipeline_id: pipeline.id,
      name: 'Demo',
      type: 'open',
      probability: 40,
      position: 4,
      color: '#fa0',
      rotten_after_days: 7,
      deals_count: 0,
    })
    expect((await me.get(`${STAGES}/${made.id}`)).body).toEqual(made)
    expect(await order(me)).toBe('Lead Qualified Proposal Negotiation Demo Won Lost')
    const places: [Item, string][] = [
      [{ name: 'First', position: 0 }, 'First Lead Qualified Proposal Negotiation Demo Won Lost'],
      [{ name: 'Dead', type: 'lost' }, 'First Lead Qualified Proposal Negotiation Demo Won Lost Dead'],
      [{ name: 'Far', position: 99 }, 'First Lead Qualified Proposal Negotiation Demo Won Lost Dead Far'],
    ]
    for (const [body, expected] of places) {
      await me.create(path, body)
      expect(await order(me)).toBe(expected)
    }
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    // without a probability of its own, that of the open stage before it
    expect(await me.create(STAGES, { name: 'After', position: 3 })).toMatchObject({ probability: 25 })
    expect(await me.create(STAGES, { name: 'Very first', position: 0 })).toMatchObject({ probability: 0 })
    const won = await me.create(STAGES, { name: 'Also won', type: 'won', pipeline_id: other.id })
    expect(won).toMatchObject({ pipeline_id: other.id, probability: 100, position: 6 })
    expect(await me.create(STAGES, { name: ' Here ', type: 'lost' })).toMatchObject({
      name: 'Here',
      pipeline_id: pipeline.id,
    })

    const listed = (await me.get(`/api/deals/pipelines/${other.id}/stages?type=won`)).body
    expect(listed).toMatchObject({ total: 2, page: 1, page_size: 50, total_pages: 1 })
    expect(listed.items.map((stage: Item) => stage.name)).toEqual(['Won', 'Also won'])
    expect((await me.get(`${STAGES}?search=ALSO`)).body.items).toEqual([won])
  })

  it('refuse out-of-range values', async () => {
    const me = await account()
    const { pipeline, stage } = await defaultPipelineOf(me)
    const refused: [string, unknown, string][] = [
      ['name', '', 'string_too_short'],
      ['name', ' \u2003', 'string_too_short'],
      ['name', 'x'.repeat(256), 'string_too_long'],
      ['type', 'closed', 'enum'],
      ['probability', -1, 'greater_than_equal'],
      ['probability', 101, 'less_than_equal'],
      ['probability', null, 'int_type'],
      ['position', -1, 'greater_than_equal'],
      ['position', 1_000_001, 'less_than_equal'],
      ['color', 'x'.repeat(256), 'string_too_long'],
      ['rotten_after_days', 0, 'greater_than_equal'],
      ['rotten_after_days', 36_501, 'less_than_equal'],
    ]
    for (const [field, value, type] of refused) {
      for (const answer of [
        await me.post(STAGES, { name: 'A', [field]: value }),
        await me.post(`/api/deals/pipelines/${pipeline.id}/stages`, { name: 'A', [field]: value }),
        await me.put(`${STAGES}/${stage.Lead}`, { [field]: value }),
      ]) {
        expect([answer.status, answer.body.detail[0].type, answer.body.detail[0].loc]).toEqual([
          422,
          type,
          ['body', field],
        ])
      }
    }
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const cases: [Promise<{ status: number; body: Item }>, number][] = [
      [me.post(STAGES, { name: 'A', pipeline_id: newId() }), 422],
      [me.put(`${STAGES}/${stage.Lead}`, { pipeline_id: other.id }), 422],
      [me.put(`${STAGES}/${stage.Lead}`, { pipeline_id: pipeline.id }), 200],
      [me.post(`/api/deals/pipelines/${newId()}/stages`, { name: 'A' }), 404],
      [me.put(`${STAGES}/${newId()}`, { name: 'A' }), 404],
      [me.get(`/api/deals/pipelines/${newId()}/stages`), 404],
    ]
    for (const [answer, status] of cases) expect((await answer).status).toBe(status)
    expect(await order(me)).toBe('Lead Qualified Proposal Negotiation Won Lost')
  })

  it('number at most a hundred per pipeline', async () => {
    const me = await account()
    for (let i = 6; i < 100; i++) await me.create(STAGES, { name: `Stage ${i}` })
    const answer = await me.post(STAGES, { name: 'One more' })
    expect([answer.status, answer.body.detail]).toEqual([409, 'A pipeline has at most 100 stages'])
  })

  describe('order', () => {
    it('follows a position and reorder', async () => {
      const me = await account()
      const { pipeline, stage } = await defaultPipelineOf(me)
      const moved = await me.put(`${STAGES}/${stage.Negotiation}`, { position: 1, name: 'Talks' })
      expect(moved.body).toMatchObject({ position: 1, name: 'Talks' })
      expect(await order(me)).toBe('Lead Talks Qualified Proposal Won Lost')
      await me.put(`${STAGES}/${stage.Lead}`, { position: 1000 })
      expect(await order(me)).toBe('Talks Qualified Proposal Won Lost Lead')

      const path = `/api/deals/pipelines/${pipeline.id}/stages/reorder`
      const ids = [stage.Lost, stage.Won, stage.Negotiation, stage.Lead, stage.Proposal, stage.Qualified]
      expect(await me.put(path, { stage_ids: ids })).toMatchObject({ status: 200, body: {} })
      expect(await order(me)).toBe('Lost Won Talks Lead Proposal Qualified')
      const other = stageIds(await me.create('/api/deals/pipelines', { name: 'Renewals' }))
      const refused: [unknown, unknown[], string][] = [
        [{ stage_ids: ids.slice(1) }, ['body', 'stage_ids'], 'value_error'],
        [{ stage_ids: [...ids.slice(1), ids[1]] }, ['body', 'stage_ids'], 'value_error'],
        [{ stage_ids: [...ids, ids[0]] }, ['body', 'stage_ids'], 'value_error'],
        [{ stage_ids: [...ids.slice(1), other.Lead] }, ['body', 'stage_ids', 5], 'reference_not_found'],
        [{ stage_ids: [...ids.slice(1), 'x'] }, ['body', 'stage_ids', 5], 'uuid_parsing'],
        [{ stage_ids: Array(101).fill(ids[0]) }, ['body', 'stage_ids'], 'too_long'],
        [{}, ['body', 'stage_ids'], 'missing'],
      ]
      for (const [body, loc, type] of refused) {
        const answer = await me.put(path, body)
        expect([answer.status, answer.body.detail[0].loc, answer.body.detail[0].type]).toEqual([
          422,
          loc,
          type,
        ])
      }
      expect(await order(me)).toBe('Lost Won Talks Lead Proposal Qualified')
      expect((await me.create('/api/deals', { name: 'A' })).stage.name).toBe('Talks')
    })

    it('is consistent with concurrent callers', async () => {
      const me = await account()
      const { pipeline, stage } = await defaultPipelineOf(me)
      const ids = Object.values(stage)
      const path = `/api/deals/pipelines/${pipeline.id}/stages/reorder`
      const answers = await Promise.all([
        me.put(path, { stage_ids: ids }),
        me.put(path, { stage_ids: [...ids].reverse() }),
        me.put(`${STAGES}/${stage.Won}`, { position: 0 }),
        me.post(STAGES, { name: 'New', position: 2 }),
        me.delete(`${STAGES}/${stage.Proposal}`),
        me.post(STAGES, { name: 'Newer', position: 0 }),
      ])
      for (const { status } of answers) expect([200, 201, 422]).toContain(status)
      const names = (await order(me)).split(' ')
      expect(names.sort().join(' ')).toBe('Lead Lost Negotiation New Newer Qualified Won')
    })
  })

  it('count their deals outside the trash', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const count = async () => (await me.get(`${STAGES}/${stage.Lead}`)).body.deals_count
    const deal = await me.create('/api/deals', { name: 'A' })
    await me.create('/api/deals', { name: 'B' })
    expect(await count()).toBe(2)
    await me.delete(`/api/deals/${deal.id}`)
    expect(await count()).toBe(1)
    await me.post(`/api/deals/${deal.id}/restore`)
    await me.post(`/api/deals/${deal.id}/move`, { stage_id: stage.Won })
    expect(await count()).toBe(1)
  })

  it('close and reopen their deals when their type changes', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A', amount: 10, stage_id: stage.Negotiation })
    const own = await me.create('/api/deals', { name: 'B', stage_id: stage.Negotiation, probability: 30 })
    const now = async (id = deal.id) => (await me.get(`/api/deals/${id}`)).body
    const retype = (body: Item) => me.put(`${STAGES}/${stage.Negotiation}`, body)
    expect((await retype({ type: 'won' })).body.probability).toBe(100)
    expect(await now()).toMatchObject({ status: 'won', closed_at: expect.any(String), weighted_amount: 10 })
    expect(await now(own.id)).toMatchObject({ status: 'won', probability: 30 })
    const closed = (await now()).closed_at
    await retype({ name: 'Signed', type: 'won' })
    expect((await now()).closed_at).toBe(closed)
    expect((await retype({ type: 'lost' })).body.probability).toBe(0)
    await me.put(`/api/deals/${deal.id}`, { lost_reason: 'x' })
    expect((await retype({ type: 'open', probability: 60 })).body.probability).toBe(60)
    expect(await now()).toMatchObject({ status: 'open', closed_at: null, lost_reason: null, probability: 60 })
  })

  it('always include an open one', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const open = ['Lead', 'Qualified', 'Proposal', 'Negotiation'].map(name => stage[name]!)
    expect((await me.post(`${STAGES}/bulk-delete`, open)).status).toBe(409)
    expect((await me.post(`${STAGES}/bulk-delete`, open.slice(1))).status).toBe(200)
    const last = await me.delete(`${STAGES}/${stage.Lead}`)
    expect([last.status, last.body.detail]).toEqual([409, 'A pipeline keeps at least one open stage'])
    expect((await me.put(`${STAGES}/${stage.Lead}`, { type: 'won' })).status).toBe(409)
    expect((await me.put(`${STAGES}/${stage.Lead}`, { type: 'open' })).status).toBe(200)
    const [a, b] = [await me.create(STAGES, { name: 'a' }), await me.create(STAGES, { name: 'b' })]
    const answers = await Promise.all([
      me.delete(`${STAGES}/${a.id}`),
      me.put(`${STAGES}/${b.id}`, { type: 'lost' }),
      me.delete(`${STAGES}/${stage.Lead}`),
    ])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 200, 409])
  })

  it('can be deleted when they are empty or their deals are moved, and restored', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const other = stageIds(await me.create('/api/deals/pipelines', { name: 'Renewals' }))
    for (const name of 'abc') await me.create('/api/deals', { name, stage_id: stage.Qualified })
    await me.create('/api/deals', { name: 'x', stage_id: other.Won })
    const path = `${STAGES}/${stage.Qualified}`
    expect((await me.delete(path)).status).toBe(409)
    expect((await me.post(`${STAGES}/bulk-delete`, [stage.Qualified])).status).toBe(409)
    for (const moveTo of [stage.Qualified, newId()]) {
      const answer = await me.delete(`${path}?move_to=${moveTo}`)
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', 'move_to']])
    }
    expect(await me.delete(`${path}?move_to=${other.Won}`)).toMatchObject({ status: 200, body: {} })
    expect((await column(me, other.Won!)).join('')).toBe('xabc')
    expect(await order(me)).toBe('Lead Proposal Negotiation Won Lost')
    expect((await me.get(path)).status).toBe(404)
    expect((await me.delete(path)).status).toBe(404)
    expect((await me.get(`${STAGES}?deleted=true`)).body.items).toMatchObject([
      { name: 'Qualified', deals_count: 0 },
    ])
    expect((await me.post(`${path}/restore`)).body).toMatchObject({ name: 'Qualified', deals_count: 0 })
    expect((await order(me)).split(' ')).toHaveLength(6)

    const archived = await me.create('/api/deals/pipelines', { name: 'Old' })
    await me.put(`/api/deals/pipelines/${archived.id}`, { is_archived: true })
    const there = await me.delete(`${STAGES}/${other.Won}?move_to=${stageIds(archived).Won}`)
    expect([there.status, there.body.detail[0].loc]).toEqual([422, ['query', 'move_to']])
  })

  it('are visible only in their account', async () => {
    const me = await account()
    const stranger = await account()
    const { pipeline, stage } = await defaultPipelineOf(me)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/restore'],
    ] as [string, string, unknown?][]) {
      const answer = await stranger.call(method, `${STAGES}/${stage.Lead}${path}`, body)
      expect([answer.status, answer.body], method + path).toEqual([404, { detail: 'Stage not found' }])
    }
    expect((await stranger.post(STAGES, { name: 'x', pipeline_id: pipeline.id })).status).toBe(422)
    const theirs = await defaultPipelineOf(stranger)
    const moved = await stranger.delete(`${STAGES}/${theirs.stage.Lead}?move_to=${stage.Lead}`)
    expect(moved.status).toBe(422)
    await stranger.post(`${STAGES}/bulk-delete`, [stage.Lead])
    expect(await order(me)).toBe('Lead Qualified Proposal Negotiation Won Lost')
  })
})
