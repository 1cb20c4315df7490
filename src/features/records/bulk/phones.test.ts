import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/service.ts'

onBothEngines('contacts by phone number', account => {
  it.each([
    ['+49 170 5550199', true],
    ['0049 170 5550199', true],
    ['+49 (0)170 555-0199', true],
    ['0170/5550199', true],
    ['170 5550199', true],
    ['491705550199', true],
    ['0170 5550199 ext. 3', true],
    ['+43 170 5550199', false],
    ['+49 171 5550199', false],
    ['5550199', false],
  ])('upserts +49 (170) 555-0199 by %s: %s', async (phone, isFound) => {
    const { create, post } = await account()
    const ann = await create('/api/contacts', { first_name: 'Ann', phone: '+49 (170) 555-0199' })
    const { body } = await post('/api/contacts/upsert?match_on=phone', { first_name: 'Ann', phone })
    expect(body.id === ann.id).toBe(isFound)
  })

  it('finds duplicates in every notation', async () => {
    const { create, get } = await account()
    for (const phone of ['+44 20 7946 0018', '0044 (0)20 7946-0018', '020 7946 0018', '+44 20 7946 0019']) {
      await create('/api/contacts', { first_name: 'Ann', phone })
    }
    const { body } = await get('/api/contacts/duplicates?match_on=phone')
    expect(body.items).toMatchObject([{ reason: 'phone', items: { length: 3 } }])
  })
})
