import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { kinds } from './kinds.ts'
import { explained, RELATIONS } from './relations.ts'

/** What the description says of a kind, with the text in parentheses left out. */
const described = (entity: string): string[] => {
  const found = new RegExp(`(?:are: |; )${entity}: ([^;.]*)`).exec(RELATIONS)
  return (found?.[1] ?? '').replace(/ \([^)]*\)/g, '').split(', ')
}

it('describes every relation of every kind', () => {
  for (const { entity, relations } of kinds().values()) {
    if (relations.size > 0) expect.soft(described(entity), entity).toEqual([...relations.keys()])
    else expect.soft(RELATIONS).toMatch(new RegExp(`[ ,.]${entity}(, \\w+)* have none`))
  }
  expect(RELATIONS).toContain('owner (member), parent (company), team (contact)')
})

it('explains relations and fields that exist', () => {
  for (const name of explained) {
    const [entity = '', own = ''] = name.split('.')
    const kind = kinds().get(entity)
    expect.soft(kind?.relations.has(own) || kind?.fields.includes(own), name).toBe(true)
  }
})

onAnyEngine('queries', newAccount => {
  it('follow each of these relations', async () => {
    const account = await newAccount()
    for (const { entity, relations } of kinds().values()) {
      const or = [...relations.keys()].map(some => ({ some }))
      const { status, body } = await account.post('/api/query', { entity, where: { or } })
      expect.soft([status, entity, body.detail]).toEqual([200, entity, undefined])
    }
  })
})
