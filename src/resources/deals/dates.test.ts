/** When a deal was closed and when it entered its stage: set by a request, and what follows from it. */
import { expect, it } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { defaultPipelineOf } from './testing.ts'

const lastYear = new Date().getUTCFullYear() - 1
const june = `${lastYear}-06-15T10:00:00.000Z`
const july = `${lastYear}-07-20T10:00:00.000Z`
const future = new Date(Date.now() + 86_400_000).toISOString()

const history = async (me: Account, id: string): Promise<Item[]> =>
  (await me.get(`/api/deals/${id}/stage-history`)).body.items

onAnyEngine('dates of deals', account => {
  it('are set on create, and the history begins there', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const won = await me.create('/api/deals', { name: 'A', stage_id: stage.Won, closed_at: june })
    expect(won).toMatchObject({ status: 'won', closed_at: june, stage_entered_at: june })
    expect(await history(me, won.id)).toMatchObject([{ entered_at: june, left_at: null }])
    const lost = await me.create('/api/deals', { name: 'B', stage_id: stage.Lost, stage_entered_at: july })
    expect(lost).toMatchObject({ closed_at: july, stage_entered_at: july })
    const open = await me.create('/api/deals', { name: 'C', stage_entered_at: june })
    expect(open).toMatchObject({ closed_at: null, stage_entered_at: june })
    expect(open.days_in_stage).toBeGreaterThan(100)
    const none = await me.create('/api/deals', { name: 'D', stage_id: stage.Won, closed_at: null })
    expect(none.closed_at).toBe(none.stage_entered_at)
  })

  it('can be corrected, and the history follows', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A', stage_entered_at: june, probability: 30 })
    const path = `/api/deals/${deal.id}`
    const won = (await me.put(path, { stage_id: stage.Won, closed_at: july })).body
    expect(won).toMatchObject({ status: 'won', closed_at: july, stage_entered_at: july, probability: 100 })
    const august = `${lastYear}-08-01T00:00:00.000Z`
    const corrected = (await me.put(path, { closed_at: august })).body
    expect(corrected).toMatchObject({ closed_at: august, stage_entered_at: august })
    expect(await history(me, deal.id)).toMatchObject([
      { to_stage: { name: 'Lead' }, entered_at: june, left_at: august },
      { to_stage: { name: 'Won' }, entered_at: august, left_at: null },
    ])
    // A client may send back what it got.
    expect((await me.put(path, corrected)).body).toMatchObject({ closed_at: august })
    expect((await me.put(path, { ...corrected, stage_id: stage.Lead })).body).toMatchObject({
      status: 'open',
      closed_at: null,
    })
    const moved = await me.post(`${path}/move`, { stage_id: stage.Lost, closed_at: new Date().toISOString() })
    expect(moved.body).toMatchObject({ status: 'lost', closed_at: moved.body.stage_entered_at })
  })

  it('keep the history in order when a deal was closed before it entered its stage here', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A' })
    const won = (await me.put(`/api/deals/${deal.id}`, { stage_id: stage.Won, closed_at: june })).body
    expect(won.closed_at).toBe(june)
    expect(won.stage_entered_at > deal.stage_entered_at).toBe(true)
    const entries = await history(me, deal.id)
    expect(entries.map(entry => entry.entered_at)).toEqual([deal.stage_entered_at, won.stage_entered_at])
  })

  it('are refused where they are not possible', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const open = await me.create('/api/deals', { name: 'A', stage_entered_at: june })
    const won = (await me.put(`/api/deals/${open.id}`, { stage_id: stage.Won, closed_at: july })).body
    const cases: [method: 'POST' | 'PUT', body: Item, field: string][] = [
      ['POST', { name: 'x', closed_at: june }, 'closed_at'],
      ['POST', { name: 'x', stage_id: stage.Lead, closed_at: june }, 'closed_at'],
      ['POST', { name: 'x', stage_id: stage.Won, closed_at: future }, 'closed_at'],
      ['POST', { name: 'x', stage_entered_at: future }, 'stage_entered_at'],
      ['POST', { name: 'x', stage_id: stage.Won, closed_at: '03.03.2026' }, 'closed_at'],
      ['PUT', { closed_at: future }, 'closed_at'],
      ['PUT', { closed_at: null }, 'closed_at'],
      ['PUT', { stage_entered_at: null }, 'stage_entered_at'],
      ['PUT', { stage_entered_at: `${lastYear}-01-01` }, 'stage_entered_at'],
      ['PUT', { stage_id: stage.Lead, closed_at: june }, 'closed_at'],
    ]
    for (const [method, body, field] of cases) {
      const path = method === 'POST' ? '/api/deals' : `/api/deals/${open.id}`
      const answer = await me.call(method, path, body)
      expect([answer.status, answer.body.detail?.[0]?.loc], JSON.stringify(body)).toEqual([
        422,
        ['body', field],
      ])
    }
    expect((await me.get(`/api/deals/${open.id}`)).body).toEqual(won)
  })

  it('count in forecasts and answers', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    for (const [name, amount] of [
      ['A', 100],
      ['B', 200],
    ] as const) {
      await me.create('/api/deals', { name, amount, stage_id: stage.Won, closed_at: june })
    }
    await me.create('/api/deals', { name: 'C', amount: 7, stage_id: stage.Won })
    const { body } = await me.get('/api/deals/forecast')
    expect(body.groups[0]).toMatchObject({
      key: `${lastYear}-06`,
      totals: [{ count: 2, won: { amount: 300 } }],
    })
    const answer = await me.post('/api/search/ask', { question: 'How many deals were won last year?' })
    expect(answer.body.answer).toContain('2')
    const total = await me.post('/api/search/ask', { question: 'total amount of deals won last year' })
    expect(total.body.answer).toContain('300')
  })

  it('are restored by an undo', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const deal = await me.create('/api/deals', { name: 'A', stage_id: stage.Won, closed_at: june })
    const changed = await me.post('/api/deals/bulk-update', { ids: [deal.id], set: { closed_at: july } })
    expect(changed, changed.text).toMatchObject({ status: 200 })
    expect((await me.get(`/api/deals/${deal.id}`)).body).toMatchObject({ closed_at: july })
    const undone = await me.post(`/api/operations/${changed.body.operation_id}/undo`)
    expect(undone, undone.text).toMatchObject({ status: 200 })
    expect((await me.get(`/api/deals/${deal.id}`)).body).toMatchObject({
      closed_at: june,
      stage_entered_at: june,
    })
    expect(await history(me, deal.id)).toMatchObject([{ entered_at: june }])
  })
})
