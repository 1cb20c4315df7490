/** Reverts of imports that changed existing records. */
import { expect, it } from 'vitest'
import { type Item, onBothEngines } from '../../../../test/support/service.ts'
import { done, imported } from './testing.ts'

onBothEngines('the revert of an import', account => {
  it('gives a deal its former company and contact back, with their links', async () => {
    const me = await account()
    const [a, b] = [
      await me.create('/api/companies', { name: 'A' }),
      await me.create('/api/companies', { name: 'B' }),
    ]
    const [ann, bob] = [
      await me.create('/api/contacts', { first_name: 'Ann', email: 'ann@example.com' }),
      await me.create('/api/contacts', { first_name: 'Bob', email: 'bob@example.com' }),
    ]
    const deal = await me.create('/api/deals', {
      ...{ name: 'Pilot', company_id: a.id, primary_contact_id: ann.id, external_ids: { crm: '1' } },
    })
    const other = await me.create('/api/deals', {
      ...{ name: 'Rollout', associated_company_ids: [a.id], external_ids: { crm: '2' } },
    })
    const file = ['id,name,company,person,companies', '1,Pilot,B,bob@example.com,', '2,Rollout,,,B'].join(
      '\n',
    )
    const result = await imported(me, file, {
      entity_type: 'deal',
      mapping: {
        ...{ id: 'external_id', name: 'name', company: 'company_name', person: 'primary_contact_name' },
        companies: 'associated_company_names',
      },
      options: { source: 'crm', duplicate_strategy: 'update' },
    })
    expect(result).toMatchObject({ updated_count: 2, error_count: 0 })
    const changed = (await me.get(`/api/deals/${deal.id}`)).body
    expect(changed).toMatchObject({ company_id: b.id, primary_contact_id: bob.id })
    expect(await done(me, result.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    for (const before of [deal, other]) {
      const { body } = await me.get(`/api/deals/${before.id}`)
      expect(body).toEqual({ ...before, updated_at: body.updated_at })
    }
  })

  it('is undone with the stages that the import created and the deals in them', async () => {
    const me = await account()
    const file = [
      'name,pipeline,stage,closed,why',
      'A,Renewals,Drafted,,',
      'B,Renewals,Won,2025-03-01,',
      'C,Renewals,Lost,2025-04-01,Too dear',
    ].join('\n')
    const result = await imported(me, file, {
      entity_type: 'deal',
      mapping: {
        ...{ name: 'name', pipeline: 'pipeline_name', stage: 'stage_name' },
        ...{ closed: 'closed_at', why: 'lost_reason' },
      },
      options: { on_missing: { stage: 'create', pipeline: 'create' } },
    })
    expect(result).toMatchObject({ created_count: 3, error_count: 0 })
    const deals = async () => {
      const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
      return items.map(({ updated_at: _, ...deal }: Item) => deal)
    }
    const before = await deals()
    expect(before).toMatchObject([
      { stage: { name: 'Drafted' }, status: 'open' },
      { stage: { name: 'Won' }, status: 'won', closed_at: '2025-03-01T00:00:00.000Z' },
      { stage: { name: 'Lost' }, status: 'lost', lost_reason: 'Too dear' },
    ])
    const stages = async () =>
      (await me.get('/api/deals/stages?sort_by=name&page_size=100')).body.items.length
    const count = await stages()
    expect(await done(me, result.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    expect([await deals(), await stages()]).toEqual([[], 6])
    const [revert] = (await me.get('/api/operations?kind=undo')).body.items
    const redone = await me.post(`/api/operations/${revert.id}/undo`)
    expect(redone).toMatchObject({ status: 200, body: { conflicts: [] } })
    expect([await deals(), await stages()]).toEqual([before, count])
  })

  it('leaves a pipeline into which others have put deals since, with a stage for open ones', async () => {
    const me = await account()
    const result = await imported(me, 'name,pipeline,stage\nA,Renewals,Drafted', {
      entity_type: 'deal',
      mapping: { name: 'name', pipeline: 'pipeline_name', stage: 'stage_name' },
      options: { on_missing: { stage: 'create', pipeline: 'create' } },
    })
    const stages = async () => {
      const { items } = (await me.get('/api/deals/pipelines')).body
      return items[1]?.stages.map(({ name }: Item) => name)
    }
    expect(await stages()).toEqual(['Drafted', 'Won', 'Lost'])
    const won = (await me.get('/api/deals/stages?type=won')).body.items
    const [{ pipeline_id }] = (await me.get('/api/deals')).body.items
    const stage_id = won.find((stage: Item) => stage.pipeline_id === pipeline_id).id
    const own = await me.create('/api/deals', { name: 'Own', stage_id })
    expect(await done(me, result.id, 'revert')).toMatchObject({ status: 'reverted', conflict_count: 0 })
    expect(await stages()).toEqual(['Drafted', 'Won'])
    expect((await me.get('/api/deals')).body.items).toEqual([own])
  })
})
