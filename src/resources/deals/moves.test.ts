import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Account, anotherMember, type Item, onBothEngines } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { age, column, defaultPipelineOf, stageIds } from './testing.ts'

const move = (me: Account, deal: Item, body: Item) => me.post(`/api/deals/${deal.id}/move`, body)

/** Deals named by their letters, in this order, in one stage. */
async function deals(me: Account, names: string, stageId: string): Promise<Record<string, Item>> {
  const made: Record<string, Item> = {}
  for (const name of names) made[name] = await me.create('/api/deals', { name, stage_id: stageId })
  return made
}

onBothEngines('moving deals', (account, _, onOne) => {
  it('puts a deal at the requested position', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const there = await deals(me, 'abc', stage.Lead!)
    const came = await deals(me, 'xyz', stage.Won!)
    const steps: [Item, Item, string, string][] = [
      [came.x!, { stage_id: stage.Lead, position: 0 }, 'xabc', 'yz'],
      [came.y!, { stage_id: stage.Lead, position: 2 }, 'xaybc', 'z'],
      [came.z!, { stage_id: stage.Lead }, 'xaybcz', ''],
      [there.a!, { stage_id: stage.Lead, position: 4 }, 'xybcaz', ''],
      [there.a!, { stage_id: stage.Lead, position: 1 }, 'xaybcz', ''],
      [there.a!, { stage_id: stage.Lead, position: 1 }, 'xaybcz', ''],
      [there.a!, { stage_id: stage.Lead }, 'xaybcz', ''],
      [there.c!, { stage_id: stage.Lead, position: 1_000_000 }, 'xaybzc', ''],
      [there.c!, { stage_id: stage.Won, position: 5 }, 'xaybz', 'c'],
      [there.b!, { stage_id: stage.Won, position: 0 }, 'xayz', 'bc'],
    ]
    for (const [deal, body, lead, won] of steps) {
      const answer = await move(me, deal, body)
      expect([answer.status, answer.body.stage_id]).toEqual([200, body.stage_id])
      expect((await column(me, stage.Lead!)).join('')).toBe(lead)
      expect((await column(me, stage.Won!)).join('')).toBe(won)
    }
    const shown = (await me.get('/api/deals/board')).body.columns[0]
    expect(shown.deals.map((deal: Item) => deal.name).join('')).toBe('xayz')
    const positions = shown.deals.map((deal: Item) => deal.position)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
  })

  onOne('finds a position between two deals any number of times', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const { c, d } = await deals(me, 'abcd', stage.Lead!)
    for (let i = 0; i < 70; i++) {
      expect((await move(me, i % 2 ? c! : d!, { stage_id: stage.Lead, position: 2 })).status).toBe(200)
    }
    expect((await column(me, stage.Lead!)).join('')).toBe('abcd')
  })

  onOne('separates deals with the same position', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const made = await deals(me, 'abcd', stage.Lead!)
    for (const name of 'abc') await me.put(`/api/deals/${made[name]!.id}`, { position: 7 })
    await move(me, made.d!, { stage_id: stage.Lead, position: 1 })
    expect((await column(me, stage.Lead!)).join('')).toBe('adbc')
  })

  describe('states', () => {
    onOne('closes and reopens a deal, with a reason', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const open = { status: 'open', closed_at: null, lost_reason: null }
      const lost = { status: 'lost', closed_at: expect.any(String), lost_reason: 'Too dear' }
      const steps: [Item, Item][] = [
        [{ stage_id: stage.Won }, { status: 'won', closed_at: expect.any(String), probability: 100 }],
        [
          { stage_id: stage.Lost, lost_reason: 'Too dear' },
          { ...lost, probability: 0 },
        ],
        [{ stage_id: stage.Lead }, { ...open, probability: 10 }],
        [{ stage_id: stage.Lost }, { ...lost, lost_reason: null }],
      ]
      for (const via of ['move', 'put']) {
        const deal = await me.create('/api/deals', { name: via, probability: 42 })
        for (const [body, expected] of steps) {
          const answer =
            via === 'move' ? await move(me, deal, body) : await me.put(`/api/deals/${deal.id}`, body)
          expect(answer.status).toBe(200)
          expect(answer.body).toMatchObject(expected)
        }
        const told = await me.put(`/api/deals/${deal.id}`, { lost_reason: 'Too dear' })
        expect(told.body).toMatchObject(lost)
        // the record is sent back with another stage: the old reason is removed without an error
        const back = await me.put(`/api/deals/${deal.id}`, { stage_id: stage.Lead, lost_reason: 'Too dear' })
        expect(back.body).toMatchObject(open)
      }
    })

    onOne('keeps closed_at while the deal is won, and sets it again when it is lost', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const other = stageIds(await me.create('/api/deals/pipelines', { name: 'Renewals' }))
      const deal = await me.create('/api/deals', { name: 'A', stage_id: stage.Won })
      const elsewhere = (await move(me, deal, { stage_id: other.Won })).body
      expect(elsewhere).toMatchObject({ closed_at: deal.closed_at, status: 'won' })
      const lost = (await move(me, deal, { stage_id: other.Lost })).body
      expect(lost.closed_at > deal.closed_at).toBe(true)
      expect(lost.closed_at).toBe(lost.stage_entered_at)
    })

    onOne('refuses a reason for a deal that is not lost, and unknown stages', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const deal = await me.create('/api/deals', { name: 'A' })
      const cases: [unknown, unknown[], string][] = [
        [{ stage_id: stage.Won, lost_reason: 'x' }, ['body', 'lost_reason'], 'value_error'],
        [{ stage_id: stage.Lost, lost_reason: 'x'.repeat(256) }, ['body', 'lost_reason'], 'string_too_long'],
        [{ stage_id: newId() }, ['body', 'stage_id'], 'reference_not_found'],
        [{ stage_id: 'x' }, ['body', 'stage_id'], 'uuid_parsing'],
        [{}, ['body', 'stage_id'], 'missing'],
        [{ stage_id: stage.Won, position: -1 }, ['body', 'position'], 'greater_than_equal'],
        [{ stage_id: stage.Won, position: 1_000_001 }, ['body', 'position'], 'less_than_equal'],
        [{ stage_id: stage.Won, position: 1.5 }, ['body', 'position'], 'int_from_float'],
        [[], ['body'], 'model_attributes_type'],
      ]
      for (const [body, loc, type] of cases) {
        const answer = await move(me, deal, body as Item)
        expect([answer.status, answer.body.detail[0].loc, answer.body.detail[0].type]).toEqual([
          422,
          loc,
          type,
        ])
      }
      expect(await move(me, { id: newId() }, { stage_id: stage.Won })).toMatchObject({
        status: 404,
        body: { detail: 'Deal not found' },
      })
      expect((await me.get(`/api/deals/${deal.id}`)).body).toEqual(deal)
    })

    onOne('restarts the days in the stage, after which the deal is rotten', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      await me.put(`/api/deals/stages/${stage.Lead}`, { rotten_after_days: 3 })
      await me.put(`/api/deals/stages/${stage.Won}`, { rotten_after_days: 3 })
      const deal = await me.create('/api/deals', { name: 'A' })
      const shown = () =>
        me.get(`/api/deals/${deal.id}`).then(({ body }) => [body.days_in_stage, body.is_rotten])
      await age(me, deal.id, 2)
      expect(await shown()).toEqual([2, false])
      await age(me, deal.id, 3)
      expect(await shown()).toEqual([3, true])
      await me.put(`/api/deals/${deal.id}`, { name: 'B' })
      expect(await shown()).toEqual([3, true])
      await move(me, deal, { stage_id: stage.Won })
      expect(await shown()).toEqual([0, false])
      await age(me, deal.id, 9)
      expect(await shown()).toEqual([9, false])
    })
  })

  onOne('stores every stage with the user and the duration', async () => {
    const me = await account()
    const colleague = await anotherMember(me)
    const { pipeline, stage } = await defaultPipelineOf(me)
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const theirs = stageIds(other)
    const deal = await me.create('/api/deals', { name: 'A' })
    await move(colleague, deal, { stage_id: stage.Won })
    await move(me, deal, { stage_id: stage.Won, position: 0 })
    await me.put(`/api/deals/${deal.id}`, { name: 'B' })
    const last = (await me.put(`/api/deals/${deal.id}`, { stage_id: theirs.Lead })).body
    const answer = await me.get(`/api/deals/${deal.id}/stage-history`)
    expect(answer).toMatchObject({ status: 200, body: { total: 3, page: 1, page_size: 50, total_pages: 1 } })
    const body: Item[] = answer.body.items
    const second = await me.get(`/api/deals/${deal.id}/stage-history?page=2&page_size=2`)
    expect(second.body).toMatchObject({ total: 3, page: 2, page_size: 2, total_pages: 2 })
    expect(second.body.items).toMatchObject([{ id: body[2]!.id, left_at: null }])
    expect((await me.get(`/api/deals/${deal.id}/stage-history?page_size=0`)).status).toBe(422)
    const lead = { id: stage.Lead, name: 'Lead' }
    const won = { id: stage.Won, name: 'Won' }
    const sales = { id: pipeline.id, name: 'Sales pipeline' }
    const entry = { id: expect.any(String), deal_id: deal.id, seconds: expect.any(Number) }
    expect(body).toEqual([
      {
        ...entry,
        from_stage: null,
        to_stage: lead,
        pipeline: sales,
        entered_at: deal.stage_entered_at,
        left_at: body[1]!.entered_at,
        moved_by: me.userId,
      },
      {
        ...entry,
        from_stage: lead,
        to_stage: won,
        pipeline: sales,
        entered_at: body[0]!.left_at,
        left_at: body[2]!.entered_at,
        moved_by: colleague.userId,
      },
      {
        ...entry,
        from_stage: won,
        to_stage: { id: theirs.Lead, name: 'Lead' },
        pipeline: { id: other.id, name: 'Renewals' },
        entered_at: last.stage_entered_at,
        left_at: null,
        moved_by: me.userId,
      },
    ])
    // the names of deleted stages stay
    await me.delete(`/api/deals/pipelines/${other.id}?move_to=${stage.Lead}`)
    const later = (await me.get(`/api/deals/${deal.id}/stage-history`)).body.items
    expect(later).toHaveLength(4)
    expect(later[2].pipeline).toEqual({ id: other.id, name: 'Renewals' })
    expect((await me.get(`/api/deals/${newId()}/stage-history`)).status).toBe(404)
  })

  it('sets all dependent columns when only the stage changes, and none when a statement sets them all', async () => {
    const me = await account()
    const { pipeline, stage } = await defaultPipelineOf(me)
    const other = stageIds(await me.create('/api/deals/pipelines', { name: 'Renewals' }))
    const db = systemDb(me.service.services)
    await me.create('/api/deals', { name: 'there', stage_id: other.Won })
    const deal = await me.create('/api/deals', {
      name: 'A',
      stage_id: stage.Lost,
      lost_reason: 'x',
      probability: 7,
    })
    const now = () => me.get(`/api/deals/${deal.id}`).then(answer => answer.body)
    await sql`update deals set stage_id = ${other.Won} where id = ${deal.id}`.execute(db)
    const moved = await now()
    expect(moved).toMatchObject({
      status: 'won',
      probability: 100,
      lost_reason: null,
      pipeline: { name: 'Renewals' },
      closed_at: moved.stage_entered_at,
    })
    expect(moved.stage_entered_at > deal.stage_entered_at).toBe(true)
    await sql`update deals set stage_id = ${stage.Lost}, pipeline_id = ${pipeline.id}, probability = 7,
      lost_reason = 'x', closed_at = ${deal.closed_at}, stage_entered_at = ${deal.stage_entered_at}
      where id = ${deal.id}`.execute(db)
    expect(await now()).toEqual(deal)
    const history: Item[] = (await me.get(`/api/deals/${deal.id}/stage-history`)).body.items
    expect(history.map(entry => entry.to_stage.name)).toEqual(['Lost', 'Won', 'Lost'])
    for (const [i, entry] of history.slice(1).entries())
      expect(entry.entered_at >= history[i]!.entered_at).toBe(true)
  })

  onOne('keeps the order of columns and the history consistent under any sequence of moves', async () => {
    const steps = fc.array(
      fc.record({
        deal: fc.nat({ max: 5 }),
        stage: fc.nat({ max: 2 }),
        position: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 25 },
    )
    const me = await account()
    await fc.assert(
      fc.asyncProperty(steps, async moves => {
        const names = ['Lead', 'Won', 'Lost']
        const pipeline = await me.create('/api/deals/pipelines', { name: newId() })
        const stage = stageIds(pipeline)
        const made = Object.values(await deals(me, 'abcdef', stage.Lead!))
        const columns: string[][] = [[...'abcdef'], [], []]
        const visited = made.map(() => ['Lead'])

        for (const { deal, stage: to, position } of moves) {
          const name = 'abcdef'[deal]!
          const from = columns.findIndex(names => names.includes(name))
          const place = position ?? (from === to ? columns[from]!.indexOf(name) : columns[to]!.length)
          columns[from]!.splice(columns[from]!.indexOf(name), 1)
          columns[to]!.splice(place, 0, name)
          if (from !== to) visited[deal]!.push(names[to]!)
          const body = { stage_id: stage[names[to]!], ...(position === undefined ? {} : { position }) }
          expect((await move(me, made[deal]!, body)).status).toBe(200)
        }
        for (const [i, name] of names.entries()) expect(await column(me, stage[name]!)).toEqual(columns[i])

        for (const [i, deal] of made.entries()) {
          const history: Item[] = (await me.get(`/api/deals/${deal.id}/stage-history`)).body.items
          expect(history.map(entry => entry.to_stage.name)).toEqual(visited[i])
          expect(history.map(entry => entry.from_stage?.name)).toEqual([
            undefined,
            ...visited[i]!.slice(0, -1),
          ])
          for (const [n, entry] of history.entries()) {
            expect(entry.left_at).toBe(history[n + 1]?.entered_at ?? null)
            if (entry.left_at === null) continue
            const ms = Date.parse(entry.left_at) - Date.parse(entry.entered_at)
            expect(Math.round(entry.seconds * 1000)).toBe(ms)
            expect(ms).toBeGreaterThanOrEqual(0)
          }
          const now = (await me.get(`/api/deals/${deal.id}`)).body
          expect(now.stage_entered_at).toBe(history.at(-1)!.entered_at)
        }
      }),
      { numRuns: 12 },
    )
  })

  describe('many at once', () => {
    it('get different positions in one column', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const there = await deals(me, 'xyz', stage.Lead!)
      const came = Object.values(await deals(me, 'abcdefghijkl', stage.Won!))
      const answers = await Promise.all([
        ...came.map(deal => move(me, deal, { stage_id: stage.Lead, position: 1 })),
        move(me, there.z!, { stage_id: stage.Lead, position: 0 }),
        me.post('/api/deals', { name: 'n', stage_id: stage.Lead }),
      ])
      expect(answers.map(answer => answer.status).filter(status => status >= 300)).toEqual([])
      const names = await column(me, stage.Lead!)
      expect([...names].sort().join('')).toBe('abcdefghijklnxyz')
      const positions = (await me.get(`/api/deals?stage_id=${stage.Lead}`)).body.items.map(
        (deal: Item) => deal.position,
      )
      expect(new Set(positions).size).toBe(16)
      expect(await column(me, stage.Won!)).toEqual([])
    })

    it('of one deal end in one stage with a complete history', async () => {
      const me = await account()
      const { stage } = await defaultPipelineOf(me)
      const deal = await me.create('/api/deals', { name: 'A' })
      const stages = Object.values(stage)
      const answers = await Promise.all(
        Array.from({ length: 18 }, (_, i) =>
          i % 3 === 0
            ? me.put(`/api/deals/${deal.id}`, { stage_id: stages[i % 6] })
            : move(me, deal, { stage_id: stages[i % 6], position: 0 }),
        ),
      )
      expect(answers.map(answer => answer.status).filter(status => status !== 200)).toEqual([])
      const history: Item[] = (await me.get(`/api/deals/${deal.id}/stage-history`)).body.items
      for (const [i, entry] of history.entries()) {
        expect(entry.from_stage).toEqual(history[i - 1]?.to_stage ?? null)
        expect(entry.seconds).toBeGreaterThanOrEqual(0)
        if (entry.left_at) expect(entry.left_at >= entry.entered_at).toBe(true)
      }
      expect((await me.get(`/api/deals/${deal.id}`)).body.stage).toEqual(history.at(-1)!.to_stage)
    })

    it('leave no deal in a stage that is being deleted', async () => {
      const me = await account()
      const { pipeline } = await defaultPipelineOf(me)
      for (let round = 0; round < 5; round++) {
        const gone = await me.create(`/api/deals/pipelines/${pipeline.id}/stages`, { name: `Going ${round}` })
        const { stage } = await defaultPipelineOf(me)
        const made = Object.values(await deals(me, 'abcdef', stage.Lead!))
        const trashed = await me.create('/api/deals', { name: 'trashed', stage_id: gone.id })
        await me.delete(`/api/deals/${trashed.id}`)
        const answers = await Promise.all([
          move(me, made[0]!, { stage_id: gone.id }),
          move(me, made[1]!, { stage_id: gone.id, position: 0 }),
          me.put(`/api/deals/${made[2]!.id}`, { stage_id: gone.id }),
          me.delete(`/api/deals/stages/${gone.id}?move_to=${stage.Proposal}`),
          me.post(`/api/deals/${trashed.id}/restore`),
          move(me, made[3]!, { stage_id: gone.id, position: 3 }),
          me.post('/api/deals', { name: 'new', stage_id: gone.id }),
          me.put(`/api/deals/${made[4]!.id}`, { stage_id: gone.id }),
        ])
        for (const { status } of answers) expect([200, 201, 422]).toContain(status)
        expect(answers[3]!.status).toBe(200)
        const left = await me.get(`/api/deals?stage_id=${gone.id}`)
        expect(left.body.total).toBe(0)
        const board = (await me.get('/api/deals/board')).body
        const all = (await me.get('/api/deals')).body.total
        expect(board.columns.reduce((sum: number, column: Item) => sum + column.count, 0)).toBe(all)
      }
    })
  })
})
