import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, anotherMember, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { defaultPipelineOf, stageIds } from './testing.ts'

/** As if the deal had been closed on that day. */
const closedOn = (account: Account, dealId: string, day: string) =>
  sql`update deals set closed_at = ${day}::timestamptz where id = ${dealId}`.execute(
    systemDb(account.service.services),
  )

onAnyEngine('the board and the forecast', account => {
  it('shows a column for each stage, with its sums and its first deals', async () => {
    const me = await account()
    const { pipeline, stage } = await defaultPipelineOf(me)
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const rows: Item[] = [
      { name: 'a', amount: 0.1, currency: 'EUR', owner_id: me.userId },
      { name: 'b', amount: 0.2, currency: 'EUR', position: -1 },
      { name: 'c', amount: 50, probability: 50, owner_id: me.userId },
      { name: 'd' },
      { name: 'e', amount: 7, stage_id: stage.Won },
      { name: 'f', amount: 9, pipeline_id: other.id },
    ]
    for (const row of rows) await me.create('/api/deals', row)
    const gone = await me.create('/api/deals', { name: 'gone', amount: 1000 })
    await me.delete(`/api/deals/${gone.id}`)

    const { body } = await me.get('/api/deals/board?limit=2')
    expect(body.pipeline).toEqual({
      id: pipeline.id,
      name: 'Sales pipeline',
      description: null,
      is_default: true,
      is_archived: false,
    })
    expect(body.columns.map((column: Item) => [column.stage.name, column.count])).toEqual([
      ['Lead', 4],
      ['Qualified', 0],
      ['Proposal', 0],
      ['Negotiation', 0],
      ['Won', 1],
      ['Lost', 0],
    ])
    const [lead, qualified] = body.columns
    expect(lead.stage).toEqual({
      id: stage.Lead,
      name: 'Lead',
      type: 'open',
      probability: 10,
      position: 0,
      color: null,
      rotten_after_days: null,
    })
    expect(lead.sums).toEqual([
      { currency: 'EUR', amount: 0.3, weighted_amount: 0.03 },
      { currency: 'USD', amount: 50, weighted_amount: 25 },
    ])
    expect(lead.deals.map((deal: Item) => deal.name)).toEqual(['b', 'a'])
    expect(lead.deals[0]).toEqual((await me.get(`/api/deals/${lead.deals[0].id}`)).body)
    expect(qualified).toMatchObject({ sums: [], deals: [] })

    const summary = async (query: string) => {
      const answer = await me.get(`/api/deals/board?${query}`)
      return answer.body.columns.map(
        (column: Item) => `${column.count}${column.deals.map((deal: Item) => deal.name).join('')}`,
      )
    }
    expect(await summary('')).toEqual(['4bacd', '0', '0', '0', '1e', '0'])
    expect(await summary('limit=0')).toEqual(['4', '0', '0', '0', '1', '0'])
    expect(await summary(`pipeline_id=${other.id}`)).toEqual(['1f', '0', '0', '0', '0', '0'])
    expect(await summary(`owner_id=${me.userId}`)).toEqual(['2ac', '0', '0', '0', '0', '0'])
    expect(await summary('amount_gte=7')).toEqual(['1c', '0', '0', '0', '1e', '0'])
    expect(await summary('search=D')).toEqual(['1d', '0', '0', '0', '0', '0'])
    for (const query of ['limit=101', 'limit=-1', 'pipeline_id=x', 'owner_id=x']) {
      expect((await me.get(`/api/deals/board?${query}`)).status, query).toBe(422)
    }
    const stranger = await account()
    for (const id of [newId(), (await defaultPipelineOf(stranger)).pipeline.id]) {
      const answer = await me.get(`/api/deals/board?pipeline_id=${id}`)
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Pipeline not found' }])
    }
  })

  it('totals open, won and lost amounts by month, owner and stage, per currency', async () => {
    const me = await account()
    const colleague = await anotherMember(me)
    const { stage } = await defaultPipelineOf(me)
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const theirs = stageIds(other)
    const rows: [Item, string?][] = [
      [{ name: 'a', amount: 0.1, expected_close_date: '2026-01-31', owner_id: me.userId }],
      [{ name: 'b', amount: 0.2, expected_close_date: '2026-01-01', owner_id: me.userId }],
      [
        { name: 'c', amount: 30, stage_id: stage.Won, expected_close_date: '2026-01-05' },
        '2026-02-03T12:00Z',
      ],
      [{ name: 'd', amount: 40, stage_id: stage.Lost, owner_id: colleague.userId }, '2026-02-28T23:59:59Z'],
      [{ name: 'e', amount: 5, currency: 'EUR', expected_close_date: '2026-02-01', probability: 50 }],
      [{ name: 'f', amount: 6, stage_id: theirs.Qualified, expected_close_date: '2026-03-01' }],
      [{ name: 'g', expected_close_date: '2026-03-02' }],
      [{ name: 'h', amount: 8 }],
    ]
    for (const [row, day] of rows) {
      const { id } = await me.create('/api/deals', row)
      if (day) await closedOn(me, id, day)
    }
    const gone = await me.create('/api/deals', { name: 'gone', amount: 1000 })
    await me.delete(`/api/deals/${gone.id}`)

    /** Each group as `key: currency count/amount/weighted`. */
    const summary = async (query: string) => {
      const { status, body } = await me.get(`/api/deals/forecast?${query}`)
      expect(status, query).toBe(200)
      const line = (totals: Item[]) =>
        totals.map(t => `${t.currency} ${t.count}/${t.amount}/${t.weighted_amount}`).join(', ')
      return [
        ...body.groups.map((group: Item) => `${group.key}: ${line(group.totals)}`),
        `all: ${line(body.totals)}`,
      ]
    }
    expect(await summary('')).toEqual([
      '2026-01: USD 2/0.3/0.03',
      '2026-02: EUR 1/5/2.5, USD 2/70/30',
      '2026-03: USD 2/6/1.5',
      'null: USD 1/8/0.8',
      'all: EUR 1/5/2.5, USD 7/84.3/32.33',
    ])
    expect(await summary('from=2026-01-31&to=2026-02-28')).toEqual([
      '2026-01: USD 1/0.1/0.01',
      '2026-02: EUR 1/5/2.5, USD 2/70/30',
      'all: EUR 1/5/2.5, USD 3/70.1/30.01',
    ])
    expect(await summary(`pipeline_id=${other.id}`)).toEqual(['2026-03: USD 1/6/1.5', 'all: USD 1/6/1.5'])
    expect(await summary(`pipeline_id=${newId()}`)).toEqual(['all: '])
    expect(await summary('group_by=stage')).toEqual([
      `${stage.Lead}: EUR 1/5/2.5, USD 4/8.3/0.83`,
      `${stage.Won}: USD 1/30/30`,
      `${stage.Lost}: USD 1/40/0`,
      `${theirs.Qualified}: USD 1/6/1.5`,
      'all: EUR 1/5/2.5, USD 7/84.3/32.33',
    ])
    const owners = await summary('group_by=owner')
    expect([...owners].sort()).toEqual(
      [
        `${me.userId}: USD 2/0.3/0.03`,
        `${colleague.userId}: USD 1/40/0`,
        'null: EUR 1/5/2.5, USD 4/44/32.3',
        'all: EUR 1/5/2.5, USD 7/84.3/32.33',
      ].sort(),
    )
    expect(owners.at(-2)).toMatch(/^null/)

    const { body } = await me.get('/api/deals/forecast?group_by=owner')
    expect(body.groups[0].name).toBe('Test Person')
    expect(body.totals[1]).toEqual({
      currency: 'USD',
      count: 7,
      amount: 84.3,
      weighted_amount: 32.33,
      open: { count: 5, amount: 14.3, weighted_amount: 2.33 },
      won: { count: 1, amount: 30, weighted_amount: 30 },
      lost: { count: 1, amount: 40, weighted_amount: 0 },
    })
    for (const query of ['group_by=year', 'from=x', 'to=2026-13-01', 'pipeline_id=x']) {
      const answer = await me.get(`/api/deals/forecast?${query}`)
      expect([answer.status, answer.body.detail[0].loc], query).toEqual([422, ['query', query.split('=')[0]]])
    }
    expect((await (await account()).get('/api/deals/forecast')).body).toEqual({
      group_by: 'month',
      groups: [],
      totals: [],
    })
  })
})
