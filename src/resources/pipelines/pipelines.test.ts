import { describe, expect, it } from 'vitest'
import { type Account, type Item, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { defaultPipelineOf, stageIds } from '../deals/testing.ts'

const PIPELINES = '/api/deals/pipelines'

const names = async (me: Account, query = '') =>
  (await me.get(`${PIPELINES}?${query}`)).body.items.map((pipeline: Item) => pipeline.name)
const defaults = (me: Account) => names(me, 'is_default=true')

onBothEngines('pipelines', account => {
  it('a new one has the default stages and is last', async () => {
    const me = await account()
    const made = await me.create(PIPELINES, { name: 'Renewals', description: 'Every year' })
    expect(Object.keys(made)).toEqual(
      'id created_at updated_at account_id name description is_default is_archived position stages'.split(
        ' ',
      ),
    )
    expect(made).toMatchObject({
      name: 'Renewals',
      description: 'Every year',
      is_default: false,
      is_archived: false,
      position: 1,
    })
    const shape = (stage: Item) => [stage.name, stage.type, stage.probability, stage.position]
    expect(made.stages.map(shape)).toEqual([
      ['Lead', 'open', 10, 0],
      ['Qualified', 'open', 25, 1],
      ['Proposal', 'open', 50, 2],
      ['Negotiation', 'open', 75, 3],
      ['Won', 'won', 100, 4],
      ['Lost', 'lost', 0, 5],
    ])
    expect(made.stages[0]).toEqual((await me.get(`/api/deals/stages/${made.stages[0].id}`)).body)
    expect((await me.get(`${PIPELINES}/${made.id}`)).body).toEqual(made)
    expect(await names(me)).toEqual(['Sales pipeline', 'Renewals'])
    expect(await names(me, 'search=RENEW')).toEqual(['Renewals'])
    expect(await names(me, 'search=year')).toEqual(['Renewals'])
    await me.put(`${PIPELINES}/${made.id}`, { position: 0, name: 'Zzz' })
    expect(await names(me, 'sort_by=name&sort_order=asc')).toEqual(['Sales pipeline', 'Zzz'])
  })

  it('can be created with its stages in one request', async () => {
    const me = await account()
    const stages = [
      { name: 'First call' },
      { name: 'Demo', probability: 30, color: '#fa0', rotten_after_days: 7 },
      { name: 'Trial' },
      { name: 'Signed', type: 'won' },
      { name: 'Declined', type: 'lost', probability: 5 },
    ]
    const made = await me.create(PIPELINES, { name: 'Partners', is_default: true, stages })
    const shape = (stage: Item) => [stage.name, stage.type, stage.probability, stage.position]
    expect(made.stages.map(shape)).toEqual([
      ['First call', 'open', 0, 0],
      ['Demo', 'open', 30, 1],
      ['Trial', 'open', 30, 2],
      ['Signed', 'won', 100, 3],
      ['Declined', 'lost', 5, 4],
    ])
    expect(made.stages[1]).toMatchObject({ color: '#fa0', rotten_after_days: 7 })
    expect(made.stages[0]).toEqual((await me.get(`/api/deals/stages/${made.stages[0].id}`)).body)
    const deal = await me.create('/api/deals', { name: 'A', stage_id: made.stages[2].id, amount: 100 })
    expect(deal).toMatchObject({ probability: 30, weighted_amount: 30, pipeline: { name: 'Partners' } })
    // What the service answered can be sent back.
    expect((await me.put(`${PIPELINES}/${made.id}`, { ...made, name: 'Resellers' })).status).toBe(200)

    const refused: [stages: unknown, loc: unknown[], type: string][] = [
      [[], [], 'too_short'],
      [[{ name: 'Won', type: 'won' }], [], 'value_error'],
      [[{ name: 'A' }, { name: '' }], [1, 'name'], 'string_too_short'],
      [[{ name: 'A', probability: 101 }], [0, 'probability'], 'less_than_equal'],
      [Array(101).fill({ name: 'A' }), [], 'too_long'],
    ]
    for (const [list, loc, type] of refused) {
      const answer = await me.post(PIPELINES, { name: 'Other', stages: list })
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ type, loc: ['body', 'stages', ...loc] })
    }
    expect(await names(me)).toEqual(['Sales pipeline', 'Resellers'])
  })

  it('refuses out-of-range values', async () => {
    const me = await account()
    const { pipeline } = await defaultPipelineOf(me)
    const refused: [string, unknown, string][] = [
      ['name', '', 'string_too_short'],
      ['name', 'x'.repeat(256), 'string_too_long'],
      ['name', null, 'string_type'],
      ['description', 'x'.repeat(50_001), 'string_too_long'],
      ['is_default', 'perhaps', 'bool_parsing'],
      ['is_archived', null, 'bool_type'],
      ['position', -1, 'greater_than_equal'],
      ['position', 3_000_000_000, 'less_than_equal'],
    ]
    for (const [field, value, type] of refused) {
      const expected = [422, { type, loc: ['body', field] }]
      for (const answer of [
        await me.post(PIPELINES, { name: 'A', [field]: value }),
        await me.put(`${PIPELINES}/${pipeline.id}`, { [field]: value }),
      ]) {
        const { type, loc } = answer.body.detail[0]
        expect([answer.status, { type, loc }], field).toEqual(expected)
      }
    }
    expect((await me.post(PIPELINES, {})).body.detail[0].type).toBe('missing')
    expect((await me.create(PIPELINES, { name: 'é'.repeat(255), position: 2_147_483_647 })).position).toBe(
      2_147_483_647,
    )
    expect((await me.create(PIPELINES, { name: 'Last' })).position).toBe(2_147_483_647)
  })

  it('names are unique outside the trash, ignoring case', async () => {
    const me = await account()
    const first = await me.create(PIPELINES, { name: 'Größe' })
    const other = await me.create(PIPELINES, { name: 'Other' })
    const taken = (answer: { status: number; body: Item }, name: string) =>
      expect([answer.status, answer.body.detail]).toEqual([
        409,
        `There is a pipeline named "${name}" already`,
      ])
    taken(await me.post(PIPELINES, { name: 'GRÖSSE' }), 'GRÖSSE')
    taken(await me.put(`${PIPELINES}/${other.id}`, { name: 'größe' }), 'größe')
    taken(await me.post(PIPELINES, { name: ' Größe\t' }), 'Größe')
    expect((await me.put(`${PIPELINES}/${first.id}`, { name: 'GRÖSSE' })).status).toBe(200)
    await me.delete(`${PIPELINES}/${first.id}`)
    await me.create(PIPELINES, { name: 'Grösse' })
    taken(await me.post(`${PIPELINES}/${first.id}/restore`), 'Grösse')
    const answers = await Promise.all([1, 2, 3].map(() => me.post(PIPELINES, { name: 'Same' })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
    await (await account()).create(PIPELINES, { name: 'Other' })
  })

  describe('the default', () => {
    it('is exactly one, which gets new deals', async () => {
      const me = await account()
      const { pipeline } = await defaultPipelineOf(me)
      const second = await me.create(PIPELINES, { name: 'Second', is_default: true })
      expect(await defaults(me)).toEqual(['Second'])
      expect((await me.create('/api/deals', { name: 'A' })).pipeline.name).toBe('Second')
      await me.put(`${PIPELINES}/${pipeline.id}`, { is_default: true })
      expect(await defaults(me)).toEqual(['Sales pipeline'])
      expect((await me.put(`${PIPELINES}/${second.id}`, { is_default: false })).status).toBe(200)

      const refused: [string, unknown][] = [
        ['PUT', { is_default: false }],
        ['PUT', { is_archived: true }],
        ['DELETE', undefined],
      ]
      for (const [method, body] of refused) {
        expect((await me.call(method, `${PIPELINES}/${pipeline.id}`, body)).status).toBe(409)
      }
      expect((await me.post(`${PIPELINES}/bulk-delete`, [second.id, pipeline.id])).status).toBe(409)
      expect((await me.post(PIPELINES, { name: 'X', is_default: true, is_archived: true })).status).toBe(409)
      await me.put(`${PIPELINES}/${second.id}`, { is_archived: true })
      expect((await me.put(`${PIPELINES}/${second.id}`, { is_default: true })).status).toBe(409)
      expect(await names(me, 'is_archived=true')).toEqual(['Second'])
      const both = await me.put(`${PIPELINES}/${second.id}`, { is_default: true, is_archived: false })
      expect(both.body).toMatchObject({ is_default: true, is_archived: false })
      expect(await defaults(me)).toEqual(['Second'])
    })

    it('is exactly one when several are set at once', async () => {
      const me = await account()
      const made = await Promise.all(['a', 'b', 'c', 'd'].map(name => me.create(PIPELINES, { name })))
      const answers = await Promise.all([
        ...made.map(({ id }) => me.put(`${PIPELINES}/${id}`, { is_default: true })),
        me.post(PIPELINES, { name: 'e', is_default: true }),
        me.delete(`${PIPELINES}/${made[0].id}`),
        me.post('/api/deals', { name: 'A' }),
      ])
      const [first, ...others] = answers.map(answer => answer.status)
      const [going, deal] = others.splice(-2)
      expect([...others, deal]).toEqual([200, 200, 200, 201, 201])
      // in either order: the default is not deleted, and a deleted one is not the default
      expect([first, going].sort()).toEqual(first === 200 ? [200, going] : [200, 404])
      expect([200, 409]).toContain(going)
      expect(await defaults(me)).toHaveLength(1)
    })
  })

  describe('deleting', () => {
    it('deletes the stages, and restoring restores them', async () => {
      const me = await account()
      const made = await me.create(PIPELINES, { name: 'Renewals' })
      const stage = stageIds(made)
      await me.delete(`/api/deals/stages/${stage.Qualified}`)
      const before = (await me.get(`${PIPELINES}/${made.id}`)).body
      expect(await me.delete(`${PIPELINES}/${made.id}`)).toMatchObject({ status: 200, body: {} })
      expect((await me.get(`${PIPELINES}/${made.id}`)).status).toBe(404)
      expect((await me.get(`/api/deals/stages/${stage.Lead}`)).status).toBe(404)
      expect((await me.get(`/api/deals/stages?pipeline_id=${made.id}`)).body.total).toBe(0)
      expect((await me.post('/api/deals', { name: 'A', stage_id: stage.Lead })).status).toBe(422)
      expect((await me.post(`/api/deals/stages/${stage.Lead}/restore`)).status).toBe(409)
      expect((await me.post(`/api/deals/stages/${stage.Qualified}/restore`)).status).toBe(409)
      const trash = (await me.get(`${PIPELINES}?deleted=true`)).body.items
      expect(trash.map((pipeline: Item) => [pipeline.name, pipeline.stages.length])).toEqual([
        ['Renewals', 5],
      ])
      const back = (await me.post(`${PIPELINES}/${made.id}/restore`)).body
      expect(back.stages.map((one: Item) => one.id)).toEqual(before.stages.map((one: Item) => one.id))
      expect((await me.create('/api/deals', { name: 'A', stage_id: stage.Lead })).pipeline_id).toBe(made.id)
    })

    it('needs a stage for the deals', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const made = await me.create(PIPELINES, { name: 'Renewals' })
      const theirs = stageIds(made)
      await me.create('/api/deals', { name: 'there', stage_id: stage.Won })
      const moved = []
      for (const [name, stageId] of [
        ['a', theirs.Lead],
        ['b', theirs.Lead],
        ['c', theirs.Lost],
      ]) {
        moved.push(await me.create('/api/deals', { name, stage_id: stageId }))
      }
      const path = `${PIPELINES}/${made.id}`
      const held = await me.delete(path)
      expect([held.status, held.body.detail]).toEqual([
        409,
        'The stage "Lead" holds 2 deals: move them to another stage with ?move_to=<stage id>',
      ])
      const stranger = stageIds((await defaultPipelineOf(await account())).pipeline)
      for (const [moveTo, type] of [
        ['x', 'uuid_parsing'],
        [newId(), 'reference_not_found'],
        [stranger.Lead, 'reference_not_found'],
        [theirs.Won, 'value_error'],
      ]) {
        const answer = await me.delete(`${path}?move_to=${moveTo}`)
        const { type: found, loc } = answer.body.detail[0]
        expect([answer.status, found, loc]).toEqual([422, type, ['query', 'move_to']])
      }
      expect((await me.post(`${PIPELINES}/bulk-delete`, [made.id])).status).toBe(409)
      expect((await me.get(path)).status).toBe(200)

      expect((await me.delete(`${path}?move_to=${stage.Won}`)).status).toBe(200)
      const column = (await me.get(`/api/deals?stage_id=${stage.Won}&sort_by=position&sort_order=asc`)).body
        .items
      expect(column.map((deal: Item) => deal.name).sort()).toEqual(['a', 'b', 'c', 'there'])
      expect(column[0].name).toBe('there')
      const [a, b] = ['a', 'b'].map(name => column.findIndex((deal: Item) => deal.name === name))
      expect(a!).toBeLessThan(b!)
      expect(column[3]).toMatchObject({ status: 'won', closed_at: expect.any(String) })
      const history = (await me.get(`/api/deals/${moved[0]!.id}/stage-history`)).body.items
      expect(history.map((entry: Item) => entry.to_stage.name)).toEqual(['Lead', 'Won'])
      // they stay in the stage they were moved to
      expect((await me.post(`${path}/restore`)).body.stages[0].deals_count).toBe(0)
    })

    it('restores deals from the trash into a stage of the same type, closed as they were', async () => {
      const me = await account()
      const { pipeline, stage } = await defaultPipelineOf(me)
      const made = await me.create(PIPELINES, { name: 'Renewals' })
      const theirs = stageIds(made)
      const closed_at = '2025-03-01T10:00:00.000Z'
      const inPipeline = await me.create('/api/deals', { name: 'A', stage_id: theirs.Won, closed_at })
      const lost = { stage_id: stage.Lost, lost_reason: 'x', closed_at }
      const inStage = await me.create('/api/deals', { name: 'B', ...lost })
      const open = await me.create('/api/deals', { name: 'C', stage_id: theirs.Proposal })
      const deleted = await me.post('/api/deals/bulk-delete', [inPipeline.id, inStage.id, open.id])
      for (const id of [stage.Lost, theirs.Won, theirs.Proposal])
        expect((await me.delete(`/api/deals/stages/${id}`)).status).toBe(200)
      const trash = (await me.get('/api/deals?deleted=true&sort_by=name&sort_order=asc')).body.items
      expect(trash.map((deal: Item) => deal.stage.name)).toEqual(['Won', 'Lost', 'Proposal'])

      const restore = ({ id }: Item) => me.post(`/api/deals/${id}/restore`)
      expect((await restore(open)).body).toMatchObject({ stage_id: theirs.Lead, status: 'open' })
      const sentence =
        'The stage "Lost" of the deal "B" is deleted, and there is no other lost stage for it: restore the stage or create one'
      expect(await restore(inStage)).toMatchObject({ status: 409, body: { detail: sentence } })
      const undo = () => me.post(`/api/operations/${deleted.headers.get('x-operation-id')}/undo`)
      expect(await undo()).toMatchObject({ status: 409 })
      expect((await me.get('/api/deals?deleted=true')).body.total).toBe(2)

      const gone = await me.create('/api/deals/stages', { name: 'Gone', type: 'lost' })
      const back = (await restore(inStage)).body
      expect(back).toMatchObject({ ...lost, stage_id: gone.id, status: 'lost', pipeline_id: pipeline.id })
      const signed = await me.create('/api/deals/stages', {
        ...{ name: 'Signed', type: 'won', pipeline_id: made.id },
      })
      expect(await undo()).toMatchObject({ status: 200, body: { conflicts: [] } })
      const won = (await me.get(`/api/deals/${inPipeline.id}`)).body
      expect(won).toMatchObject({ stage_id: signed.id, status: 'won', closed_at })
      await me.delete(`/api/deals/${inPipeline.id}`)
      await me.delete(`${PIPELINES}/${made.id}?move_to=${stage.Lead}`)
      expect((await restore(inPipeline)).body).toMatchObject({ stage_id: stage.Won, closed_at })
      const history = (await me.get(`/api/deals/${inPipeline.id}/stage-history`)).body.items
      expect(history.map((entry: Item) => [entry.pipeline.name, entry.to_stage.name])).toEqual([
        ['Renewals', 'Won'],
        ['Renewals', 'Signed'],
        ['Sales pipeline', 'Won'],
      ])
    })

    it('skips unknown ids in a bulk delete', async () => {
      const me = await account()
      const stranger = await account()
      const [a, b] = await Promise.all(['a', 'b'].map(name => me.create(PIPELINES, { name })))
      const theirs = await stranger.create(PIPELINES, { name: 'theirs' })
      const answer = await me.post(`${PIPELINES}/bulk-delete`, [a.id, newId(), theirs.id, b.id, a.id])
      expect([answer.status, answer.body]).toEqual([200, {}])
      expect(await names(me)).toEqual(['Sales pipeline'])
      expect(await names(stranger)).toEqual(['Sales pipeline', 'theirs'])
      expect((await me.post(`${PIPELINES}/bulk-delete`, ['x'])).body.detail[0].loc).toEqual(['body', 0])
    })
  })

  it('is visible only in its account, and respects If-Match', async () => {
    const me = await account()
    const stranger = await account()
    const made = await me.create(PIPELINES, { name: 'Mine' })
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['GET', '/stages'],
      ['POST', '/stages', { name: 'x' }],
      ['PUT', '/stages/reorder', { stage_ids: [] }],
    ] as [string, string, unknown?][]) {
      const answer = await stranger.call(method, `${PIPELINES}/${made.id}${path}`, body)
      expect([answer.status, answer.body], method + path).toEqual([404, { detail: 'Pipeline not found' }])
    }
    const path = `${PIPELINES}/${made.id}`
    const etag = (await me.get(path)).headers.get('etag')!
    await me.put(path, { description: 'x' })
    expect((await me.delete(path, { 'if-match': etag })).status).toBe(412)
    expect((await me.delete(path, { 'if-match': (await me.get(path)).headers.get('etag')! })).status).toBe(
      200,
    )
  })
})
