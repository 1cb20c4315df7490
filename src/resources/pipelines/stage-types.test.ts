import { expect, it } from 'vitest'
import { type Account, type Item, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { defaultPipelineOf, stageIds } from '../deals/testing.ts'

const WON_AT = '2025-03-01T10:00:00.000Z'
const LOST_AT = '2025-04-01T10:00:00.000Z'

/** A won and a lost deal of last year, and the requests on them. */
async function closedDeals(me: Account) {
  const { stage } = await defaultPipelineOf(me)
  const won = await me.create('/api/deals', {
    name: 'Won',
    stage_id: stage.Won,
    closed_at: WON_AT,
    amount: 9,
  })
  const lost = await me.create('/api/deals', {
    ...{ name: 'Lost', stage_id: stage.Lost, closed_at: LOST_AT, lost_reason: 'Too dear' },
  })
  const retype = (name: string, body: Item) => me.put(`/api/deals/stages/${stage[name]}`, body)
  const deal = async ({ id }: Item) => {
    const { updated_at: _, ...rest } = (await me.get(`/api/deals/${id}`)).body
    return rest
  }
  const undo = (answer: { headers: Headers }) =>
    me.post(`/api/operations/${answer.headers.get('x-operation-id')}/undo`)
  return { stage, won, lost, retype, deal, undo }
}

onBothEngines('another type of a stage', (account, _, onOne) => {
  it('keeps when its deals were closed, and why they were lost', async () => {
    const me = await account()
    const { won, lost, retype, deal } = await closedDeals(me)
    const before = [await deal(won), await deal(lost)]
    await retype('Won', { type: 'lost' })
    expect(await deal(won)).toMatchObject({ status: 'lost', closed_at: WON_AT, lost_reason: null })
    await retype('Lost', { type: 'won' })
    expect(await deal(lost)).toMatchObject({ status: 'won', closed_at: LOST_AT, lost_reason: null })
    const listed = await me.post('/api/deals/query', { where: { field: 'lost_reason', op: 'is_null' } })
    expect(listed.body.total).toBe(2)
    await me.delete(`/api/deals/${lost.id}`)
    await me.post(`/api/deals/${lost.id}/restore`)
    // A client sends back what it has read.
    await me.put(`/api/deals/${lost.id}`, { lost_reason: null, name: 'Lost', stage_id: lost.stage_id })
    await retype('Won', { type: 'won' })
    await retype('Lost', { type: 'lost' })
    expect([await deal(won), await deal(lost)]).toEqual(before)

    // A deal that is moved itself to a stage that is not lost has no reason any more.
    const other = stageIds(await me.create('/api/deals/pipelines', { name: 'Renewals' }))
    await me.post(`/api/deals/${lost.id}/move`, { stage_id: other.Won, closed_at: LOST_AT })
    await me.post(`/api/deals/${lost.id}/move`, { stage_id: other.Lost })
    expect(await deal(lost)).toMatchObject({ status: 'lost', lost_reason: null })
  })

  it('is undone with the times and reasons that the deals had', async () => {
    const me = await account()
    const { stage, won, lost, retype, deal, undo } = await closedDeals(me)
    const open = await me.create('/api/deals', { name: 'Open', stage_id: stage.Negotiation })
    const all = [won, lost, open]
    const before = await Promise.all(all.map(deal))

    const steps: [string, Item, Item[]][] = [
      ['Lost', { type: 'open' }, [{}, { status: 'open', closed_at: null, lost_reason: null }, {}]],
      ['Won', { type: 'open', name: 'Signed' }, [{ status: 'open', closed_at: null }, {}, {}]],
      ['Negotiation', { type: 'won' }, [{}, {}, { status: 'won', closed_at: expect.any(String) }]],
      ['Won', { type: 'lost' }, [{ status: 'lost', closed_at: WON_AT }, {}, {}]],
    ]
    for (const [name, body, expected] of steps) {
      const changed = await retype(name, body)
      expect(changed.status).toBe(200)
      for (const [i, one] of all.entries()) expect(await deal(one)).toMatchObject(expected[i]!)
      const undone = await undo(changed)
      expect(undone).toMatchObject({ status: 200, body: { undone: true, conflicts: [] } })
      expect(await Promise.all(all.map(deal)), name).toEqual(before)
      // the undo of the undo changes the type again
      const redone = await me.post(`/api/operations/${undone.body.operation_id}/undo`)
      for (const [i, one] of all.entries()) expect(await deal(one)).toMatchObject(expected[i]!)
      await me.post(`/api/operations/${redone.body.operation_id}/undo`)
      expect(await Promise.all(all.map(deal)), name).toEqual(before)
    }
    expect((await me.get('/api/operations?kind=stage_type')).body).toMatchObject({
      total: 4,
      items: [{ entity_type: 'stages', record_count: 1 }, { record_count: 2 }, {}, {}],
    })
  })

  it('is not an operation where the type stays', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const path = `/api/deals/stages/${stage.Won}`
    const answer = await me.put(path, { type: 'won', name: 'Signed' })
    expect([answer.status, answer.headers.get('x-operation-id')]).toEqual([200, null])
    expect(answer.headers.get('etag')).toBe((await me.get(path)).headers.get('etag'))
    const patch = { 'content-type': 'application/merge-patch+json', 'if-match': answer.headers.get('etag')! }
    const patched = await me.call('PATCH', path, { type: 'lost' }, patch)
    expect(patched).toMatchObject({ status: 200, body: { type: 'lost', name: 'Signed' } })
    expect(patched.headers.get('x-operation-id')).toEqual(expect.any(String))
    expect((await me.call('PATCH', path, { type: 'won' }, patch)).status).toBe(412)
  })

  onOne('gives it the probability of a new stage, unless one is sent', async () => {
    const me = await account()
    const { pipeline, stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A', stage_id: stage.Won, amount: 100 })
    const retype = (name: string, body: Item) =>
      me.put(`/api/deals/stages/${stage[name]}`, body).then(answer => answer.body.probability)
    expect(await retype('Won', { type: 'open' })).toBe(75)
    expect((await me.get(`/api/deals/${deal.id}`)).body).toMatchObject({
      probability: 75,
      weighted_amount: 75,
    })
    expect(await retype('Won', { type: 'won' })).toBe(100)
    expect(await retype('Won', { type: 'open', position: 0 })).toBe(0)
    expect(await retype('Lost', { type: 'open', probability: 0 })).toBe(0)
    expect(await retype('Lead', { type: 'lost' })).toBe(0)
    expect((await me.get(`/api/deals/pipelines/${pipeline.id}`)).body.stages[0].name).toBe('Won')
  })

  onOne('closes or reopens on undo also the deals that came since', async () => {
    const me = await account()
    const { stage, retype, deal, undo } = await closedDeals(me)
    const changed = await retype('Negotiation', { type: 'won' })
    const since = await me.create('/api/deals', { name: 'Since', stage_id: stage.Negotiation })
    expect(since.status).toBe('won')
    await undo(changed)
    expect(await deal(since)).toMatchObject({ status: 'open', closed_at: null })
    const opened = await retype('Won', { type: 'open' })
    const later = await me.create('/api/deals', { name: 'Later', stage_id: stage.Won })
    await undo(opened)
    expect(await deal(later)).toMatchObject({ status: 'won', closed_at: expect.any(String) })
  })

  onOne('is not undone where the pipeline would have no open stage', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const opened = await me.put(`/api/deals/stages/${stage.Won}`, { type: 'open' })
    const others = ['Lead', 'Qualified', 'Proposal', 'Negotiation'].map(name => stage[name])
    await me.post('/api/deals/stages/bulk-delete', others)
    const undone = await me.post(`/api/operations/${opened.headers.get('x-operation-id')}/undo`)
    expect([undone.status, undone.body.detail]).toEqual([409, 'A pipeline keeps at least one open stage'])
    expect((await me.get(`/api/deals/stages/${stage.Won}`)).body.type).toBe('open')
  })
})

