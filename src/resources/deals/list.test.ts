import { expect, it } from 'vitest'
import { anotherMember, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { age, defaultPipelineOf, items } from './testing.ts'

onAnyEngine('the list of deals', account => {
  it('filters', async () => {
    const me = await account()
    const colleague = await anotherMember(me)
    const { pipeline, stage } = await defaultPipelineOf(me)
    const other = await me.create('/api/deals/pipelines', { name: 'Renewals' })
    const company = await me.create('/api/companies', { name: 'Acme' })
    const second = await me.create('/api/companies', { name: 'Bolt' })
    const contact = await me.create('/api/contacts', { first_name: 'Ann' })
    await me.put(`/api/deals/stages/${stage.Lead}`, { rotten_after_days: 5 })
    const rows: Item[] = [
      { name: 'a', amount: 10, expected_close_date: '2026-01-31', owner_id: me.userId },
      { name: 'b', amount: 20.5, expected_close_date: '2026-02-01', owner_id: colleague.userId },
      { name: 'c', stage_id: stage.Won, company_id: company.id, associated_company_ids: [second.id] },
      { name: 'd', stage_id: stage.Lost, primary_contact_id: contact.id, lost_reason: 'Überteuert' },
      { name: 'e', pipeline_id: other.id, associated_company_ids: [company.id], categories: ['VIP'] },
      { name: 'f', description: 'Größe 100%', metadata: { size: 'xl' } },
    ]
    const ids: Record<string, string> = {}
    for (const row of rows) ids[row.name] = (await me.create('/api/deals', row)).id
    await age(me, ids.a!, 4)
    await age(me, ids.f!, 6)
    await age(me, ids.c!, 6)
    const cases: [string, string][] = [
      [`pipeline_id=${pipeline.id}`, 'abcdf'],
      [`pipeline_id=${other.id}`, 'e'],
      [`stage_id=${stage.Lead}`, 'abf'],
      [`stage_id=${newId()}`, ''],
      ['status=open', 'abef'],
      ['status=won', 'c'],
      ['status=lost', 'd'],
      [`company_id=${company.id}`, 'ce'],
      [`company_id=${second.id}`, 'c'],
      [`contact_id=${contact.id}`, 'd'],
      [`owner_id=${colleague.userId}`, 'b'],
      ['amount_gte=10.5', 'b'],
      ['amount_gte=10', 'ab'],
      ['amount_lte=20.5', 'ab'],
      ['amount_lte=20', 'a'],
      ['amount_gte=11&amount_lte=12', ''],
      ['expected_close_from=2026-02-01', 'b'],
      ['expected_close_to=2026-01-31', 'a'],
      ['expected_close_from=2026-01-31&expected_close_to=2026-02-01', 'ab'],
      ['is_rotten=true', 'f'],
      ['is_rotten=false', 'abcde'],
      ['category=vip', 'e'],
      ['search=GROSSE', 'f'],
      ['search=100%25', 'f'],
      ['search=%25%25', ''],
      ['cf.size=xl', 'f'],
      ['is_favorite=true', ''],
      [`ids=${ids.a},${ids.d},${newId()}`, 'ad'],
      ['created_before=2020-01-01', ''],
      [`status=open&amount_gte=0&owner_id=${me.userId}`, 'a'],
    ]
    for (const [query, expected] of cases) {
      const { body } = await me.get(`/api/deals?sort_by=name&sort_order=asc&${query}`)
      expect(body.items.map((deal: Item) => deal.name).join(''), query).toBe(expected)
      expect(body.total, query).toBe(expected.length)
    }
    for (const query of [
      'stage_id=x',
      'status=gone',
      'amount_gte=x',
      'expected_close_from=x',
      'is_rotten=x',
    ]) {
      const { status, body } = await me.get(`/api/deals?${query}`)
      expect([status, body.detail[0].loc], query).toEqual([422, ['query', query.split('=')[0]]])
    }
  })

  it('sorts, pages and walks by cursor', async () => {
    const me = await account()
    const rows: Item[] = [
      { name: 'a', amount: 100, probability: 1, expected_close_date: '2026-03-01' },
      { name: 'b', amount: 10, probability: 100, expected_close_date: '2026-01-01' },
      { name: 'c', amount: 50, probability: 10, expected_close_date: '2026-02-01' },
      { name: 'd' },
    ]
    for (const row of rows) await me.create('/api/deals', row)
    const cases: [string, string, string][] = [
      ['amount', 'asc', 'bcad'],
      ['amount', 'desc', 'acbd'],
      ['weighted_amount', 'asc', 'acbd'],
      ['weighted_amount', 'desc', 'bcad'],
      ['expected_close_date', 'asc', 'bcad'],
      ['expected_close_date', 'desc', 'acbd'],
      ['name', 'desc', 'dcba'],
      ['position', 'asc', 'abcd'],
      ['probability', 'asc', 'acdb'],
      ['created_at', 'desc', 'dcba'],
      ['status', 'asc', 'abcd'],
    ]
    for (const [by, order, expected] of cases) {
      const query = `sort_by=${by}&sort_order=${order}`
      expect((await items(me, query)).join(''), query).toBe(expected)
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: { body: Item } = await me.get(`/api/deals?${query}&page_size=3&cursor=${cursor}`)
        walked.push(...body.items.map((deal: Item) => deal.name))
        cursor = body.next_cursor
      }
      expect(walked.join(''), `${query} by cursor`).toBe(expected)
    }
    expect(await items(me, 'sort_by=amount&sort_order=asc&page=2&page_size=3')).toEqual(['d'])
    expect((await me.get('/api/deals?sort_by=stage')).status).toBe(422)
  })
})
