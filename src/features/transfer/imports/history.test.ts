/** The past of records comes along: when deals were closed, when they entered their stage, and who made them. */
import { expect, it } from 'vitest'
import { anotherMember, type Item, onAnyEngine } from '../../../../test/support/service.ts'
import { errorsOf, exportedText, imported, warningsOf } from './testing.ts'

const file = (head: string, ...rows: string[]) => `${[head, ...rows].join('\n')}\n`
const nextYear = new Date().getUTCFullYear() + 1
const columns = (items: Item[], ...names: string[]) => items.map(item => names.map(name => item[name]))

onAnyEngine('the past of imported records', account => {
  it('brings the closing dates of Pipedrive along', async () => {
    const me = await account()
    const rows = [
      'A,100,Won,2024-05-01 10:00:00,,2024-05-01 10:00:00',
      'B,200,Won,2023-02-03 11:30:00,,',
      'C,300,Lost,,2022-07-08 00:00:00,',
      'D,400,Open,,,2024-01-01 00:00:00',
      'E,500,Open,2024-05-01 10:00:00,,',
      'F,600,Won,,,',
      'G,700,Won,,,2099-01-01 00:00:00',
    ]
    const head =
      'Deal - Title,Deal - Value,Deal - Status,Deal - Won time,Deal - Lost time,Deal - Last stage change'
    const result = await imported(me, file(head, ...rows), { entity_type: 'deal' })
    expect(result).toMatchObject({ created_count: 6, error_count: 1, warning_count: 2 })
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(columns(items, 'name', 'status', 'closed_at', 'stage_entered_at')).toEqual([
      ['A', 'won', '2024-05-01T10:00:00.000Z', '2024-05-01T10:00:00.000Z'],
      ['B', 'won', '2023-02-03T11:30:00.000Z', '2023-02-03T11:30:00.000Z'],
      ['C', 'lost', '2022-07-08T00:00:00.000Z', '2022-07-08T00:00:00.000Z'],
      ['D', 'open', null, '2024-01-01T00:00:00.000Z'],
      ['E', 'open', null, expect.any(String)],
      ['F', 'won', expect.any(String), expect.any(String)],
    ])
    expect(await warningsOf(me, result.id)).toMatchObject([
      { row: 6, column: 'Deal - Won time', field: 'won_at', severity: 'warning' },
      { row: 7, column: null, message: expect.stringContaining('counts as closed now') },
    ])
    expect(await errorsOf(me, result.id)).toMatchObject([
      { row: 8, column: 'Deal - Last stage change', message: 'this time is in the future' },
    ])
    const history = await me.get(`/api/deals/${items[0].id}/stage-history`)
    expect(history.body.items).toMatchObject([{ entered_at: '2024-05-01T10:00:00.000Z' }])
    const { groups } = (await me.get('/api/deals/forecast?to=2024-12-31')).body
    expect(groups.map((group: Item) => group.key)).toEqual(['2022-07', '2023-02', '2024-05'])
  })

  it('uses the close date of a closed deal as the day of closing', async () => {
    const me = await account()
    const rows = [`A,Won,1/15/2024`, `B,Lead,12/31/${nextYear}`, `C,Lost,12/31/${nextYear}`]
    const result = await imported(me, file('Deal Name,Deal Stage,Close Date', ...rows), {
      entity_type: 'deal',
    })
    expect(result).toMatchObject({ created_count: 3, warning_count: 1 })
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(columns(items, 'status', 'closed_at', 'expected_close_date')).toEqual([
      ['won', '2024-01-15T00:00:00.000Z', '2024-01-15'],
      ['open', null, `${nextYear}-12-31`],
      ['lost', expect.any(String), `${nextYear}-12-31`],
    ])
    expect(await warningsOf(me, result.id)).toMatchObject([{ row: 4, column: 'Close Date' }])
  })

  it('brings closing dates through an export into another account', async () => {
    const [me, other] = [await account(), await account()]
    const { items: pipelines } = (await me.get('/api/deals/pipelines')).body
    const won = pipelines[0].stages.find((stage: Item) => stage.type === 'won')
    await me.create('/api/deals', { name: 'A', stage_id: won.id, closed_at: '2021-04-05T06:07:08.000Z' })
    const text = await exportedText(me, { entity_type: 'deal' })
    expect(await imported(other, text, { entity_type: 'deal' })).toMatchObject({
      created_count: 1,
      error_count: 0,
    })
    const [deal] = (await other.get('/api/deals')).body.items
    expect(deal).toMatchObject({ status: 'won', closed_at: '2021-04-05T06:07:08.000Z' })
  })

  it('sets the author of a record by name, address or id', async () => {
    const me = await account()
    const colleague = await anotherMember(me)
    const kinds: [entity_type: string, group: string, head: string, row: string, author: string][] = [
      ['contact', 'contacts', 'first_name', 'Ann', 'created_by'],
      ['company', 'companies', 'name', 'Acme', 'created_by'],
      ['deal', 'deals', 'name', 'Big', 'created_by'],
      ['activity', 'activities', 'type,subject', 'call,Ring', 'created_by'],
      ['note', 'notes', 'title,content', 'a,b', 'user_id'],
    ]
    // a column that has the heading of the field for ids, and names in it
    const names = file('name,created_by', 'Named,Nobody')
    const named = await imported(me, names, { entity_type: 'product' })
    expect(named).toMatchObject({ mapping: { created_by: 'created_by_name' }, warning_count: 1 })
    for (const [entity_type, group, head, row, author] of kinds) {
      const text = file(`${head},created_by`, `${row},${colleague.userId}`, `${row} 2,`)
      const options = { duplicate_strategy: 'create' }
      const result = await imported(me, text, { entity_type, options })
      expect(result, entity_type).toMatchObject({ created_count: 2, error_count: 0 })
      const { items } = (await me.get(`/api/${group}?sort_order=asc`)).body
      const authors = items.map((item: Item) => item[author])
      if (entity_type !== 'company') expect(new Set(authors)).toEqual(new Set([me.userId, colleague.userId]))
      const { body } = await me.get(`/api/${group}/${items[0].id}/timeline`)
      if (body.items) expect(JSON.stringify(body.items[0])).toContain('"import"')
    }
  })
})
