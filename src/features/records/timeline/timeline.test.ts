import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/service.ts'

onBothEngines('timeline', account => {
  it('shows who changed which field from which value to which', async () => {
    const { create, put, get, userId } = await account()
    const { id } = await create('/api/companies', { name: 'A' })
    await put(`/api/companies/${id}`, { name: 'B', employee_count: 5 })
    await put(`/api/companies/${id}`, { name: 'B' })
    const { body } = await get(`/api/companies/${id}/timeline`)
    expect(body.total).toBe(2)
    expect(body.items.map((entry: { type: string }) => entry.type)).toEqual(['updated', 'created'])
    expect(body.items[0]).toMatchObject({
      changes: [
        { field: 'employee_count', from: null, to: 5 },
        { field: 'name', from: 'A', to: 'B' },
      ],
      actor: { kind: 'key', user_id: userId, user_name: 'Test Person' },
    })
    expect((await get(`/api/companies/${id}/timeline?page=2&page_size=1`)).body.items[0].type).toBe('created')
  })
})
