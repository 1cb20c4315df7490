/** Reverts of imports that changed existing records. */
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/service.ts'
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
})