onBothEngines('deleting a stage whose deals are moved', (account, _, onOne) => {
  it('is undone with the stage and all values of its deals', async () => {
    const me = await account()
    const { stage, won, lost, deal, undo } = await closedDeals(me)
    const before = [await deal(won), await deal(lost)]
    const order = async (): Promise<string> =>
      (await me.get(`/api/deals/pipelines/${won.pipeline_id}`)).body.stages
        .map((one: Item) => one.name)
        .join()
    const stages = await order()
    for (const name of ['Lost', 'Won']) {
      const gone = await me.delete(`/api/deals/stages/${stage[name]}?move_to=${stage.Lead}`)
      expect(gone).toMatchObject({ status: 200, body: {} })
      const moved = name === 'Lost' ? lost : won
      expect(await deal(moved)).toMatchObject({ status: 'open', closed_at: null, lost_reason: null })
      const undone = await undo(gone)
      expect(undone).toMatchObject({ status: 200, body: { conflicts: [] } })
      expect([await deal(won), await deal(lost)]).toEqual(before)
      expect(await order()).toBe(stages)
      const redone = await me.post(`/api/operations/${undone.body.operation_id}/undo`)
      expect(await deal(moved)).toMatchObject({ stage: { name: 'Lead' }, status: 'open' })
      expect(await order()).toBe(
        stages
          .split(',')
          .filter(one => one !== name)
          .join(),
      )
      await me.post(`/api/operations/${redone.body.operation_id}/undo`)
    }
    expect((await me.delete(`/api/deals/stages/${newId()}`)).status).toBe(404)
    expect((await me.get('/api/operations?kind=stage_delete')).body.total).toBe(2)
  })

  it('is undone for a pipeline, too', async () => {
    const me = await account()
    const { stage, deal, undo } = await closedDeals(me)
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const theirs = stageIds(other)
    const made = await me.create('/api/deals', {
      ...{ name: 'A', stage_id: theirs.Lost, closed_at: LOST_AT, lost_reason: 'Too dear' },
    })
    const before = await deal(made)
    const gone = await me.delete(`/api/deals/pipelines/${other.id}?move_to=${stage.Won}`)
    expect(await deal(made)).toMatchObject({ status: 'won', lost_reason: null })
    expect((await undo(gone)).body).toMatchObject({ undone: true, conflicts: [] })
    expect(await deal(made)).toEqual(before)
    const again = (await me.get(`/api/deals/pipelines/${other.id}`)).body
    expect(stageIds(again)).toEqual(theirs)
  })

  onOne('keeps a stage that an undone operation created while it has deals', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const gone = await me.delete(`/api/deals/stages/${stage.Proposal}`)
    const undone = await me.post(`/api/operations/${gone.headers.get('x-operation-id')}/undo`)
    const deal = await me.create('/api/deals', { name: 'A', stage_id: stage.Proposal })
    await me.post(`/api/operations/${undone.body.operation_id}/undo`)
    expect((await me.get(`/api/deals/stages/${stage.Proposal}`)).status).toBe(200)
    expect((await me.get(`/api/deals/${deal.id}`)).body.stage.name).toBe('Proposal')
  })
})
