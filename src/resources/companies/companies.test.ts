import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/service.ts'

onBothEngines('companies', account => {
  it('creates a company with exactly the 39 fields of the contract', async () => {
    const { post } = await account()
    const answer = await post('/api/companies/', { name: 'Acme' })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toHaveLength(39)
    expect(answer.body).toMatchObject({ name: 'Acme', team_ids: [], metadata: {}, is_favorite: false })
  })
})
