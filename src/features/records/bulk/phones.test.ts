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

  // each with another trunk prefix, and a number of another country that ends with the same digits
  it.each([
    [['+44 20 7946 0018', '0044 (0)20 7946-0018', '020 7946 0018', '44 20 7946 0018'], '+43 20 7946 0018'],
    [['+7 912 345 67 89', '8 912 345-67-89', '89123456789', '912 345-67-89'], '+98 912 345 6789'],
    [['+36 1 234 5678', '06 1 234 5678', '0036 1 2345678'], '+45 12 34 56 78'],
    [
      ['+1 212 555 0100', '1 (212) 555-0100', '(212) 555-0100', '12125550100', '1.212.555.0100'],
      '+1 312 555 0100',
    ],
    [['+375 29 491 19 11', '8 029 491-19-11', '029 491-19-11'], '+48 294 911 911'],
    [['+54 9 11 2345 6789', '011 15-2345-6789', '011 2345-6789'], '+55 11 2345 6789'],
  ])('upserts and finds duplicates of %j but not %s', async ([first = '', ...others], other) => {
    const { create, get, post, put } = await account()
    const upserted = async (phone: string) => {
      const { body } = await post('/api/contacts/upsert?match_on=phone', { first_name: 'Ann', phone })
      return body.id
    }
    const ann = await create('/api/contacts', { first_name: 'Ann', phone: first })
    for (const phone of others) {
      expect(await upserted(phone), phone).toBe(ann.id)
      await put(`/api/contacts/${ann.id}`, { phone: first })
    }
    expect(await upserted(other)).not.toBe(ann.id)

    const same = [ann.id]
    for (const phone of others) same.push((await create('/api/contacts', { first_name: 'Ann', phone })).id)
    const { body } = await get('/api/contacts/duplicates?match_on=phone')
    const groups = body.items.map(({ items }: { items: { id: string }[] }) =>
      items.map(({ id }) => id).sort(),
    )
    // numbers in national notation are in the group of the other number, too
    expect(groups.filter((ids: string[]) => ids.includes(ann.id))).toEqual([same.sort()])
  })
})
